"""Paths of many methods on many folds, one model after the other: take the next or don't."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.tradeoff.tradeoff import TradeoffPoint, best_single_features, tradeoff_points
from core.data import DataError
from core.methods import EmptyOptimumError, Training, get_method

Known = MutableMapping[str, tuple[TradeoffPoint, ...]]


@dataclass(frozen=True)
class PathPlan:
    """One path wanted: where it is kept, and what it is of."""

    key: str
    method: str
    parameters: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class FoldPlan:
    """What is wanted of one fold.

    Attributes
    ----------
    name : str
        For people: dataset and fold.
    open : callable
        Reads the fold; called only if something of it is not known yet. May raise `DataError`.
    paths : tuple of PathPlan
    single : str
        Where the best single features are kept.
    """

    name: str
    open: Callable[[], FoldJudge]
    paths: tuple[PathPlan, ...]
    single: str

    @property
    def keys(self) -> tuple[str, ...]:
        """Where everything wanted is kept."""
        return (self.single, *(path.key for path in self.paths))


class FoldPaths:
    """Work in steps of one model. Whatever is complete goes into ``known`` at once and is never worked out again.

    Parameters
    ----------
    plans : sequence of FoldPlan
    known : mutable mapping
        Results by key, shared with others.
    points : int
        Models a path, at values of lambda evenly spaced in log over each method's own range.

    Attributes
    ----------
    problems : dict of str to str
        By name of the fold: why it could not be used.

    Notes
    -----
    A method whose empty model is optimal at every lambda has a path, of no points.
    """

    def __init__(self, plans: Sequence[FoldPlan], known: Known, points: int) -> None:
        self.plans = tuple(plans)
        self.problems: dict[str, str] = {}
        self.done = False
        self.now = ""
        self.fitted = 0
        self.seconds = 0.0
        self._known = known
        self._points = points
        self._total = sum(self._wanted(plan) for plan in plans)
        self._coming = self._steps()

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return 1.0 if self.done else min(self.fitted / max(self._total, 1), 1.0)

    @property
    def seconds_left(self) -> float | None:
        """A guess from the pace so far; None before there is one."""
        return self.seconds / self.fitted * (self._total - self.fitted) if self.fitted else None

    @property
    def total(self) -> int:
        """How many models there are to fit."""
        return self._total

    @property
    def folds_done(self) -> int:
        """How many folds are complete, or cannot be used."""
        return sum(plan.name in self.problems or all(key in self._known for key in plan.keys) for plan in self.plans)

    def advance(self) -> None:
        """Fit one model."""
        begun = time.perf_counter()
        self.done = next(self._coming, None) is None
        self.seconds += time.perf_counter() - begun

    def extend(self) -> None:
        """There is no limit to raise."""

    def _wanted(self, plan: FoldPlan) -> int:
        return self._points * sum(path.key not in self._known for path in plan.paths)

    def _steps(self) -> Iterator[str]:
        for plan in self.plans:
            if all(key in self._known for key in plan.keys):
                continue
            self.now = plan.name
            before, wanted = self.fitted, self._wanted(plan)
            try:
                yield from self._fold(plan)
            except DataError as error:
                self.problems[plan.name] = str(error)
                self._total -= wanted - (self.fitted - before)

    def _fold(self, plan: FoldPlan) -> Iterator[str]:
        judge = plan.open()
        if plan.single not in self._known:
            self._known[plan.single] = best_single_features(judge)
            yield plan.single
        trainings: dict[object, Training] = {}
        for path in plan.paths:
            if path.key in self._known:
                continue
            method = get_method(path.method)
            key = method.training_key(path.parameters)
            if key not in trainings:
                trainings[key] = method.training(judge.fold.train, path.parameters, judge.convention)
            training = trainings[key]
            try:
                lams = lambda_grid(training.lam_at(1.0), self._points, float(method.ratios[-1]))
            except EmptyOptimumError:
                self._known[path.key] = ()
                self.fitted += self._points  # each of them is the empty model
                yield path.key
                continue
            found: list[PathPoint] = []
            for point in regularization_path(method, training, lams, judge, parameters=path.parameters):
                found.append(point)
                self.fitted += 1
                yield path.key
            self._known[path.key] = tradeoff_points(found, judge.usable_features)
