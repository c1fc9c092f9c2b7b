"""The yardstick: for every number of features the lowest objective that is known, and what no set can go below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.best_subset.refitted_sets import RefittedSet, Ridge
from core.analysis.evaluation import Judgement
from core.analysis.path_over_k import PathOverK, bound_of
from core.methods import Method
from core.solvers import Stop

FloatArray = NDArray[np.float64]
MOST_FEATURES = 10
"""The yardstick's largest number of features."""
PROVEN = 1e-5
"""The relative gap at which a best subset counts as proven."""
SECONDS_EACH = 30.0


@dataclass(frozen=True, eq=False)
class CertifiedSubset:
    """The best set of at most k features that is known, and how far a better one can be.

    Attributes
    ----------
    k : int
    weights : ndarray, shape (n_features,)
        Of the ridge model on the set.
    objective : float
    bound : float
        No set of at most k features has a lower objective.
    seconds : float
        Solver time.
    judgement : Judgement
        Measures of the model on every part; empty without a judge.
    """

    k: int
    weights: FloatArray
    objective: float
    bound: float
    seconds: float
    judgement: Judgement = field(default_factory=Judgement)

    @property
    def columns(self) -> tuple[int, ...]:
        """The features of the set, from 0."""
        return tuple(np.flatnonzero(self.weights).tolist())

    @property
    def gap(self) -> float:
        """How far the objective is above the lowest possible one at most, as a share of it."""
        return max(self.objective - self.bound, 0.0) / self.objective

    @property
    def proven(self) -> bool:
        """Whether no set is better by more than the accuracy."""
        return self.gap <= PROVEN


def yardstick(method: Method, ridge: Ridge, most: int = MOST_FEATURES, seconds_each: float = SECONDS_EACH) -> PathOverK:
    """Prepare the search for the best subsets of 1 to ``most`` features.

    A size whose proof takes longer than ``seconds_each`` of solver time is left unproven; `PathOverK.extend` gives
    those as much time again.

    Parameters
    ----------
    method : Method
        `best-subset`.
    ridge : Ridge
        With a judge.
    most : int
        The largest number of features.
    seconds_each : float
    """
    stop = Stop(tol=PROVEN, max_seconds=seconds_each)
    return PathOverK(method, ridge.training, ridge.lam, range(1, most + 1), ridge.judge, stop=stop)


def certified_rows(path: PathOverK) -> list[CertifiedSubset]:
    """Return what is known of each size by now, by ascending size."""
    rows = []
    for point in path.points:
        result, bound = point.fit.result, bound_of(point.fit)
        assert bound is not None
        k = int(point.fit.parameters["k"])
        rows.append(CertifiedSubset(k, point.fit.weights, result.objective, bound, result.seconds, point.judgement))
    return rows


def best_known(rows: Sequence[CertifiedSubset], sets: Iterable[RefittedSet] = ()) -> list[CertifiedSubset]:
    """Return the rows with what is known of the others: any set of at most k features, and any bound of more than k.

    A search that was cut off may have missed a set that a method has found. Neither the objectives nor the bounds of
    the result rise with k.
    """
    every = [*sets, *(RefittedSet("", row.columns, row.objective, row.weights, np.nan, row.judgement) for row in rows)]
    known, bound = [], -np.inf
    for row in reversed(rows):
        bound = max(bound, row.bound)
        best = min((found for found in every if found.kept <= row.k), key=lambda found: found.objective)
        if best.objective >= row.objective:
            known.append(replace(row, bound=bound))
        else:
            bound = min(bound, best.objective)
            better = {"weights": best.weights, "objective": best.objective, "judgement": best.judgement}
            known.append(replace(row, bound=bound, **better))
    return known[::-1]
