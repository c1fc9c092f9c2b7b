"""Models cut down to their largest weights, beside models fitted with as few features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.analysis.evaluation import FoldJudge, Metrics
from core.analysis.fold_models import FoldPath, one_fold
from core.analysis.ingredient import Ingredient
from core.analysis.tradeoff.tradeoff import TradeoffPoint, pareto_front, tradeoff_points
from core.analysis.tradeoff.truncation import EVERY_SIZE, SizedModel, is_filter, refits, sizes_to_cut, truncations
from core.figures.tradeoff.truncation import Cut
from core.methods import Fit, get_method
from core.work import Steps

Step = tuple[str, SizedModel]
"""What was done, "cut" or "fitted", and the model."""


@dataclass(frozen=True, eq=False)
class WholeModel:
    """A model that is to be cut down; a filter's is also fitted with other numbers of features.

    Attributes
    ----------
    name : str
        For people.
    fit : Fit
    front : sequence of TradeoffPoint
        The best models of its path with at most so many features.
    usable : int
        How many features are not zero everywhere.
    """

    name: str
    fit: Fit
    front: Sequence[TradeoffPoint]
    usable: int

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


def with_chosen(
    name: str, fit: Fit, whole: Sequence[Cut], cut_down: Callable[[Fit], Sequence[SizedModel]]
) -> list[Cut]:
    """Put the chosen model before the best ones of paths, unless it is empty or is one of them."""
    among = any((one.fit.method, one.fit.c, one.fit.parameters) == (fit.method, fit.c, fit.parameters) for one in whole)
    if among or fit.result.nonzero == 0:
        return list(whole)
    beside = [one.fitted for one in whole if one.fit.method == fit.method and not is_filter(get_method(fit.method))]
    return [Cut(name, fit, cut_down(fit), beside[0] if beside else ()), *whole]


@dataclass(frozen=True, eq=False)
class CutModels(Ingredient[tuple[Cut, ...]]):
    """The best model of every path cut down; filters are also fitted with other numbers of features.

    Attributes
    ----------
    paths : sequence of FoldPath
        Of one fold, each of another method.
    measure : str
        By which the choosing part picks the models.
    """

    paths: Sequence[FoldPath]
    measure: str

    what = "Cutting models down"

    @cached_property
    def judge(self) -> FoldJudge:
        """Measures the models."""
        return FoldJudge(*one_fold(self.paths))

    @cached_property
    def models(self) -> list[WholeModel]:
        """The models that are cut down."""
        found = (WholeModel.best_of(path, self.judge, self.measure) for path in self.paths)
        return [one for one in found if one is not None]

    def work(self) -> Steps[tuple[str, str, SizedModel]]:
        """Prepare the cuts, a model and size each."""
        steps = ((one.name, *step) for one in self.models for step in one.coming(self.judge))
        return Steps(steps, sum(one.total for one in self.models))

    def result(self, run: Steps[tuple[str, str, SizedModel]]) -> tuple[Cut, ...]:
        """The curves of every model."""
        return tuple(one.cut([(kind, at) for name, kind, at in run.found if name == one.name]) for one in self.models)
