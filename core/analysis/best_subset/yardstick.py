"""The yardstick: for every number of features the lowest objective that is known, and what no set can go below."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.analysis.best_subset.refitted_sets import RefittedSet, Ridge
from core.analysis.evaluation import FloatArray, Judgement
from core.analysis.fitting import Fitting
from core.analysis.path_over_k import K, PathOverK, bound_of
from core.methods import Method
from core.metrics.equal_values import rounded
from core.solvers import Stop

BEST = "best-subset"
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
    weights : ndarray, shape (n_features,)
        Of the ridge model on the set.
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


class Yardstick(PathOverK):
    """The search for the best subsets of 1 to ``most`` features, which keeps one search tree at a time.

    A size whose proof takes longer than ``seconds_each`` of solver time is left unproven, and its tree is given up:
    trees of many features are large. `extend` searches those again, from the best model and bound known, for twice as
    long.

    Parameters
    ----------
    method : Method
        `best-subset`.
    most : int
        The largest number of features.
    """

    def __init__(
        self, method: Method, ridge: Ridge, most: int = MOST_FEATURES, seconds_each: float = SECONDS_EACH
    ) -> None:
        stop = Stop(tol=PROVEN, max_seconds=seconds_each)
        super().__init__(Fitting(method, ridge.training, ridge.judge, {}, None, stop), ridge.lam, range(1, most + 1))

    @property
    def sketched(self) -> bool:
        """Whether there is a first model and a bound of every size."""
        return len(self._sketched) == len(self.sizes)

    @property
    def searched(self) -> int:
        """Number of sizes that are proven or out of time."""
        return len(self._ended)

    def extend(self) -> None:
        """Go on with the sizes that are not proven, for twice as long."""
        self._stop = replace(self._stop, max_seconds=2.0 * self._stop.max_seconds)
        for place, k in enumerate(self.sizes):
            if k in self._ended and self._ended[k].result.stop != "converged":
                known = {int(fit.parameters[K]): fit for fit in self.fits}
                self._sketched[place] = known[k]
                del self._ended[k]

    def _step(self) -> None:
        super()._step()
        for k in [k for k in self._runs if k in self._ended]:
            del self._runs[k]


def certified_rows(path: PathOverK) -> list[CertifiedSubset]:
    """Return what is known of each size by now, by ascending size."""
    rows = []
    for point in path.points:
        result, bound = point.fit.result, bound_of(point.fit)
        assert bound is not None
        k = int(point.fit.parameters[K])
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
            known.append(CertifiedSubset(row.k, best.weights, best.objective, bound, row.seconds, best.judgement))
    return known[::-1]


@dataclass(frozen=True, eq=False)
class Excess:
    """A method's best set of at most k features beside the certified one.

    Attributes
    ----------
    found : RefittedSet
        Of the sets of at most k features that the method keeps, that with the lowest objective after the refit.
    excess : float
        Its objective over that of the best known set, minus 1; at least 0.
    at_most : float
        The same over the bound: as large as the excess can be.
    shared : int
        Features that both sets have.
    """

    method: str
    k: int
    found: RefittedSet
    excess: float
    at_most: float
    shared: int


def best_set(sets: Iterable[RefittedSet], k: int) -> RefittedSet | None:
    """Return the set of at most k features with the lowest objective, among equals the smallest; None without one."""
    small = [found for found in sets if found.kept <= k]
    return min(small, key=lambda found: (rounded(found.objective), found.kept), default=None)


def excesses(rows: Sequence[CertifiedSubset], sets: Mapping[str, Sequence[RefittedSet]]) -> list[Excess]:
    """Compare every method with every row, as far as it keeps so few features; methods in their order.

    Parameters
    ----------
    rows : sequence of CertifiedSubset
        From `best_known` with the same sets, so that none of them is better.
    sets : mapping
        By method.
    """
    compared = []
    for method, own in sets.items():
        for row in rows:
            found = best_set(own, row.k)
            if found is not None:
                shared = len(set(found.columns) & set(row.columns))
                excess = max(found.objective / row.objective - 1.0, 0.0)
                at_most = max(found.objective / row.bound - 1.0, excess) if row.bound > 0.0 else float("inf")
                compared.append(Excess(method, row.k, found, excess, at_most, shared))
    return compared
