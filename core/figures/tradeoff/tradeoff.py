"""Figure of quality against sparsity: a curve a method as C varies, with the best of each number of features bold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from core.analysis.tradeoff.tradeoff import TradeoffPoint, pareto_front
from core.figures.look.drawing import Drawing
from core.figures.look.style import MUTED, method_style, seconds
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import FRONT, LABEL_GAP, Across, end_labels, finish, reference_lines
from core.names.numbers import short

Along = Literal["quality", "time"]


@dataclass(frozen=True)
class View:
    """The quantities on the axes.

    Attributes
    ----------
    part, measure : str
        The y axis.
    across : Across
    convention : str
    """

    part: str
    measure: str
    across: Across
    convention: str

    @property
    def up(self) -> str:
        """Title of the y axis."""
        return f"{self.measure} ({PART_TITLES[self.part]}, {self.convention})"


def tradeoff_figure(
    curves: Mapping[str, Sequence[TradeoffPoint]],
    view: View,
    titles: Mapping[str, str],
    *,
    references: Mapping[str, TradeoffPoint] | None = None,
    limit: int | None = None,
    within: TradeoffPoint | None = None,
    current: TradeoffPoint | None = None,
    certified: Sequence[tuple[TradeoffPoint, bool]] = (),
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw one fold.

    Faint: every model of a path. Bold: the best with at most so many features, on the part that models are chosen on;
    its values are those of the part drawn, so on other parts the line may fall. Grey band: the same over all methods. A
    point carries its method and C as ``customdata``.

    Parameters
    ----------
    curves : mapping
        Points by method, in the order of their paths.
    view : View
    titles : mapping
        A method's name for people.
    references : mapping, optional
        Models drawn as horizontal lines, by their label.
    limit : int, optional
        Largest number of features, drawn as a vertical line.
    within : TradeoffPoint, optional
        The best model within the limit.
    current : TradeoffPoint, optional
        The model that the other pages show.
    certified : sequence of (TradeoffPoint, bool), optional
        The best subset of each size, and whether it is proven; unproven ones are hollow.
    """
    drawn = tradeoff_drawing(
        curves, view, titles, references=references, limit=limit, within=within, current=current, certified=certified,
        title=title, subtitle=subtitle,
    )  # fmt: skip
    return drawn.figure()


def tradeoff_drawing(
    curves: Mapping[str, Sequence[TradeoffPoint]],
    view: View,
    titles: Mapping[str, str],
    *,
    references: Mapping[str, TradeoffPoint] | None = None,
    limit: int | None = None,
    within: TradeoffPoint | None = None,
    current: TradeoffPoint | None = None,
    certified: Sequence[tuple[TradeoffPoint, bool]] = (),
    title: str = "",
    subtitle: str = "",
    gap: float = LABEL_GAP,
) -> Drawing:
    """Draw `tradeoff_figure`, to be drawn on; ``gap`` is as for `end_labels`."""
    figure = Drawing()
    every = [point for points in curves.values() for point in points]
    ends_across = view.across.ends([view.across.of(point) for point in every])
    _add_steps(
        figure,
        pareto_front(every, view.measure, view.across.of),
        view,
        ends_across[1],
        "Pareto front",
        FRONT,
        "solid",
        10.0,
    )
    ends = {}
    for method, points in curves.items():
        if points:
            style = method_style(method)
            _add_path(figure, points, view, titles[method])
            front = pareto_front(points, view.measure, view.across.of)
            _add_steps(figure, front, view, ends_across[1], titles[method], style.colour, style.dash, 2.8)
            ends[titles[method]] = (front[-1].value(view.part, view.measure), style.colour)
    if certified:
        style = method_style(certified[0][0].method)
        _add_certified(figure, certified, view, titles[certified[0][0].method])
        ends[titles[certified[0][0].method]] = (certified[-1][0].value(view.part, view.measure), style.colour)
    add_ring(figure, current, view, "the chosen model", "circle-open", 20, MUTED)
    add_ring(figure, within, view, f"best with at most {limit} features", "star", 15, "#E3A008")
    lines = {label: point.value(view.part, view.measure) for label, point in (references or {}).items()}
    heights = [point.value(view.part, view.measure) for point in (*every, *(point for point, _ in certified))]
    reference_lines(figure, lines, *ends_across)
    end_labels(figure, ends, heights, list(lines.values()), gap)
    view.across.draw(figure, ends_across, limit)
    return finish(figure, view.up, title=title, subtitle=subtitle)


def time_figure(
    curves: Mapping[str, Sequence[TradeoffPoint]],
    view: View,
    titles: Mapping[str, str],
    *,
    title: str = "",
    subtitle: str = "",
) -> go.Figure:
    """Draw solver seconds of every fit against its sparsity (Laporte et al., CORIA 2014, Fig. 2), for all C.

    The large mark is the fit that is best on the part that models are chosen on; the dotted line is the mean over
    these.
    """
    figure = Drawing()
    every = [point for points in curves.values() for point in points]
    ends_across = view.across.ends([view.across.of(point) for point in every])
    ends, chosen = {}, []
    for method, points in curves.items():
        if not points:
            continue
        style = method_style(method)
        _add_path(figure, points, view, titles[method], "time")
        ends[titles[method]] = (math.log10(points[-1].seconds), style.colour)
        best = pareto_front(points, view.measure)[-1]
        chosen.append(best.seconds)
        figure.add_scatter(
            x=[view.across.of(best)],
            y=[best.seconds],
            mode="markers",
            marker={"size": 16, "symbol": style.marker, "color": style.colour},
            name=f"{titles[method]}, best",
            customdata=[[best.method, best.c]],
            hovertext=[_hover(best, view)],
            hovertemplate=f"{titles[method]}, the best by {view.measure}<br>%{{hovertext}}<extra></extra>",
        )
    if chosen:
        mean = sum(chosen) / len(chosen)
        figure.add_scatter(x=list(ends_across), y=[mean, mean], mode="lines", name="mean of the best", hoverinfo="skip",
                           line={"color": MUTED, "width": 1.2, "dash": "dot"})  # fmt: skip
    ticks = [m * 10.0**e for e in range(-6, 5) for m in (1, 2, 5)]
    figure.update_yaxes(type="log", tickvals=ticks, ticktext=[seconds(tick) for tick in ticks])
    end_labels(figure, ends, [math.log10(point.seconds) for point in every])
    view.across.draw(figure, ends_across, None)
    return finish(figure, "solver time of a fit", title=title, subtitle=subtitle).update_layout(height=400).figure()


def _add_path(
    figure: Drawing, points: Sequence[TradeoffPoint], view: View, name: str, along: Along = "quality"
) -> None:
    style = method_style(points[0].method)
    figure.add_scatter(
        x=[view.across.of(point) for point in points],
        y=[point.value(view.part, view.measure) if along == "quality" else point.seconds for point in points],
        mode="lines+markers",
        line={"color": style.colour, "width": 1, "dash": style.dash if along == "time" else "solid"},
        marker={"size": 6, "symbol": style.marker, "color": style.colour},
        opacity=0.32 if along == "quality" else 0.6,
        name=f"{name}, every C",
        customdata=[[point.method, point.c] for point in points],
        hovertext=[_hover(point, view) for point in points],
        hovertemplate=f"{name}<br>%{{hovertext}}<extra></extra>",
    )


def _add_steps(
    figure: Drawing,
    front: Sequence[TradeoffPoint],
    view: View,
    right: float,
    name: str,
    colour: str,
    dash: str,
    width: float,
) -> None:
    """Draw a staircase from point to point and on to the right edge, where more features bring nothing better."""
    if not front:
        return
    behind = colour == FRONT
    heights = [point.value(view.part, view.measure) for point in front]
    figure.add_scatter(
        x=[*(view.across.of(point) for point in front), right],
        y=[*heights, heights[-1]],
        mode="lines" if behind else "lines+markers",
        line={"color": colour, "width": width, "dash": dash, "shape": "hv"},
        marker={"size": [*(9 for _ in front), 0], "symbol": method_style(front[0].method).marker, "color": colour},
        name=name,
        customdata=[[point.method, point.c] for point in (*front, front[-1])],
        hovertext=[_hover(point, view) for point in (*front, front[-1])],
        hovertemplate=None if behind else f"<b>{name}</b>, best with so few features<br>%{{hovertext}}<extra></extra>",
        hoverinfo="skip" if behind else None,
    )


def _add_certified(figure: Drawing, certified: Sequence[tuple[TradeoffPoint, bool]], view: View, name: str) -> None:
    """Draw the best subset of each size; they are best by the objective, so the line may fall."""
    style = method_style(certified[0][0].method)
    figure.add_scatter(
        x=[view.across.of(point) for point, _ in certified],
        y=[point.value(view.part, view.measure) for point, _ in certified],
        mode="lines+markers",
        line={"color": style.colour, "width": 2, "dash": style.dash},
        marker={
            "size": 9,
            "symbol": [style.marker if proven else f"{style.marker}-open" for _, proven in certified],
            "color": style.colour,
            "line": {"width": 2, "color": style.colour},
        },
        name=name,
        customdata=[[point.method, point.c, point.kept] for point, _ in certified],
        hovertext=[
            f"lowest objective with so few features, {'proven' if proven else 'not proven'}<br>{_hover(point, view)}"
            for point, proven in certified
        ],
        hovertemplate=f"<b>{name}</b><br>%{{hovertext}}<extra></extra>",
    )


def add_ring(
    figure: Drawing, point: TradeoffPoint | None, view: View, name: str, symbol: str, size: int, colour: str
) -> None:
    """Mark a model with a symbol of its own; nothing where there is none."""
    if point is None:
        return
    figure.add_scatter(
        x=[view.across.of(point)],
        y=[point.value(view.part, view.measure)],
        mode="markers",
        marker={"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}},
        name=name,
        customdata=[[point.method, point.c]],
        hovertext=[_hover(point, view)],
        hovertemplate=f"{name}<br>%{{hovertext}}<extra></extra>",
        cliponaxis=False,
    )


def _hover(point: TradeoffPoint, view: View) -> str:
    values = "<br>".join(
        f"{PART_TITLES[part]} {view.measure} {m[view.measure]:.4f}" for part, m in point.values.items()
    )
    across = view.across
    cost = f"cost of its features {across.cost(point):g}<br>" if across.costs and np.ptp(across.costs) > 0.0 else ""
    return (
        f"{cost}{point.kept} features, sparsity ratio {point.sparsity:.2f}<br>{values}<br>"
        f"C = {short(point.c)}, λ/λ_max = {short(point.ratio)}<br>{seconds(point.seconds)} a fit"
    )
