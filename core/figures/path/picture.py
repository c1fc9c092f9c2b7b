"""The picture of the Path page: weights and a measure as lambda falls, one panel a penalty."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.ingredient import Ingredient
from core.analysis.path import PathPoint
from core.analysis.path_views import by_size, most_important, ratio_of
from core.analysis.tradeoff.best_single_feature import SingleFeatureReference, best_single_feature
from core.analysis.tuning.tuning import told_by_validation
from core.figures.drag.drag import Drag, Hand
from core.figures.look.colours import MOST_COLOURED
from core.figures.look.drawing import Part, assembled
from core.figures.look.labels import at_the_end, count_axis, narrow
from core.figures.look.style import AXIS, counting, layout_parts, title_height
from core.figures.path.axes import (
    AIR,
    COLUMNS,
    FOOT,
    LABELS,
    TOP_WORDS,
    Across,
    Axes,
    across,
    axes_layout,
    horizontal_range,
    metric_range,
    numbers_on_top,
    path_grid,
    stacked_axes,
    weight_range,
)
from core.figures.path.lines import click_data, metric_lines, path_drag, weight_lines
from core.figures.path.path import (
    PLOT,
    UNFINISHED,
    PathPanel,
    Reference,
    best_words,
    part_labels,
    point_title,
    weight_labels,
)
from core.figures.picture import Picture, Words, aside, option, said
from core.methods import get_method
from core.methods.refit import REFIT
from core.metrics import Measure
from core.models import ModelPath, one_fold
from core.names.short import short_names
from core.penalties import Parameter


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths beside each other."""

    panels: Sequence[PathPanel]
    """With the best model on the validation part, where that can tell."""
    coloured: Sequence[int]
    """Columns (from 0) of the features with lines of their own."""
    reference: Reference
    """The best single feature, on the part that says most about new queries."""


@dataclass(frozen=True, eq=False)
class PathsPicture(Picture[Paths]):
    """Draw regularization paths side by side: weights, and a measure beneath them. The table has a row a model.

    Parameters
    ----------
    drawn : sequence of ModelPath
        Of one fold.
    measure : str
        The one that is drawn; the dashed line is where the validation part has its best value, if it can tell.
    measures : sequence of str
        Those of the table.
    across : {"lambda", "features"}
    ratio : float, optional
        lambda / lambda_max at which a line is drawn.

    Raises
    ------
    ValueError
        If there is no path, they are not of one fold, or there is no such measure.
    """

    drawn: Sequence[ModelPath]
    _: KW_ONLY
    measure: str = option("MAP")
    measures: Sequence[str] = option(("MAP", "NDCG@10"))
    across: Across = option(
        "lambda",
        "Across",
        "λ/λ_max: the strength λ of the penalty as a share of the lowest one that keeps no feature; it falls from left "
        "to right. Or the number of features, with one model for each number: the least shrunk.",
        titles={"lambda": "by penalty λ", "features": "by features"},
        looks=True,
        key="path_over",
    )
    ratio: float | None = option(None, looks=True)
    hint: str = aside("")
    sampled: str = aside("")
    chosen: Sequence[PathPoint] = aside(())
    complete: bool = aside(True)
    lead: int = aside(0)
    same: str = aside("")

    name, chart = "paths", "path"

    def check(self) -> None:
        super().check()
        one_fold(self.drawn)
        Measure.parse(self.measure)

    def subject(self) -> str:
        return f"Regularization paths of {', '.join(get_method(path.method).title for path in self.drawn)}"

    def needs(self) -> dict[str, Ingredient[Any]]:
        fold, convention = one_fold(self.drawn)
        return {"single": best_single_feature.of(fold, convention, self.measure)}

    def result(self, needed: Mapping[str, Any]) -> Paths:
        panels = [
            PathPanel(_method_words(path.points[0]), path.points, told_by_validation(path.points, self.measure))
            for path in self.drawn
        ]
        single: SingleFeatureReference = needed["single"]
        part = next(part for part in ("test", "vali", "train") if part in single.values)
        order = ", ascending" if single.reverse else ""
        (label,) = short_names([*self.drawn[0].points[0].fit.feature_names], [single.index - 1])
        reference = Reference(f"best single feature, by training: {label}{order}", single.values[part])
        return Paths(panels, most_important([path.points for path in self.drawn], MOST_COLOURED), reference)

    def panels(self, found: Paths) -> list[PathPanel]:
        """The panels with the models that the page has at the chosen C; without the best ones of unfinished paths."""
        ratio = self.ratio
        chosen: Sequence[PathPoint | None] = self.chosen or [
            None if ratio is None else min(panel.points, key=lambda point: abs(ratio_of(point) / ratio - 1.0))
            for panel in found.panels
        ]
        return [
            replace(panel, chosen=at, best=panel.best if self.complete else None)
            for panel, at in zip(found.panels, chosen, strict=True)
        ]

    def rows(self, found: Paths) -> pd.DataFrame:
        rows: list[Mapping[str, object]] = []
        for point in (point for panel in found.panels for point in panel.points):
            fit = point.fit
            measured = {f"{m}, {part}": v[m] for part, v in point.metrics.items() for m in self.measures}
            weights = {fit.feature_names[j]: fit.weights[j] for j in fit.selected}
            of = {"penalty": fit.method, "C": fit.c, "λ/λ_max": ratio_of(point), "features": fit.result.nonzero}
            rows.append(of | measured | weights)
        return pd.DataFrame(rows)

    def words(self, found: Paths) -> Words:
        panels = self.panels(found)
        title = best_words(panels, self.measure) if self.complete else UNFINISHED
        solid = "" if self.ratio is None else "solid: the chosen C"
        dashed = "dashed: validation, and where it is best" if any(panel.best for panel in panels) else ""
        titles = ", ".join(panel.title for panel in panels)
        alt = f"Regularization paths of {titles}, and {self.measure} beneath them."
        return Words(title, said(self.where_words, self.sampled, solid, dashed, self.hint), alt)

    def drawing(self, found: Paths, words: Words) -> go.Figure:
        """Draw penalties side by side, with the model growing to the right."""
        panels, coloured, measure, view = self.panels(found), found.coloured, self.measure, self.across
        chosen_ratio, reference = self.ratio, found.reference
        parts = layout_parts(words, 0)
        grid = path_grid(len(panels), title_height(parts) + AIR)
        stacked = path_grid(len(panels), title_height(parts) + AIR, 1)
        shorter: Part = {TOP_WORDS[view]: ""}
        below: Part = {"height": stacked.height}
        views = [by_size(panel.points) if view == "features" else panel.points for panel in panels]
        reach = horizontal_range(views, view, chosen_ratio)
        weights_span = weight_range(views, coloured)
        metric_span = metric_range(views, measure, [reference.value])
        traces: list[Part] = []
        notes: list[Part] = []
        lines: list[Part] = []
        laid: Part = {}
        weight = "weight"
        measured = measure if len(panels) > COLUMNS else f"{measure} ({counting(self.drawn[0].convention)})"
        for number, (panel, points, cell) in enumerate(zip(panels, views, grid.cells, strict=True), start=1):
            axes = Axes(number)
            laid |= axes_layout(cell, axes, view, (weight, measured))
            narrower = axes_layout(stacked.cells[number - 1], axes, view, (weight, measure))
            below |= stacked_axes(narrower)
            upper = numbers_on_top(axes, points, view, chosen_ratio if view == "lambda" else None)
            notes += [panel.heading(axes), *upper]
            # There is no room for so many digits.
            shorter |= {number["text"]: "" for number in upper if view == "features"}
            traces += weight_lines(points, coloured, view, axes)
            measures = metric_lines(points, measure, [across(point, view) for point in points])
            on = {"mode": "lines", "customdata": click_data(points), "xaxis": axes.x_metric, "yaxis": axes.y_metric}
            traces += [line | on for line in measures]
            notes += weight_labels(axes, points, coloured, weights_span, grid.block.weights)
            notes += part_labels(axes, points, measure, metric_span, panel.colour, grid.block.metric)
            lines.append(reference.line(axes))
            notes += [reference.label(axes, metric_span)] if number == 1 else []
            shorter[reference.text] = at_the_end("best alone")
            places = panel.places(view, chosen_ratio)
            lines += panel.lines(axes, places)
            if "solid" in places:
                notes.append(panel.label(axes, view, reach, PLOT * (cell.right - cell.left), places))
            shorter |= {panel.line_words(dash): "" for dash in places}  # the handle says it
        laid["yaxis"]["range"], laid["yaxis2"]["range"] = weights_span, metric_span
        along = {"range": reach, "autorange": False} | (count_axis(*reach) if view == "features" else {})
        for name, axis in laid.items():
            axis |= AXIS | (along if name.startswith("x") else {})
        common = {
            "margin": {"l": 64, "r": LABELS, "t": grid.top, "b": FOOT},
            "uirevision": self._same_view,
            "hoverdistance": 12,
            "annotations": notes,
            "shapes": lines,
            "meta": parts["meta"] | narrow(shorter, below),
        }
        return assembled(traces, parts | {"height": grid.height} | common | laid)

    @property
    def _same_view(self) -> str:
        """The same as long as the axes show the same: a zoom stays, and the handle of C."""
        return f"{[getattr(self, name) for name in self.controls()]} {self.measure} {self.same}"

    def without_choice(self) -> PathsPicture:
        return replace(self, ratio=None, chosen=())

    def moves(self, found: Paths, hand: Hand, beside: Sequence[Hand] = ()) -> Drag:
        hands = [*beside[: self.lead], hand, *beside[self.lead :]]
        names = self.drawn[self.lead].points[0].fit.feature_names
        return path_drag(hands, found.coloured, self.measure, self.across, self._same_view, lead=self.lead, names=names)


def _method_words(point: PathPoint) -> str:
    """The method with the parameters that matter."""
    settings = dict(point.fit.parameters)
    shown = [
        parameter
        for parameter in get_method(point.fit.method).parameters
        if settings[parameter.name] and parameter is not REFIT and parameter.matters(settings)
    ]
    return ", ".join([point_title(point), *(f"{_with_word(one)} = {one.text(settings[one.name])}" for one in shown)])


def _with_word(parameter: Parameter) -> str:
    """A letter of the papers with its word, "knee γλ", unless the word only spells the letter."""
    word = parameter.name.replace("_", " ")
    spelled = unicodedata.name(parameter.symbol[0], "").endswith(word.upper())
    return parameter.symbol if spelled or word in parameter.symbol else f"{word} {parameter.symbol}"
