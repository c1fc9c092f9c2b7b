"""Trade-off points of methods on all folds of a dataset, as a result that pictures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from core.analysis.features.feature_rules import FeatureRules
from core.analysis.features.rules import Rules
from core.analysis.ingredient import Ingredient
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, Known, PathPlan, fold_judge
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.data import Convention, Dataset
from core.methods import get_method


class KnownResults(Protocol):
    """Results by key, as a cache has them."""

    def __contains__(self, key: object) -> bool:
        """Whether a result is known."""
        ...

    def __getitem__(self, key: object) -> Any:
        """The result of a key."""
        ...


@dataclass(frozen=True)
class FoldCurves:
    """What is known of a fold whose paths are complete.

    Attributes
    ----------
    name : str
        Of dataset and fold, for people.
    curves : mapping
        Points by method; none where the empty model is optimal at every lambda.
    single : tuple of TradeoffPoint
        The best ranking by one feature, for each of the measures.
    """

    name: str
    curves: Mapping[str, Sequence[TradeoffPoint]]
    single: Sequence[TradeoffPoint]


@dataclass(frozen=True, eq=False)
class PathsOverFolds(Ingredient[tuple[FoldCurves, ...]]):
    """Paths of methods on every fold of a dataset.

    Attributes
    ----------
    dataset : Dataset
    methods : mapping
        Parameters by method.
    points : int
        Models a path.
    convention : {"standard", "letor3", "letor4"}
    rules : FeatureRules or None
        For the methods that know rules.
    """

    dataset: Dataset
    methods: Mapping[str, Mapping[str, float | str]]
    points: int
    convention: Convention
    rules: FeatureRules | None = None

    what = "Fitting paths on every fold"

    def work(self) -> FoldPaths:
        """Prepare the paths, fold by fold."""
        names = self.dataset.fold(1).train.feature_names
        return FoldPaths(self._plans(None if self.rules is None else self.rules.of(names)), {}, self.points)

    def result(self, run: FoldPaths) -> tuple[FoldCurves, ...]:
        """The folds that are complete."""
        return complete_curves(self._plans(None), dict(run.found))

    def _plans(self, rules: Rules | None) -> list[FoldPlan]:
        return [
            FoldPlan(
                name=name,
                open=partial(fold_judge, self.dataset, number, self.convention),
                paths=tuple(
                    PathPlan(
                        f"{number} {method}",
                        method,
                        get_method(method).settings(given),
                        rules if get_method(method).separable else None,
                    )
                    for method, given in self.methods.items()
                ),
                single=f"{number} alone",
                keep=False,
            )
            for number, name in enumerate(self.dataset.fold_names, start=1)
        ]


def complete_curves(plans: Sequence[FoldPlan], known: Known | KnownResults) -> tuple[FoldCurves, ...]:
    """Return what is known of each fold whose paths are all complete."""
    return tuple(
        FoldCurves(plan.name, {path.method: known[path.key] for path in plan.paths}, known[plan.single])
        for plan in plans
        if all(key in known for key in plan.keys)
    )
