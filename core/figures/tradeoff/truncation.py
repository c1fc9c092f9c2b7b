"""The picture of models cut down to their k largest weights, beside models fitted with k features.

Source: Lai et al. (FSMRank, TNNLS 2013), Figs. 1-3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.analysis.evaluation import FoldJudge, Metrics
from core.analysis.ingredient import Ingredient
from core.analysis.path_views import FoldModel, FoldPath, one_fold
from core.analysis.tradeoff.fold_tradeoff import EVERY_SIZE, SizedModel, is_filter, refits, sizes_to_cut, truncations
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint, pareto_front, tradeoff_points
from core.figures.look.drawing import Drawing
from core.figures.look.labels import told
from core.figures.look.style import method_style
from core.figures.of_paths import OnPart
from core.figures.path.lines import PART_TITLES
from core.figures.picture import Words, aside, option, said
from core.figures.tradeoff.axes import Across, View, end_labels, finish
from core.methods import Fit, get_method
from core.methods.registry import model_title
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
    cut: Sequence[SizedModel]
    """The result of `truncations`; the last is the whole model."""
    fitted: Sequence[tuple[int, Mapping[str, Mapping[str, float]]]] = ()
    """Number of features (ascending), with metrics by part and measure. Empty if none are known."""

    def share(self, k: int, part: str, measure: str) -> float:
        """Return the share of the whole model's quality that the k largest weights keep; 1 if the quality is 0."""
        whole = self.cut[-1].metrics[part][measure]
        return self._at(k).metrics[part][measure] / whole if whole > 0 else 1.0

    def fitted_share(self, k: int, part: str, measure: str) -> float | None:
        """Return the same share for the model fitted with at most k features; None if there is none."""
        whole = self.cut[-1].metrics[part][measure]
        few = [values[part][measure] for size, values in self.fitted if size <= k]
        return few[-1] / whole if few and whole > 0 else None

    def enough(self, part: str, measure: str) -> int:
        """Return the smallest number of largest weights from which on `ENOUGH` of the quality is kept."""
        too_few = [small for small in self.cut if self.share(small.n_features, part, measure) < ENOUGH]
        above = [model.n_features for model in self.cut if not too_few or model.n_features > too_few[-1].n_features]
        return above[0] if above else self.cut[-1].n_features

    def _at(self, k: int) -> SizedModel:
        return [model for model in self.cut if model.n_features <= k][-1]


def truncation_sentence(cut: Cut, part: str, measure: str, limit: int) -> str:
    """Say what quality the largest weights of one model keep, and a model fitted with as few features."""
    n = cut.cut[-1].n_features
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
    heights = [model.metrics[view.part][view.measure] for model in cut.cut]
    words = [_hover(cut, before, model, view) for before, model in pairwise([None, *cut.cut]) if model]
    figure.add_scatter(
        x=[model.n_features for model in cut.cut],
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
    if not cut.fitted:
        return
    style = method_style(cut.fit.method)
    heights = [values[view.part][view.measure] for _, values in cut.fitted]
    words = [f"{size} features: {view.measure} {y:.4f}" for (size, _), y in zip(cut.fitted, heights, strict=True)]
    figure.add_scatter(
        x=[size for size, _ in cut.fitted],
        y=heights,
        mode="lines",
        line={"color": style.colour, "width": 1.4, "dash": "dot", "shape": "hv"},
        opacity=0.8,
        name=f"{cut.name}, fitted",
        **told(cut.name, words, ", fitted with so few"),
    )


def _hover(cut: Cut, before: SizedModel | None, model: SizedModel, view: View) -> str:
    """Write the number, the value, its share of the whole, and the feature added last."""
    new = model.weights if before is None else model.weights * (before.weights == 0.0)
    names = [f"{in_plotly(cut.fit.feature_names[j])} {new[j]:+.3g}" for j in new.nonzero()[0]]
    joined = f"<br>with {names[0]}" if len(names) == 1 else ""
    return (
        f"{model.n_features} of {cut.cut[-1].n_features} weights<br>{PART_TITLES[view.part]} {view.measure} "
        f"{model.metrics[view.part][view.measure]:.4f}, {_percent(cut, model.n_features, view.part, view.measure)} "
        f"of the whole model's{joined}<br>C = {short(cut.fit.c)}"
    )


Step = tuple[str, SizedModel]
"""What was done, "cut" or "fitted", and the model."""


@dataclass(frozen=True, eq=False)
class WholeModel:
    """A model that is to be cut down; a filter's is also fitted with other numbers of features."""

    name: str
    """For people."""
    fit: Fit
    front: Sequence[TradeoffPoint]
    """The best models of its path with at most so many features."""
    usable: int
    """How many features are not zero everywhere."""

    @classmethod
    def best_of(cls, path: FoldPath, judge: FoldJudge, measure: str) -> WholeModel | None:
        """Return the model of a path that the choosing part picks; None where none keeps a feature."""
        usable = judge.usable_features
        front = pareto_front(tradeoff_points(path.points, usable), measure)
        if not front:
            return None
        fit = next(point.fit for point in path.points if point.fit.c == front[-1].c)
        return cls(get_method(fit.method).title, fit, front, int(usable.sum()))

    @property
    def filters(self) -> bool:
        """Whether its method chooses features first."""
        return is_filter(get_method(self.fit.method))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of features to fit."""
        return sizes_to_cut(min(self.usable, EVERY_SIZE)) if self.filters else ()

    def coming(self, judge: FoldJudge) -> Iterator[Step]:
        """Everything that takes time, step by step."""
        yield from (("cut", model) for model in truncations(self.fit.weights, judge))
        if self.filters:
            method = get_method(self.fit.method)
            training = method.training(judge.fold.train, self.fit.parameters, judge.convention)
            yield from (("fitted", model) for model in refits(self.fit, training, judge, self.sizes))

    @property
    def total(self) -> int:
        """How many steps that are."""
        return len(sizes_to_cut(self.fit.result.nonzero)) + len(self.sizes)

    def cut(self, found: Sequence[Step]) -> Cut:
        """The curves that all steps have come to; the fitted models are those of the path, but of a filter its own."""
        fitted: list[tuple[int, Metrics]] = [
            (model.n_features, model.metrics) for kind, model in found if kind != "cut"
        ]
        if not self.filters:
            fitted = [(p.kept, {part: dict(values) for part, values in p.values.items()}) for p in self.front]
        return Cut(self.name, self.fit, [model for kind, model in found if kind == "cut"], fitted)


@dataclass(frozen=True, eq=False)
class CutModels(Ingredient[tuple[Cut, ...]]):
    """The best model of every path cut down; filters are also fitted with other numbers of features."""

    paths: Sequence[FoldPath]
    """Of one fold, each of another method."""
    measure: str
    """By which the choosing part picks the models."""

    what = "Cutting models down"

    @cached_property
    def judge(self) -> FoldJudge:
        return FoldJudge(*one_fold(self.paths))

    @cached_property
    def models(self) -> list[WholeModel]:
        found = (WholeModel.best_of(path, self.judge, self.measure) for path in self.paths)
        return [one for one in found if one is not None]

    def work(self) -> Steps[tuple[str, str, SizedModel]]:
        """Prepare the cuts, a model and size each."""
        steps = ((one.name, *step) for one in self.models for step in one.coming(self.judge))
        return Steps(steps, sum(one.total for one in self.models))

    def result(self, run: Steps[tuple[str, str, SizedModel]]) -> tuple[Cut, ...]:
        """The curves of every model."""
        return tuple(one.cut([(kind, at) for name, kind, at in run.found if name == one.name]) for one in self.models)


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
    model: FoldModel | None = option(None)
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
        title, small = f"the chosen {model_title(method, fit.parameters)}", list(truncations(fit.weights, self.judge))
        return [Cut(title, fit, small, fitted[0] if fitted else ()), *cuts]

    def rows(self, found: Sequence[Cut]) -> pd.DataFrame:
        rows = []
        for cut in found:
            for kind, models in (("cut down", [(m.n_features, m.metrics) for m in cut.cut]), ("fitted", cut.fitted)):
                for size, metrics in models:
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
        counts = [model.n_features for cut in found for model in cut.cut]
        counts += [size for cut in found for size, _ in cut.fitted]
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
