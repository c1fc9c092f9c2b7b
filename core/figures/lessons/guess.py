"""A reader's guess, and the votes of a class, beside the result: as a picture, a table and a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import plotly.graph_objects as go

from core.figures.look.drawing import note
from core.figures.look.style import DECADES, INK, MUTED, layout, silent
from core.figures.path.path import listed
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
    across, up = (DECADES if log else {"type": "linear"} for log in (predict.x_log, predict.y_log))
    figure.update_xaxes(across, title=in_plotly(predict.x_label))
    figure.update_yaxes(up, title=in_plotly(predict.y_label))
    legend = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"}
    return _laid(figure, _TALL[Curve], top=30, left=60).update_layout(showlegend=True, legend=legend)


def _laid(figure: go.Figure, height: int, *, top: int = 6, left: int = 20) -> go.Figure:
    return layout(figure, height=height, margin={"t": top, "l": left, "r": 20, "b": 40})


def _mark(name: str, text: list[str], where: str) -> dict[str, Any]:
    symbol = "circle-open" if name == GUESSED else "circle"
    return {
        "mode": "markers+text", "name": name, "text": text, "textposition": where, "cliponaxis": False,
        "hoverinfo": "x+name",
        "marker": {"size": 13, "symbol": symbol, "color": COLOUR, "line": {"width": 2, "color": COLOUR}},
    }  # fmt: skip


Votes = Mapping[Any, int]
"""How many voted for each guess."""
NAMES = ("first vote", "second vote")
_COLOURS = (MUTED, "#1B7FC4")
_SHAPES = ("/", "")  # a pattern, so that no colour is needed
BINS = 16  # of the numbers on a scale, at most
MOST_ORDERS = 6  # that have a row of their own
_VOTE_ROW = 40  # pixels of a row with a bar for each vote
_RESULT = "✓"


def votes_sentence(predict: Prediction, votes: Sequence[Votes], value: Any = None) -> str:
    """Say in plain text how many voted and for what, or how many had the result where ``value`` is its value."""
    return " ".join(
        f"{name.capitalize()}: {_said(predict, one, value)}." for name, one in zip(NAMES, votes, strict=False)
    )


def votes_rows(predict: Prediction, votes: Sequence[Votes], value: Any = None) -> list[Mapping[str, Any]]:
    """Return a row for each guess: how many voted for it in each vote, and whether it is the result."""
    guesses = sorted({guess for one in votes for guess in one}, key=lambda guess: -votes[-1].get(guess, 0))
    if isinstance(predict, Choice):
        guesses = list(range(len(predict.options)))
    elif isinstance(predict, Number | Curve):
        guesses = sorted(guesses)
    named = list(zip(NAMES, votes, strict=False))
    known = {} if value is None or isinstance(predict, Curve) else {"result": value}
    return [
        {"prediction": _option(predict, guess)}
        | {name: one.get(guess, 0) for name, one in named}
        | {what: _RESULT if _is(predict, guess, result) else "" for what, result in known.items()}
        for guess in guesses
    ]


def votes_figure(predict: Prediction, votes: Sequence[Votes], value: Any = None) -> go.Figure:
    """Draw how many of a class voted for each guess, in one vote or two, beside the value of the answer if given."""
    match predict:
        case Number():
            return _histogram(predict, votes, value)
        case Curve():
            return _curves(predict, votes, value)
        case _:
            return _bars(predict, votes, value)


def _option(predict: Prediction, guess: Any) -> str:
    """Name a row of the table or the picture."""
    return predict.options[guess] if isinstance(predict, Choice) else spoken(predict, guess)


def _is(predict: Prediction, guess: Any, value: Any) -> bool:
    if isinstance(predict, Order):
        return tuple(guess) == tuple(value)
    return bool(guess == value)


def _said(predict: Prediction, votes: Votes, value: Any) -> str:
    count = sum(votes.values())
    if not count:
        return "no votes"
    people = f"{count} {'vote' if count == 1 else 'votes'}"
    if isinstance(predict, Curve):
        return people
    if isinstance(predict, Number):
        middle = median([guess for guess, many in votes.items() for _ in range(many)])
        return f"{people}, half of them at {spoken(predict, middle)} or less"
    if value is not None:
        right = sum(many for guess, many in votes.items() if _is(predict, guess, value))
        return f"{right} of {people} had the result"
    most = max(votes.values())
    best = [spoken(predict, guess) for guess, many in sorted(votes.items()) if many == most]
    named = listed(best)
    return f"{people}, most ({most}) for {named}" if len(best) == 1 else f"{people}, {most} each for {named}"


def _bars(predict: Choice | Order, votes: Sequence[Votes], value: Any) -> go.Figure:
    """A row for each option, or for each of the orders that most have voted for."""
    if isinstance(predict, Choice):
        guesses: list[Any] = list(range(len(predict.options)))
    else:
        every = {guess for one in votes for guess in one}
        guesses = sorted(every, key=lambda guess: (-max(one.get(guess, 0) for one in votes), guess))[:MOST_ORDERS]
        if value is not None and tuple(value) not in guesses:
            guesses.append(tuple(value))
    names = [
        in_plotly(f"{_RESULT} {words}" if value is not None and _is(predict, guess, value) else words)
        for guess, words in ((guess, _option(predict, guess)) for guess in guesses)
    ]
    figure = go.Figure()
    for k, one in enumerate(votes):
        counts = [one.get(guess, 0) for guess in guesses]
        figure.add_bar(
            x=counts, y=list(range(len(guesses))), orientation="h", **_look(k), text=counts, cliponaxis=False
        )
    figure.update_xaxes(title="votes", rangemode="tozero", tick0=0, dtick=_step(votes))
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=names, autorange="reversed", automargin=True)
    return _votes_laid(figure, 96 + _VOTE_ROW * max(len(guesses), 2))


def _histogram(predict: Number, votes: Sequence[Votes], value: float | None) -> go.Figure:
    """Bars over the scale, one for each place of it or for some places together; a line at the result."""
    at, back = (math.log10, lambda x: 10.0**x) if predict.log else (float, float)
    low, high = at(predict.low), at(predict.high)
    places = (high - low) / (math.log10(predict.step) if predict.log else predict.step)
    bins = max(min(round(places) + 1, BINS), 1)
    width = (high - low) / max(bins - 1, 1)
    figure = go.Figure()
    centres = [back(low + k * width) for k in range(bins)]
    for k, one in enumerate(votes):
        counts = [0] * bins
        for guess, many in one.items():
            counts[min(max(round((at(guess) - low) / width), 0), bins - 1) if width else 0] += many
        figure.add_bar(x=[at(centre) for centre in centres], y=counts, **_look(k))
    ends = [low, high, *([at(value)] if value is not None and (value > 0 or not predict.log) else [])]
    steps = [low + j * (high - low) / 4 for j in range(5)]
    ticks = [written(float(f"{back(x):.2g}")) for x in steps]
    room = max(width, 0.02 * (high - low))
    figure.update_xaxes(
        title=in_plotly(predict.unit), tickvals=steps, ticktext=ticks, range=[min(ends) - room, max(ends) + room]
    )
    figure.update_yaxes(title="votes", rangemode="tozero", tick0=0, dtick=_step(votes))
    if value is not None and len(ends) == 3:
        figure.add_vline(x=ends[-1], line={"color": INK, "width": 3, "dash": "dot"})
        words = in_plotly(f"the result: {spoken(predict, value)}")
        figure.add_annotation(**note(words, ends[-1], 1, "bottom", yref="paper"))
        return _votes_laid(figure, 264, top=64)
    return _votes_laid(figure, 240)


def _curves(predict: Curve, votes: Sequence[Votes], value: Sequence[tuple[float, float]] | None) -> go.Figure:
    """Every curve as a thin line, the middle of the votes at each place as a thick one, and the result."""
    figure = go.Figure()
    for k, one in enumerate(votes):
        curves = [guess for guess, many in one.items() for _ in range(many)]
        for guess in curves:
            figure.add_scatter(
                **silent(list(predict.x), list(guess), colour=_COLOURS[k], showlegend=False, opacity=0.35)
            )
        if curves:
            middle = [median(heights) for heights in zip(*curves, strict=True)]
            dash = "dash" if k == 0 else "solid"
            figure.add_scatter(
                x=list(predict.x), y=middle, mode="lines+markers", name=f"{NAMES[k]}, middle",
                line={"color": _COLOURS[k], "width": 2.6, "dash": dash}, marker={"symbol": "circle-open", "size": 8},
            )  # fmt: skip
    if value is not None:
        x, y = zip(*value, strict=True)
        figure.add_scatter(x=x, y=y, mode="lines", name="the result", line={"color": INK, "width": 3, "dash": "dot"})
    figure.update_xaxes(title=in_plotly(predict.x_label), type="log" if predict.x_log else "linear", exponentformat="e")
    figure.update_yaxes(title=in_plotly(predict.y_label), type="log" if predict.y_log else "linear", exponentformat="e")
    return _votes_laid(figure, 280)


def _look(k: int) -> dict[str, Any]:
    return {
        "name": NAMES[k], "hoverinfo": "x+y+name", "textposition": "outside",
        "constraintext": "none", "textfont": {"size": 12},
        "marker": {"color": _COLOURS[k], "pattern": {"shape": _SHAPES[k], "fillmode": "replace"}},
    }  # fmt: skip


def _step(votes: Sequence[Votes]) -> int:
    """Votes between two marks of an axis: whole ones."""
    most = max((many for one in votes for many in one.values()), default=1)
    return max(math.ceil(most / 5), 1)


def _votes_laid(figure: go.Figure, height: int, top: int = 40) -> go.Figure:
    legend = {"orientation": "h", "x": 0, "y": 1.0, "yref": "container", "yanchor": "top"}
    several = len(figure.data) > 1
    margin = {"t": top if several else max(top - 28, 12), "l": 60, "r": 24, "b": 46}
    key: dict[str, Any] = {"showlegend": several, "legend": legend, "barmode": "group", "bargap": 0.25}
    return layout(figure, height=height, margin=margin, **key)
