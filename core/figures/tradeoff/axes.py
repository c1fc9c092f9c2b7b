"""Common parts of trade-off figures: axes, horizontal lines, labels at the ends of curves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.analysis.tradeoff.tradeoff import TradeoffRow, pareto_front
from core.figures.look.drawing import Drawing, note
from core.figures.look.labels import at_the_end, count_axis, name_ends, narrow, told
from core.figures.look.style import MUTED, NO_WORDS, STAR_MARK, Words, counting, layout, method_style, seconds, silent
from core.figures.path.lines import PART_TITLES, PART_WORDS
from core.names.numbers import short

Horizontal = Literal["features kept", "sparsity ratio", "cost of features"]
HORIZONTALS: tuple[Horizontal, ...] = ("features kept", "sparsity ratio")
COST: Horizontal = "cost of features"
"""Beside the others where features have costs."""
FloatArray = NDArray[np.float64]
FRONT = "rgba(128,128,128,0.28)"
LOWEST_SHARE = 0.1
LETTER, SMALL_LETTER = 7, 6  # pixels
WIDEST = 150
FLAT = 0.1
"""Height of an axis on which all values are the same: ticks that one can read, not millionths."""
LABEL_GAP = 0.062  # of the height of the plot: a line of text


def end_labels(
    figure: Drawing,
    ends: Mapping[str, tuple[float, str]],
    heights: Sequence[float],
    lines: Sequence[float] = (),
    gap: float = LABEL_GAP,
) -> None:
    """Write names at the right edge, each at its curve's end and in its colour, and set the range of the y axis.

    The range leaves out what lies far below the rest of the ``heights`` of all points: a first model with one feature
    may rank so badly that all other differences would vanish. Those of ``lines`` must be visible. ``ends`` are height
    and colour by name; ``gap``, from name to name, is a share of the height of the plot.
    """
    high, low = max([*heights, *lines], default=1.0), min(heights, default=0.0)
    if heights:
        usual = float(np.quantile(heights, LOWEST_SHARE))
        low = max(low, usual - (high - usual))
    low = min([low, *lines])
    height = high - low if high - low > 1e-3 else FLAT
    low, high = low - 0.06 * height, high + 0.1 * height
    figure.update_yaxes(range=[low, high])
    named = [(f" {name}", end, colour) for name, (end, colour) in ends.items()]
    name_ends(figure, named, gap * (high - low), low, high)


def reference_labels(picks: str) -> tuple[str, str]:
    """Return the names of both grey lines: the model of all features, and the best single feature.

    ``picks`` is the part that models are chosen on. What is not tuned is chosen on the training part.
    """
    return f"all features (ℓ2, C by {PART_WORDS[picks]})", "best single feature, by training"


def reference_lines(figure: Drawing, lines: Mapping[str, float], left: float, right: float) -> None:
    """Draw grey horizontal lines, with names above them on alternating sides.

    On a narrow screen a name says only what the line is, not how its model was chosen, and stands at the line's end.
    """
    figure.update_layout(
        meta=narrow({f"{label}: {y:.4f}": at_the_end(_shortest(label, y)) for label, y in lines.items()})
    )
    for k, (label, y) in enumerate(lines.items()):
        figure.add_scatter(**silent([left, right], [y, y], name=label))
        side = "right bottom" if k % 2 else "left bottom"
        figure.add_annotation(**note(f"{label}: {y:.4f}", k % 2, y, side, 12, MUTED, xref="paper"))


def _shortest(label: str, y: float) -> str:
    """Without how its model was chosen, in the words of the other pictures."""
    line = re.split(r" \(|,", label)[0].replace("best single feature", "best alone")
    return f"{line} {y:.4f}"


@dataclass(frozen=True)
class Across:
    """The horizontal axis."""

    horizontal: Horizontal
    n_features: int
    """Number of all features; where the sparsity ratio is drawn, of those that are not zero everywhere."""
    log: bool
    costs: tuple[float, ...] = ()

    @classmethod
    def over(cls, horizontal: Horizontal, usable: NDArray[np.bool_], log: bool, costs: Sequence[float] = ()) -> Across:
        """Return the axis for a fold; ``usable``, shape (n_features,), is from `FoldJudge.usable_features`.

        ``costs``, length n_features, are 1 by default.
        """
        if horizontal == COST and not len(costs):
            costs = (1.0,) * len(usable)
        n_features = int(usable.sum()) if horizontal == "sparsity ratio" else len(usable)
        return cls(horizontal, n_features, log, tuple(costs))

    def of(self, point: TradeoffRow) -> float:
        """Return a model's position."""
        if self.horizontal == COST:
            return self.cost(point)
        return float(point.kept) if self.horizontal == "features kept" else point.sparsity

    def cost(self, point: TradeoffRow) -> float:
        """Return what a model's features cost together; there have to be costs."""
        return sum(self.costs[j] for j in point.selected)

    def at(self, weights: FloatArray) -> float:
        """Return the position of a model with these weights, all of them on usable features."""
        kept = np.flatnonzero(weights)
        if self.horizontal == COST:
            return sum(self.costs[j] for j in kept)
        return float(len(kept)) if self.horizontal == "features kept" else len(kept) / max(self.n_features, 1)

    def ends(self, places: Sequence[float]) -> tuple[float, float]:
        """Return the range that shows these positions; it starts below one feature on a log axis, else at 0."""
        most = max(places, default=1.0)
        if not self.log:
            return 0.0, 1.04 * most
        if self.horizontal == COST:
            return 0.85 * min((place for place in places if place > 0.0), default=1.0), most * 1.12
        one = 1.0 if self.horizontal == "features kept" else 1.0 / max(self.n_features, 1)
        return 0.85 * one, most * 1.12

    def draw(self, figure: Drawing, ends: tuple[float, float], limit: int | None) -> None:
        """Set title and range, and draw the limit as a vertical line."""
        kept = self.horizontal == "features kept"
        if limit is not None and self.horizontal != COST:
            x = limit if kept else limit / max(self.n_features, 1)
            if x <= ends[1]:
                figure.add_vline(x=x, line={"color": MUTED, "width": 1, "dash": "dot"})
        title = f"features kept (of {self.n_features})" if kept else f"sparsity ratio (of {self.n_features} features)"
        if self.horizontal == COST:
            title = "cost of the kept features, as set in What if"
        figure.update_xaxes(title=title, range=list(ends))
        if self.log:
            steps = range(1, 10) if kept and ends[1] < 10.0 else (1, 2, 5)
            ticks = [m * 10.0**e for e in range(-5, 6) for m in steps if ends[0] <= m * 10.0**e <= ends[1]]
            figure.update_xaxes(
                type="log", range=np.log10(ends).tolist(), tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks]
            )
        elif kept:
            figure.update_xaxes(**count_axis(*ends))


def finish(figure: Drawing, up: str, words: Words) -> Drawing:
    """Set the y axis's title and the common look, with space for the names at the right."""
    figure.update_yaxes(title=up)
    shorter = figure.layout.get("meta", narrow({}))
    drawn = layout(figure, words, height=480)
    drawn.update_layout(meta=drawn.layout["meta"] | shorter)
    names = [len(note["text"]) for note in figure.annotations if note.get("xanchor") == "left" and note["x"] == 1]
    drawn.update_layout(margin_r=min(24 + LETTER * max(names, default=5), WIDEST), hoverdistance=12)
    beside = max((SMALL_LETTER * len(words["text"]) for words in shorter["narrow"]["words"].values()), default=0)
    shorter["narrow"]["layout"]["margin"] = {"r": max(drawn.layout["margin"]["r"], beside)}
    return drawn


BAND = "rgba(128,128,128,0.16)"
Curves = Mapping[str, Sequence[TradeoffRow]]
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
    references: Mapping[str, TradeoffRow] | None = None,
    limit: int | None = None,
    star: TradeoffRow | None = None,
    band: tuple[float, float] | None = None,
    current: TradeoffRow | None = None,
    gap: float = LABEL_GAP,
) -> Drawing:
    """Draw one fold, to be drawn on.

    A line goes through the models that the choosing part picks with at most so many features; its values are those of
    the part drawn, so on other parts it may fall. A point carries its method and C as ``customdata``.

    The ``references`` are drawn as horizontal lines with their labels, the ``limit`` of features as a vertical one. The
    ``star`` is the model that is picked within it, and between the values of the ``band`` nothing is clearly different
    from that; ``current`` is the model that the other pages show. ``gap`` is that of `end_labels`.
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
            name, front = titles[method], pareto_front(points, view.measure, view.across.of)
            picks = [*front, front[-1]]  # on to the right edge, where more features bring nothing better
            figure.add_scatter(
                x=[*(view.across.of(point) for point in front), ends_across[1]],
                y=[point.value(view.part, view.measure) for point in picks],
                mode="lines+markers",
                line={"color": style.colour, "width": 2, "dash": style.dash, "shape": "hv"},
                marker={"size": [*(8 for _ in front), 0], "symbol": style.marker, "color": style.colour},
                name=name,
                customdata=[[point.method, point.c] for point in picks],
                **told(name, [hover(point, view) for point in picks], ", picked with so few features"),
            )
            ends[name] = (front[-1].value(view.part, view.measure), style.colour)
    add_ring(figure, current, view, "the chosen model", around("circle-open", 20, MUTED))
    picked = "picked" if limit is None else f"picked with at most {limit} features"
    add_ring(figure, star, view, picked, STAR_MARK)
    lines = {label: point.value(view.part, view.measure) for label, point in (references or {}).items()}
    heights = [point.value(view.part, view.measure) for point in every]
    reference_lines(figure, lines, *ends_across)
    end_labels(figure, ends, heights, list(lines.values()), gap)
    view.across.draw(figure, ends_across, limit)
    return finish(figure, view.up, words)


def around(symbol: str, size: int, colour: str) -> dict[str, Any]:
    """An open mark around a point."""
    return {"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}}


def add_ring(figure: Drawing, point: TradeoffRow | None, view: View, name: str, marker: dict[str, Any]) -> None:
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


def hover(point: TradeoffRow, view: View) -> str:
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
