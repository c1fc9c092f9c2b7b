"""Grid and axes of a path figure: heights, names, titles, linked ranges, and the numbers along the top."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of, weights_along
from core.figures.look.drawing import note
from core.figures.look.labels import first_of_each
from core.figures.look.style import DECADES, MUTED
from core.names.counted import FEWER_MORE
from core.names.numbers import short

Across = Literal["lambda", "features"]
TOP_WORDS: dict[Across, str] = {"lambda": "features kept", "features": "λ / λ_max"}
# Pixels over a panel: the handle on its upper edge hides neither numbers nor title.
ABOVE_HANDLE, ABOVE_NUMBERS = 26, 44
NUMBERS_ON_TOP: dict[Across, int] = {"lambda": 7, "features": 4}  # a lambda is written wider than a number
FLAT_MEASURE = 0.05  # around a measure that never changes, as on data that is ranked without a fault
FARTHEST = 10.0  # how far beyond the path an axis goes to reach the chosen C, as a factor
AIR = 8  # pixels beneath the figure's title
FOOT = 64  # ticks and axis title
LABELS = 144  # beside each panel
COLUMNS = 2
GUTTER = 0.2  # share of the width between columns, for labels and ticks


@dataclass(frozen=True)
class Block:
    """Heights in a row of panels, in pixels."""

    head: int
    """The panel's title, its top axis and the handle."""
    weights: int
    between: int
    metric: int

    @property
    def height(self) -> int:
        return self.head + self.weights + self.between + self.metric


HIGH = Block(head=62, weights=278, between=22, metric=150)
LOW = Block(head=84, weights=164, between=12, metric=86)
"""Where there are two rows: a laptop's window has room for both."""
STACKED = Block(head=126, weights=220, between=24, metric=100)
"""Where panels stand one under the other on a narrow screen: the handle lies over each head."""


@dataclass(frozen=True)
class Cell:
    """One method's pair of axes, in shares of the plotting area (0 at the left and the bottom)."""

    left: float
    right: float
    weights: tuple[float, float]
    metric: tuple[float, float]
    """Bottom and top."""
    first_in_row: bool
    lowest: bool
    """Whether it shows titles and numbers of its y axes, and of its x axis."""


@dataclass(frozen=True)
class Grid:
    """All cells, the heights in a row of them, that of the whole picture, and that of its title, in pixels."""

    cells: tuple[Cell, ...]
    block: Block
    height: int
    top: int


def path_grid(n: int, top: int, most_columns: int = COLUMNS) -> Grid:
    """Lay out cells for ``n`` methods, row by row, beneath a title of ``top`` pixels."""
    columns = min(n, most_columns)
    rows = -(-n // columns)
    block = HIGH if rows == 1 else STACKED if columns == 1 else LOW
    inner = rows * block.height
    width = (1.0 - (columns - 1) * GUTTER) / columns

    def cell(i: int) -> Cell:
        row, column = divmod(i, columns)
        left = column * (width + GUTTER)
        above = row * block.height + block.head
        metric_top = above + block.weights + block.between
        return Cell(
            left=left,
            right=left + width,
            weights=(1.0 - (above + block.weights) / inner, 1.0 - above / inner),
            metric=(max(1.0 - (metric_top + block.metric) / inner, 0.0), 1.0 - metric_top / inner),
            first_in_row=column == 0,
            lowest=i + columns >= n,
        )

    return Grid(tuple(cell(i) for i in range(n)), block, inner + top + FOOT, top)


@dataclass(frozen=True)
class Axes:
    """Names of a panel's axes: odd numbers belong to weights, even ones to the measure; ``number`` counts from 1."""

    number: int

    @property
    def x(self) -> str:
        return _name("x", 2 * self.number - 1)

    @property
    def y(self) -> str:
        return _name("y", 2 * self.number - 1)

    @property
    def x_metric(self) -> str:
        return _name("x", 2 * self.number)

    @property
    def y_metric(self) -> str:
        return _name("y", 2 * self.number)


def _name(letter: str, number: int) -> str:
    return letter if number == 1 else f"{letter}{number}"


def across(point: PathPoint, view: Across) -> float:
    """Return a model's position on the horizontal axis."""
    return ratio_of(point) if view == "lambda" else float(point.fit.result.nonzero)


def on_axis(value: float, view: Across) -> float:
    """Return a horizontal position for annotations and ranges: its log10 on a log axis."""
    return math.log10(value) if view == "lambda" else value


def axes_layout(cell: Cell, axes: Axes, view: Across, titles: tuple[str, str]) -> dict[str, Any]:
    """Return a panel's two pairs of axes in their cell, linked with those of the first panel, as parts of a layout.

    ``titles`` are those of the vertical axes, from the top.
    """
    shared = {"domain": [cell.left, cell.right], **(DECADES if view == "lambda" else {"type": "linear"})}
    x_title = f"{FEWER_MORE[0]} · λ/λ_max · {FEWER_MORE[1]}" if view == "lambda" else "features kept"
    foot = {"title": {"text": x_title}} if cell.lowest else {"showticklabels": False}

    def vertical(axis: str, first: str, domain: tuple[float, float], anchor: str, title: str) -> dict[str, Any]:
        linked = {} if axis == first else {"matches": first}
        named = {"title": {"text": title}} if cell.first_in_row else {"showticklabels": False}
        return {"domain": domain, "anchor": anchor, "nticks": 6, **linked, **named}

    linked = {} if axes.number == 1 else {"matches": "x"}
    return {
        long_name(axes.x): {**shared, **linked, "anchor": axes.y, "showticklabels": False},
        long_name(axes.y): vertical(axes.y, "y", cell.weights, axes.x, titles[0]),
        long_name(axes.x_metric): {**shared, "matches": "x", "anchor": axes.y_metric, **foot},
        long_name(axes.y_metric): vertical(axes.y_metric, "y2", cell.metric, axes.x_metric, titles[1]),
    }


def stacked_axes(laid: dict[str, Any]) -> dict[str, Any]:
    """Return what the axes of `axes_layout` have otherwise where the same panel stands in another cell."""
    usual = {"title": {"text": ""}, "showticklabels": True}
    return {name: {"domain": axis["domain"]} | {k: axis.get(k, usual[k]) for k in usual} for name, axis in laid.items()}


def long_name(axis: str) -> str:
    """An axis' name in a layout: "x2" is "xaxis2" there."""
    return f"{axis[0]}axis{axis[1:]}"


def numbers_on_top(
    axes: Axes, points: Sequence[PathPoint], view: Across, chosen: float | None = None
) -> list[dict[str, Any]]:
    """Return annotations along the top with the quantity that is not on the horizontal axis: features or lambda.

    The first row names it at the end of the numbers: above a second one there is no room. Beside the line at the
    ``chosen`` place stands no number: the line says its own model's, which may lie between two of the path.
    """
    on = {"yref": f"{axes.y} domain", "yshift": ABOVE_HANDLE}
    over = {"xref": f"{axes.x} domain", "xshift": 4} | on
    title = note(TOP_WORDS[view], 1.0, 1.0, "left bottom", 12, MUTED, **over)
    places = [on_axis(across(point, view), view) for point in points]
    texts = [f"{p.fit.result.nonzero}" if view == "lambda" else short(ratio_of(p)) for p in points]
    shown = first_of_each((places[k], texts[k]) for k in evenly(places, NUMBERS_ON_TOP[view]))
    if chosen is not None and len(places) > 1:
        room, at = (max(places) - min(places)) / (2 * NUMBERS_ON_TOP[view]), on_axis(chosen, view)
        shown = [(place, text) for place, text in shown if abs(place - at) > room]
    numbers = [note(text, place, 1.0, "bottom", 12, MUTED, xref=axes.x, **on) for place, text in shown]
    return [*([title] if axes.number <= COLUMNS else []), *numbers]


def evenly(places: Sequence[float], most: int) -> list[int]:
    """Return indices of at most ``most`` of ``places`` at about even distances, none closer than half of that."""
    low, high = min(places), max(places)
    apart = (high - low) / (most + 1)
    nearest = {int(np.abs(np.asarray(places) - mark).argmin()) for mark in np.linspace(low, high, most + 2)[1:-1]}
    kept: list[int] = []
    for k in sorted(nearest, key=lambda k: places[k]):
        if not kept or places[k] - places[kept[-1]] > apart / 2:
            kept.append(k)
    return kept


def horizontal_range(views: Iterable[Sequence[PathPoint]], view: Across, chosen_ratio: float | None) -> list[float]:
    """Return the range from the empty model on the left to the largest, extended to the chosen C if it is near."""
    places = [across(point, view) for points in views for point in points]
    low, high = min(places), max(places)
    if view == "features":
        return [low - 0.5, high + 0.5]
    if chosen_ratio is not None and low / FARTHEST <= chosen_ratio * 1.001 and chosen_ratio <= high * FARTHEST:
        low, high = min(low, chosen_ratio), max(high, chosen_ratio)
    return [math.log10(high) + 0.02, math.log10(low) - 0.02]


def weight_range(views: Iterable[Sequence[PathPoint]], columns: Sequence[int]) -> list[float]:
    """Return the range of these features' weights (from 0) in all panels, with a margin; −1 to 1 if all are 0.

    Other features may exceed it: in the last models of a path a few weights explode.
    """
    values = np.concatenate([weights_along(points)[:, list(columns)].ravel() for points in views])
    return _with_air(float(values.min(initial=0.0)), float(values.max(initial=0.0)))


def metric_range(views: Iterable[Sequence[PathPoint]], measure: str, also: Iterable[float]) -> list[float]:
    """Return the range of a measure on all parts in all panels, and of reference values, with a margin.

    Models with no or one feature may leave the figure: they would flatten all that follow. Of the others every part
    is seen, and so is the validation part, which chooses.
    """
    drawn = [point for points in views for point in points]
    grown = [point for point in drawn if point.fit.result.nonzero > 1] or drawn
    values = [point.judgement.metrics[part][measure] for point in drawn for part in point.metrics]
    lowest = [point.judgement.metrics[part][measure] for point in grown for part in point.metrics]
    also = list(also)
    return _with_air(min([*lowest, *also]), max([*values, *also]), FLAT_MEASURE)


def _with_air(low: float, high: float, flat: float = 1.0) -> list[float]:
    """Add a margin of a twentieth on both sides, or ``flat`` if both ends are equal."""
    air = 0.05 * (high - low) or flat
    return [low - air, high + air]
