"""Figure of quality against sparsity: a line a method, of the models that are picked within each number of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.analysis.tradeoff.tradeoff import TradeoffPoint, pareto_front
from core.figures.look.drawing import Drawing
from core.figures.look.labels import told
from core.figures.look.style import MUTED, NO_WORDS, STAR_MARK, Words, counting, method_style, seconds
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import LABEL_GAP, Across, end_labels, finish, reference_lines
from core.names.numbers import short

BAND = "rgba(128,128,128,0.16)"
Curves = Mapping[str, Sequence[TradeoffPoint]]
"""Models by method, in the order of their paths."""


@dataclass(frozen=True)
class View:
    """The quantities on the axes."""

    part: str
    measure: str
    """With the part: the y axis."""
    across: Across
    convention: str

    @property
    def up(self) -> str:
        """Title of the y axis."""
        return f"{self.measure} ({PART_TITLES[self.part]}, {counting(self.convention)})"


def tradeoff_drawing(
    curves: Curves,
    view: View,
    titles: Mapping[str, str],
    words: Words = NO_WORDS,
    *,
    references: Mapping[str, TradeoffPoint] | None = None,
    limit: int | None = None,
    star: TradeoffPoint | None = None,
    band: tuple[float, float] | None = None,
    current: TradeoffPoint | None = None,
    gap: float = LABEL_GAP,
) -> Drawing:
    """Draw one fold, to be drawn on.

    A line goes through the models that the choosing part picks with at most so many features; its values are those of
    the part drawn, so on other parts it may fall. A point carries its method and C as ``customdata``.

    Parameters
    ----------
    curves : mapping
        Points by method, in the order of their paths.
    titles : mapping
        A method's name for people.
    references : mapping, optional
        Models drawn as horizontal lines, by their label.
    limit : int, optional
        Largest number of features, drawn as a vertical line.
    star : TradeoffPoint, optional
        The model that is picked within the limit.
    band : tuple of float, optional
        Values between which nothing is clearly different from it.
    current : TradeoffPoint, optional
        The model that the other pages show.
    gap : float
        As for `end_labels`.
    """
    figure = Drawing()
    every = [point for points in curves.values() for point in points]
    ends_across = view.across.ends([view.across.of(point) for point in every])
    if band is not None:
        figure.add_shape(
            type="rect", xref="paper", x0=0, x1=1, y0=band[0], y1=band[1],
            fillcolor=BAND, line={"width": 0}, layer="below",
        )  # fmt: skip
    ends = {}
    for method, points in curves.items():
        if points:
            style = method_style(method)
            front = pareto_front(points, view.measure, view.across.of)
            _add_picks(figure, front, view, ends_across[1], titles[method])
            ends[titles[method]] = (front[-1].value(view.part, view.measure), style.colour)
    add_ring(figure, current, view, "the chosen model", around("circle-open", 20, MUTED))
    picked = "picked" if limit is None else f"picked with at most {limit} features"
    add_ring(figure, star, view, picked, STAR_MARK)
    lines = {label: point.value(view.part, view.measure) for label, point in (references or {}).items()}
    heights = [point.value(view.part, view.measure) for point in every]
    reference_lines(figure, lines, *ends_across)
    end_labels(figure, ends, heights, list(lines.values()), gap)
    view.across.draw(figure, ends_across, limit)
    return finish(figure, view.up, words)


def _add_picks(figure: Drawing, front: Sequence[TradeoffPoint], view: View, right: float, name: str) -> None:
    """Draw a staircase from pick to pick and on to the right edge, where more features bring nothing better."""
    style = method_style(front[0].method)
    heights = [point.value(view.part, view.measure) for point in front]
    figure.add_scatter(
        x=[*(view.across.of(point) for point in front), right],
        y=[*heights, heights[-1]],
        mode="lines+markers",
        line={"color": style.colour, "width": 2, "dash": style.dash, "shape": "hv"},
        marker={"size": [*(8 for _ in front), 0], "symbol": style.marker, "color": style.colour},
        name=name,
        customdata=[[point.method, point.c] for point in (*front, front[-1])],
        **told(name, [hover(point, view) for point in (*front, front[-1])], ", picked with so few features"),
    )


def around(symbol: str, size: int, colour: str) -> dict[str, Any]:
    """An open mark around a point."""
    return {"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}}


def add_ring(figure: Drawing, point: TradeoffPoint | None, view: View, name: str, marker: dict[str, Any]) -> None:
    """Mark a model with a symbol of its own; nothing where there is none."""
    if point is None:
        return
    figure.add_scatter(
        x=[view.across.of(point)],
        y=[point.value(view.part, view.measure)],
        mode="markers",
        marker=marker,
        name=name,
        customdata=[[point.method, point.c]],
        hovertext=[hover(point, view)],
        hovertemplate=f"{name}<br>%{{hovertext}}<extra></extra>",
        cliponaxis=False,
    )


def hover(point: TradeoffPoint, view: View) -> str:
    """What a model's mark says."""
    values = "<br>".join(
        f"{PART_TITLES[part]} {view.measure} {m[view.measure]:.4f}" for part, m in point.values.items()
    )
    across = view.across
    cost = f"cost of its features {across.cost(point):g}<br>" if across.costs and np.ptp(across.costs) > 0.0 else ""
    return (
        f"{cost}{point.kept} features, sparsity ratio {point.sparsity:.2f}<br>{values}<br>"
        f"C = {short(point.c)}, λ/λ_max = {short(point.ratio)}<br>{seconds(point.seconds)} a fit"
    )
