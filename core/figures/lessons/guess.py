"""A reader's guess beside the result, as a small picture and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from core.figures.look.style import MUTED, layout, silent
from core.lessons.lesson import Choice, Curve, Number, Order, Prediction
from core.lessons.placeholders import said, written
from core.names.numbers import short
from core.names.plain import in_plotly

GUESSED, FOUND = "your guess", "the result"
COLOUR = "#1B7FC4"
_TALL = {Number: 118, Curve: 250}
_ROW = 26  # pixels of an item in an order
_MOST_PLACES = 2000  # of a scale


def spoken(predict: Prediction, value: Any) -> str:
    """Say a guess, or the value of an answer, as `core.lessons.lesson` describes both; of a curve, its two ends."""
    if not isinstance(predict, Curve):
        return said(predict, value)
    heights = [y if isinstance(y, int | float) else y[1] for y in value]
    return f"{predict.y_label} from {written(heights[0])} to {written(heights[-1])}"


def sent_prediction(predict: Prediction) -> dict[str, Any]:
    """What ``guess.js`` is sent of a question; of a choice, too, which has radio buttons of the page's own."""
    match predict:
        case Number():
            return {"kind": "number", "question": predict.question, "unit": predict.unit, "values": scale(predict)}
        case Order():
            ends = {"first": predict.first, "last": predict.last}
            return {"kind": "order", "question": predict.question, "items": list(predict.items), **ends}
        case Curve():
            return {
                "kind": "curve", "question": predict.question, "xLabel": predict.x_label, "yLabel": predict.y_label,
                "x": list(predict.x), "low": predict.low, "high": predict.high, "xLog": predict.x_log,
                "yLog": predict.y_log,
            }  # fmt: skip
        case Choice(question=question, options=options):
            return {"kind": "choice", "question": question, "options": list(options)}


def scale(predict: Number) -> list[float]:
    """The numbers that can be chosen, from low to high."""
    low, high, step = predict.low, predict.high, predict.step
    span = math.log(high / low) / math.log(step) if predict.log else (high - low) / step
    count = min(int(span + 1e-9), _MOST_PLACES)
    values = [low * step**k if predict.log else low + k * step for k in range(count + 1)]
    rounded = [float(f"{value:.6g}") for value in values]
    return rounded if math.isclose(rounded[-1], high, rel_tol=1e-6) else [*rounded, high]


def gap_sentence(predict: Prediction, guess: Any, value: Any) -> str:
    """Say in plain text what was guessed and what came out, as far as there is either."""
    told = [("Your prediction", guess), ("The result", value)]
    return " ".join(f"{what}: {spoken(predict, one)}." for what, one in told if one is not None)


def gap_rows(predict: Prediction, guess: Any, value: Any) -> list[Mapping[str, Any]]:
    """The rows of the table beneath the picture."""
    match predict:
        case Order(items=items):
            places = {} if guess is None else {item: k for k, item in enumerate(guess, start=1)}
            return [{"item": items[item], GUESSED: places.get(item), FOUND: k} for k, item in enumerate(value, start=1)]
        case Curve():
            guesses = [] if guess is None else [(x, y, None) for x, y in zip(predict.x, guess, strict=True)]
            points = sorted([*guesses, *((x, None, y) for x, y in value)], key=lambda one: one[0])
            return [{predict.x_label: x, GUESSED: guessed, FOUND: found} for x, guessed, found in points]
        case _:
            told = None if guess is None else spoken(predict, guess)
            return [{GUESSED: told, FOUND: spoken(predict, value)}]


def gap_figure(predict: Prediction, guess: Any, value: Any) -> go.Figure | None:
    """Draw the guess beside the value of the answer; None where words say all of it, as of a choice.

    The guess is as `core.lessons.lesson` describes it, and None where nothing was guessed.
    """
    match predict:
        case Number():
            return _number(predict, guess, value)
        case Order():
            return _order(predict, guess, value)
        case Curve():
            return _curve(predict, guess, value)
        case _:
            return None


def _number(predict: Number, guess: float | None, value: float) -> go.Figure:
    figure = go.Figure()
    both = [] if guess is None else [guess]
    if guess is not None:
        figure.add_scatter(**silent([guess, value], [0, 0], 2))
        figure.add_scatter(x=[guess], y=[0], **_mark(GUESSED, [f"{GUESSED} {short(guess)}"], "bottom center"))
    figure.add_scatter(x=[value], y=[0], **_mark(FOUND, [f"{FOUND} {short(value)}"], "top center"))
    low, high = min(predict.low, value, *both), max(predict.high, value, *both)
    log = predict.log and low > 0.0
    ratio = (high / low) ** 0.08 if log else 1.0
    room = 0.08 * (high - low)
    ends = (low / ratio, high * ratio) if log else (low - room, high + room)
    figure.update_xaxes(
        type="log" if log else "linear",
        exponentformat="e",
        range=[math.log10(x) if log else x for x in ends],
        title=in_plotly(predict.unit),
    )
    figure.update_yaxes(visible=False, range=[-1.5, 1.5], fixedrange=True)
    return _laid(figure, _TALL[Number])


def _order(predict: Order, guess: Sequence[int] | None, value: Sequence[int]) -> go.Figure:
    """A line an item, from its guessed place to its own: level where the guess was right."""
    figure = go.Figure()
    n = len(value)
    for place, item in enumerate(value, start=1):
        name = in_plotly(predict.items[item])
        if guess is not None:
            before = list(guess).index(item) + 1
            right = before == place
            figure.add_scatter(
                x=[0, 1], y=[before, place], mode="lines+markers", name=name,
                line={"color": COLOUR if right else MUTED, "width": 2.4, "dash": "solid" if right else "dash"},
                marker={"size": 9, "symbol": ["circle-open", "circle"], "color": COLOUR}, hoverinfo="name",
            )  # fmt: skip
        else:
            figure.add_scatter(
                x=[1], y=[place], mode="markers", name=name, marker={"size": 9, "color": COLOUR}, hoverinfo="name"
            )
        figure.add_annotation(x=1.03, y=place, text=f"{place}. {name}", showarrow=False, xanchor="left")
    heads = [(1, FOUND)] if guess is None else [(0, GUESSED), (1, FOUND)]
    for x, words in heads:
        figure.add_annotation(x=x, y=0.2, text=words, showarrow=False)
    figure.update_xaxes(visible=False, range=[-0.25, 2.4], fixedrange=True)
    figure.update_yaxes(visible=False, range=[n + 0.6, -0.2], fixedrange=True)
    return _laid(figure, 40 + _ROW * (n + 1))


def _curve(predict: Curve, guess: Sequence[float] | None, value: Sequence[tuple[float, float]]) -> go.Figure:
    figure = go.Figure()
    if guess is not None:
        figure.add_scatter(
            x=list(predict.x), y=list(guess), mode="lines+markers", name=GUESSED,
            line={"color": MUTED, "width": 2, "dash": "dash"},
            marker={"symbol": "circle-open", "size": 9, "color": MUTED},
        )  # fmt: skip
    figure.add_scatter(
        x=[x for x, _ in value], y=[y for _, y in value], mode="lines", name=FOUND, line={"color": COLOUR, "width": 2.6}
    )
    figure.update_xaxes(title=in_plotly(predict.x_label), **_scale(predict.x_log))
    figure.update_yaxes(title=in_plotly(predict.y_label), **_scale(predict.y_log))
    legend = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"}
    return _laid(figure, _TALL[Curve], top=30, left=60).update_layout(showlegend=True, legend=legend)


def _scale(log: bool) -> dict[str, Any]:
    """Of an axis; powers of ten alone have room for their numbers."""
    return {"type": "log", "dtick": 1, "exponentformat": "e"} if log else {"type": "linear"}


def _laid(figure: go.Figure, height: int, *, top: int = 6, left: int = 20) -> go.Figure:
    drawn = layout(figure, height=height)
    return drawn.update_layout(margin={"t": top, "l": left, "r": 20, "b": 40})


def _mark(name: str, text: list[str], where: str) -> dict[str, Any]:
    symbol = "circle-open" if name == GUESSED else "circle"
    return {
        "mode": "markers+text", "name": name, "text": text, "textposition": where, "cliponaxis": False,
        "hoverinfo": "x+name",
        "marker": {"size": 13, "symbol": symbol, "color": COLOUR, "line": {"width": 2, "color": COLOUR}},
    }  # fmt: skip
