"""Paths of many methods on many folds as work in steps of one model, and the curves of the folds that are complete."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from core.analysis.evaluation import FoldJudge
from core.analysis.features.feature_rules import FeatureRules
from core.analysis.features.rules import Rules
from core.analysis.ingredient import Ingredient
from core.analysis.path import path_grid, regularization_path
from core.analysis.stored_paths import KeptPaths, path_key
from core.analysis.tradeoff.tradeoff import TradeoffRow, best_single_features, tradeoff_points
from core.data import Convention, DataError, Dataset
from core.methods import EmptyOptimumError, Method, Training, get_method
from core.work import KeyedWork

Known = MutableMapping[str, tuple[TradeoffRow, ...]]


@dataclass(frozen=True)
class PathPlan:
    """One path wanted: where it is kept, and what it is of; ``rules`` are those for features, if there are any."""

    key: str
    method: str
    parameters: Mapping[str, float]
    rules: Rules | None = None


@dataclass(frozen=True, eq=False)
class FoldPlan:
    """What is wanted of one fold.

    Attributes
    ----------
    name : str
        For people: dataset and fold.
    open : callable
        Reads the fold; called only if something of it is not known yet. May raise `DataError`.
    single : str
        Where the best single features are kept.
    keep : bool
        Whether finished paths may be kept on the disk.
    """

    name: str
    open: Callable[[], FoldJudge]
    paths: tuple[PathPlan, ...]
    single: str
    keep: bool = True

    @property
    def keys(self) -> tuple[str, ...]:
        """Where everything wanted is kept."""
        return (self.single, *(path.key for path in self.paths))


def fold_judge(dataset: Dataset, number: int, convention: Convention) -> FoldJudge:
    """Read a fold, counted from 1, to measure models on it.

    Raises a `DataError` if its files cannot be used.
    """
    return FoldJudge(dataset.fold(number), convention)


def paths_of_folds(plans: Sequence[FoldPlan], known: Collection[str], points: int) -> FoldPaths:
    """Prepare the paths of which results are not known by these keys; finished ones are kept as the plans say."""
    return FoldPaths(plans, dict.fromkeys(known, ()), points, KeptPaths())


class FoldPaths(KeyedWork[tuple[TradeoffRow, ...]]):
    """Fits all paths that are planned. A complete one goes into ``known`` at once and is never worked out again.

    Parameters
    ----------
    known : mutable mapping
        Results by key, shared with others.
    points : int
        Models a path, at values of lambda evenly spaced in log over each method's own range.
    kept : KeptPaths, optional
        Where finished paths outlast this process, of the folds whose paths may be kept.

    Notes
    -----
    Parts and problems go by the name of the fold. A method whose empty model is optimal at every lambda has a path
    without points.
    """

    only_at_work = (*KeyedWork.only_at_work, "_kept", "_plans")

    def __init__(self, plans: Sequence[FoldPlan], known: Known, points: int, kept: KeptPaths | None = None) -> None:
        super().__init__(known)
        self._plans = plans
        self._fitted = 0
        self._points = points
        self._kept = kept
        self._total = sum(self._wanted(plan) for plan in plans)

    @property
    def total(self) -> int:
        """How many models there are to fit, without those of folds that are left out."""
        return self._total

    @property
    def count(self) -> int:
        """How many have been fitted."""
        return self._fitted

    def _wanted(self, plan: FoldPlan) -> int:
        return self._points * sum(path.key not in self._known for path in plan.paths)

    def _steps(self) -> Iterator[str]:
        for plan in self._plans:
            if all(key in self._known for key in plan.keys):
                continue
            self.now = plan.name
            before, wanted = self._fitted, self._wanted(plan)
            try:
                yield from self._fold(plan)
            except DataError as error:
                self.problems[plan.name] = str(error)
                self._total -= wanted - (self._fitted - before)

    def _fold(self, plan: FoldPlan) -> Iterator[str]:
        judge = plan.open()
        if plan.single not in self._known:
            self._keep(plan.single, best_single_features(judge.fold, judge.convention))
            yield plan.single
        trainings: dict[object, Training] = {}
        for path in plan.paths:
            if path.key in self._known:
                continue
            plain = get_method(path.method)
            method = plain if path.rules is None else path.rules.applied(plain)
            key = method.training_key(path.parameters)
            if key not in trainings:
                trainings[key] = method.training(judge.fold.train, path.parameters, judge.convention)
            yield from self._path(judge, method, trainings[key], path, self._kept if plan.keep else None)

    def _path(
        self, judge: FoldJudge, method: Method, training: Training, plan: PathPlan, kept: KeptPaths | None
    ) -> Iterator[str]:
        """Fit one path, or take it from those that outlast a process."""
        key = path_key(judge.fold, judge.convention, method, plan.parameters, points=self._points, rules=plan.rules)
        found = kept.get(key, training.data.feature_names) if kept else None
        if found is not None:
            self._fitted += self._points
            yield plan.key
        else:
            try:
                lams = path_grid(method, training, self._points)
            except EmptyOptimumError:
                self._keep(plan.key, ())
                self._fitted += self._points  # each of them is the empty model
                yield plan.key
                return
            found = []
            for point in regularization_path(method, training, lams, judge, parameters=plan.parameters):
                found.append(point)
                self._fitted += 1
                yield plan.key
            if kept:
                kept.put(key, found)
        self._keep(plan.key, tradeoff_points(found, judge.usable_features))


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
    single : tuple of TradeoffRow
        The best ranking by one feature, for each of the measures.
    """

    name: str
    curves: Mapping[str, Sequence[TradeoffRow]]
    single: Sequence[TradeoffRow]


@dataclass(frozen=True, eq=False)
class PathsOverFolds(Ingredient[tuple[FoldCurves, ...]]):
    """Paths of methods on every fold of a dataset.

    Attributes
    ----------
    methods : mapping
        Parameters by method.
    points : int
        Models a path.
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
