"""The picture of models cut down to their k largest weights, beside models fitted with k features.

Source: Lai et al. (FSMRank, TNNLS 2013), Figs. 1-3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.evaluation import FoldJudge, Metrics
from core.analysis.ingredient import Ingredient
from core.analysis.tradeoff.fold_tradeoff import EVERY_SIZE, SizeCurve, is_filter, refits, sizes_to_cut, truncations
from core.analysis.tradeoff.tradeoff import MEASURES, pareto_front, tradeoff_points
from core.figures.look.drawing import Drawing
from core.figures.look.labels import told
from core.figures.look.style import method_style
from core.figures.of_paths import OnPart
from core.figures.path.lines import PART_TITLES
from core.figures.picture import Words, aside, option, said
from core.figures.tradeoff.axes import Across, View, end_labels, finish
from core.methods import Fit, get_method
from core.methods.registry import model_title
from core.models import Model, ModelPath, one_fold
from core.names.numbers import short
from core.names.plain import in_plotly
from core.work import Steps

ENOUGH = 0.95
"""Share of the whole model's quality that counts as enough, if no number of features is asked for."""


@dataclass(frozen=True, eq=False)
class Cut:
    """A model cut to its largest weights, with its method's models fitted with as few features."""

    name: str
    """Name for people: the method and, if two models are of one method, which one."""
    fit: Fit
    """The whole model, which keeps at least one feature."""
    cut: SizeCurve
    """Of the k largest weights; the largest is the whole model."""
    fitted: SizeCurve
    """Of the models fitted with as few; empty if none are known."""

    def share(self, k: int, part: str, measure: str) -> float:
        """Return the share of the whole model's quality that the k largest weights keep; 1 if the quality is 0."""
        share = self._of_whole(self.cut, k, part, measure)
        return 1.0 if share is None else share

    def fitted_share(self, k: int, part: str, measure: str) -> float | None:
        """Return the same share for the model fitted with at most k features; None if there is none."""
        return self._of_whole(self.fitted, k, part, measure)

    def _of_whole(self, curve: SizeCurve, k: int, part: str, measure: str) -> float | None:
        whole, value = self.cut.values[self.cut.largest][part][measure], curve.at(k, part, measure)
        return value / whole if value is not None and whole > 0 else None

    def enough(self, part: str, measure: str) -> int:
        """Return the smallest number of largest weights from which on `ENOUGH` of the quality is kept."""
        too_few = max((k for k in self.cut.values if self.share(k, part, measure) < ENOUGH), default=0)
        return next((k for k in self.cut.values if k > too_few), self.cut.largest)


def truncation_sentence(cut: Cut, part: str, measure: str, limit: int) -> str:
    """Say what quality the largest weights of one model keep, and a model fitted with as few features."""
    n = cut.cut.largest
    value = f"{PART_TITLES[part]} {measure}"
    if n == 1:
        return _sentence(f"{cut.name} has one weight: there is nothing to cut")
    k = limit if limit < n else cut.enough(part, measure)
    if k == n:
        return _sentence(
            f"{cut.name} needs all of its {n} weights: without the smallest, {value} falls below {100 * ENOUGH:g} %"
        )
    weights = "The largest" if k == 1 else f"The {k} largest"
    sentence = f"{weights} of {cut.name}'s {n} weights keep{'s' if k == 1 else ''} {_percent(cut, k, part, measure)}"
    fitted = cut.fitted_share(k, part, measure)
    beside = "" if fitted is None else f", a model fitted with as few {100 * fitted:.1f} %"
    return f"{sentence} of {value}{beside}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _percent(cut: Cut, k: int, part: str, measure: str) -> str:
    return f"{100 * cut.share(k, part, measure):.1f} %"


def add_cut(figure: Drawing, cut: Cut, view: View, opacity: float) -> list[float]:
    """Draw a model's largest weights as a solid line, and return its heights."""
    style = method_style(cut.fit.method)
    heights = [values[view.part][view.measure] for values in cut.cut.values.values()]
    words = [_hover(cut, before, k, view) for before, k in pairwise([0, *cut.cut.values])]
    figure.add_scatter(
        x=list(cut.cut.values),
        y=heights,
        mode="lines+markers",
        line={"color": style.colour, "width": 2.0},
        marker={"size": 7, "symbol": style.marker, "color": style.colour},
        opacity=opacity,
        name=f"{cut.name}, cut",
        **told(cut.name, words, ", cut down"),
    )
    return heights


def add_fitted(figure: Drawing, cut: Cut, view: View) -> None:
    """Draw the models fitted with at most so many features as dotted steps."""
    if not cut.fitted.values:
        return
    style = method_style(cut.fit.method)
    heights = [values[view.part][view.measure] for values in cut.fitted.values.values()]
    words = [f"{k} features: {view.measure} {y:.4f}" for k, y in zip(cut.fitted.values, heights, strict=True)]
    figure.add_scatter(
        x=list(cut.fitted.values),
        y=heights,
        mode="lines",
        line={"color": style.colour, "width": 1.4, "dash": "dot", "shape": "hv"},
        opacity=0.8,
        name=f"{cut.name}, fitted",
        **told(cut.name, words, ", fitted with so few"),
    )


def _hover(cut: Cut, before: int, k: int, view: View) -> str:
    """Write the number, the value, its share of the whole, and the feature added last."""
    fit, last = cut.fit, cut.fit.selected[k - 1]
    joined = f"<br>with {in_plotly(fit.feature_names[last])} {fit.weights[last]:+.3g}" if k == before + 1 else ""
    return (
        f"{k} of {cut.cut.largest} weights<br>{PART_TITLES[view.part]} {view.measure} "
        f"{cut.cut.values[k][view.part][view.measure]:.4f}, {_percent(cut, k, view.part, view.measure)} "
        f"of the whole model's{joined}<br>C = {short(fit.c)}"
    )


Step = tuple[str, str, int, Metrics]
"""The name of the whole model, what was done, "cut" or "fitted", and the number of features with their metrics."""


@dataclass(frozen=True, eq=False)
class CutModels(Ingredient[tuple[Cut, ...]]):
    """The best model of every path cut down; filters are also fitted with other numbers of features."""

    paths: Sequence[ModelPath]
    """Of one fold, each of another method."""
    measure: str
    """By which the choosing part picks the models."""

    what = "Cutting models down"

    @cached_property
    def judge(self) -> FoldJudge:
        return FoldJudge(*one_fold(self.paths))

    @cached_property
    def whole(self) -> list[Cut]:
        """The best model of every path, uncut; fitted with fewer features are those of its path, if it is no filter."""
        found = []
        for path in self.paths:
            front = pareto_front(tradeoff_points(path.points, self.judge.usable_features), self.measure)
            if front:
                fit, method = next(p.fit for p in path.points if p.fit.c == front[-1].c), get_method(path.method)
                fitted = {} if is_filter(method) else {point.kept: point.values for point in front}
                found.append(Cut(method.title, fit, SizeCurve({}), SizeCurve(fitted)))
        return found

    def _sizes(self, fit: Fit) -> tuple[int, ...]:
        """Numbers of features to fit a filter with."""
        usable = int(self.judge.usable_features.sum())
        return sizes_to_cut(min(usable, EVERY_SIZE)) if is_filter(get_method(fit.method)) else ()

    def work(self) -> Steps[Step]:
        """Prepare the cuts, a model and size each."""
        fits = [one.fit for one in self.whole]
        return Steps(self._steps(), sum(len(sizes_to_cut(f.result.nonzero)) + len(self._sizes(f)) for f in fits))

    def _steps(self) -> Iterator[Step]:
        for one in self.whole:
            models = {"cut": truncations(one.fit.weights)}
            if sizes := self._sizes(one.fit):
                fold, method = self.judge.fold, get_method(one.fit.method)
                training = method.training(fold.train, one.fit.parameters, self.judge.convention)
                models["fitted"] = refits(one.fit, training, sizes)
            for kind, sized in models.items():
                yield from ((one.name, kind, k, self.judge.metrics(weights)) for k, weights in sized)

    def result(self, run: Steps[Step]) -> tuple[Cut, ...]:
        """The curves of every model."""

        def curve(of: Cut, done: str) -> SizeCurve:
            return SizeCurve({k: metrics for name, kind, k, metrics in run.found if (name, kind) == (of.name, done)})

        return tuple(
            replace(one, cut=curve(one, "cut"), fitted=curve(one, "fitted") if self._sizes(one.fit) else one.fitted)
            for one in self.whole
        )


@dataclass(frozen=True, eq=False)
class Truncation(OnPart[Sequence[Cut]]):
    """Draw what the k largest weights of each path's best model are worth, beside models fitted with k features.

    The table has a row a model and number of features.

    Parameters
    ----------
    paths : sequence of ModelPath
        Of one fold, each of another method.
    model : Model, optional
        Of the same fold; cut down, too, unless it is empty or the best of its path.
    measure : {"MAP", "NDCG@10", "Top"}
        By which the validation part chooses the best model, in expectation over the orders of tied documents.
    part : {"train", "vali", "test"}, optional
        The part that is drawn; by default the last that the fold has.
    limit : int, optional
        A number of features, which is marked.

    Raises
    ------
    ValueError
        If there is no path, or they are not of one fold.
    """

    _: KW_ONLY
    model: Model | None = option(None)
    limit: int | None = option(None, looks=True)
    log_across: bool = aside(True)

    name = "truncation"
    topic = "Largest weights of {0.names}"

    def needs(self) -> dict[str, CutModels]:
        return {"cuts": CutModels(self.paths, self.measure)}

    def result(self, needed: Mapping[str, Any]) -> Sequence[Cut]:
        """The chosen model, unless it is empty or is one of the best ones of paths, and these."""
        cuts: Sequence[Cut] = needed["cuts"]
        fit = None if self.model is None else self.model.fit
        known = [(one.fit.method, one.fit.c, one.fit.parameters) for one in cuts]
        if fit is None or fit.result.nonzero == 0 or (fit.method, fit.c, fit.parameters) in known:
            return cuts
        method = get_method(fit.method)
        fitted = [one.fitted for one in cuts if one.fit.method == fit.method and not is_filter(method)]
        small = SizeCurve({k: self.judge.metrics(weights) for k, weights in truncations(fit.weights)})
        title = f"the chosen {model_title(method, fit.parameters)}"
        return [Cut(title, fit, small, fitted[0] if fitted else SizeCurve({})), *cuts]

    def rows(self, found: Sequence[Cut]) -> pd.DataFrame:
        rows = []
        for cut in found:
            for kind, curve in (("cut down", cut.cut), ("fitted", cut.fitted)):
                for size, metrics in curve.values.items():
                    row: dict[str, object] = {"model": cut.name, "C": cut.fit.c, "kind": kind, "features": size}
                    rows.append(row | {f"{m} {part}": metrics[part][m] for m in MEASURES for part in metrics})
        return pd.DataFrame(rows)

    @property
    def view(self) -> View:
        across = Across("features kept", self.fold.train.n_features, self.log_across)
        return View(self.shown_part, self.measure, across, self.convention)

    def words(self, found: Sequence[Cut]) -> Words:
        if not found:
            return Words("No model keeps a feature", self.where, "No model keeps a feature.")
        every = len(self.fold.train.feature_names)
        title = truncation_sentence(found[0], self.shown_part, self.measure, self.limit or every)
        subtitle = said(self.where_words, "solid: cut down, dotted: fitted with so few")
        return Words(title, subtitle, f"{title}. {self.view.up} against the number of weights kept.")

    def drawing(self, found: Sequence[Cut], words: Words) -> go.Figure:
        """Draw solid lines for the k largest weights of a model, dotted steps for models fitted with so few."""
        view = self.view
        figure = Drawing()
        counts = [size for cut in found for curve in (cut.cut, cut.fitted) for size in curve.values]
        ends_across = view.across.ends(list(map(float, counts)))
        ends, heights = {}, []
        for number, cut in enumerate(found):
            first = all(cut.fit.method != before.fit.method for before in found[:number])
            if first:
                add_fitted(figure, cut, view)
            heights += add_cut(figure, cut, view, opacity=1.0 if first else 0.55)
            ends[cut.name] = (heights[-1], method_style(cut.fit.method).colour)
        end_labels(figure, ends, heights)
        view.across.draw(figure, ends_across, self.limit)
        return finish(figure, view.up, words).figure()
