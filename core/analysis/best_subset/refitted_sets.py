"""Sets of features that methods keep, fitted again with one ridge: they then differ by their selection alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from core.analysis.evaluation import FloatArray, FoldJudge, Judgement
from core.analysis.path import PathPoint
from core.methods import Training
from core.methods.refit import ranksvm
from core.penalties import L2Budget, L2On, Penalty
from core.solvers import OnChosenFeatures, Problem, Stop, solve
from core.solvers.best_subset.selections import (
    Selection,
    backward_by_curvature,
    backward_by_weight,
    exchanged,
    forward,
    selected,
)
from core.work import Steps

ACCURACY = 1e-9  # relative gap of a refit: far below the differences that are drawn


@dataclass(frozen=True, eq=False)
class RefittedSet:
    """A set of features with the ridge model on it.

    Attributes
    ----------
    method : str
        The id of the method that keeps these features.
    columns : tuple of int
        From 0, ascending.
    objective : float
        L(w) + (lambda/2) |w|^2 of the ridge model.
    weights : ndarray, shape (n_features,)
        Of the ridge model.
    c : float
        The first C of its path at which the method keeps these features; NaN for a selection of a given size.
    judgement : Judgement
        Measures of the ridge model on every part; empty without a judge.
    """

    method: str
    columns: tuple[int, ...]
    objective: float
    weights: FloatArray
    c: float
    judgement: Judgement = field(default_factory=Judgement)

    @property
    def kept(self) -> int:
        """Number of features in the set."""
        return len(self.columns)


@dataclass(frozen=True, eq=False)
class Ridge:
    """The ridge model that all sets of a comparison are fitted with.

    Attributes
    ----------
    training : Training
        Of RankSVM's loss.
    judge : FoldJudge
        Measures every model.
    """

    training: Training
    lam: float
    judge: FoldJudge

    @classmethod
    def of(cls, training: Training, lam: float, judge: FoldJudge) -> Self:
        """Make it from training data for any loss."""
        return cls(ranksvm(training), lam, judge)

    def problem(self, penalty: Penalty) -> Problem:
        """Return the problem with this penalty."""
        return self.training.problem(penalty, self.lam)

    def refitted(self, method: str, columns: Sequence[int], c: float = np.nan) -> RefittedSet:
        """Fit the model on a set of features."""
        penalty = L2On(np.asarray(columns, dtype=np.int64))
        found = solve(OnChosenFeatures(), self.problem(penalty), Stop(tol=ACCURACY))
        judgement = self.judge.judgement(found.weights)
        return RefittedSet(method, tuple(sorted(columns)), found.objective, found.weights, c, judgement)


def refitted_path(points: Sequence[PathPoint], ridge: Ridge, most: int) -> tuple[int, Iterator[RefittedSet]]:
    """Return how many different sets of 1 to ``most`` features a path has, and an iterator that refits them.

    Each has the C where it is met first.
    """
    sets: dict[tuple[int, ...], float] = {}
    for point in points:
        columns = tuple(np.flatnonzero(point.fit.weights).tolist())
        if 0 < len(columns) <= most:
            sets.setdefault(columns, point.fit.c)
    method = points[0].fit.method if points else ""
    return len(sets), (ridge.refitted(method, columns, c) for columns, c in sets.items())


def refits_along(points: Sequence[PathPoint], ridge: Ridge, most: int) -> Steps[RefittedSet]:
    """Prepare the refits of `refitted_path` as work in steps of one set."""
    total, coming = refitted_path(points, ridge, most)
    return Steps(coming, total)


NESTED_UP, NESTED_DOWN = "forward", ("rfe", "elimination")
BY_HAND: dict[str, Selection] = {
    NESTED_UP: forward,
    "rfe": backward_by_weight,
    "elimination": backward_by_curvature,
    "exchange": exchanged,
}
"""Selections of a given number of features, by the ids of their methods."""


def by_hand(method: str, ridge: Ridge, most: int) -> Iterator[RefittedSet]:
    """Select 1 to ``most`` features by hand and refit them, in the order in which the sets are found.

    Forward selection and eliminations have nested sets, so each begins where the one before has ended.
    """
    n_features = ridge.training.data.n_features
    chosen = np.zeros(0, dtype=np.int64)
    sizes = range(1, min(most, n_features) + 1)
    for step, size in enumerate(reversed(sizes) if method in NESTED_DOWN else sizes):
        costs, budget = np.ones(n_features), float(size)
        if method == NESTED_UP:
            costs[chosen] = 0.0
            budget -= len(chosen)
        elif method in NESTED_DOWN and step > 0:
            costs[:] = np.inf
            costs[chosen] = 1.0
        chosen = np.sort(selected(BY_HAND[method], ridge.problem(L2Budget(budget, costs))))
        yield ridge.refitted(method, chosen.tolist())


def selections(method: str, ridge: Ridge, most: int) -> Steps[RefittedSet]:
    """Prepare the selections of `by_hand` as work in steps of one size."""
    return Steps(by_hand(method, ridge, most), most)
