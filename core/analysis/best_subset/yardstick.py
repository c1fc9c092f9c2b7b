"""The yardstick: for every number of features the lowest objective that is known, and what no set can go below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.best_subset.refitted_sets import RefittedSet, Ridge
from core.analysis.evaluation import Judgement
from core.methods import Method
from core.methods.base import MethodRun
from core.solvers import Stop
from core.work import CountedWork

FloatArray = NDArray[np.float64]
MOST_FEATURES = 10
"""The yardstick's largest number of features."""
PROVEN = 1e-5
"""The relative gap at which a best subset counts as proven."""
SECONDS_EACH = 15.0


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


class Yardstick(CountedWork):
    """The best subsets of 1, 2, … features, one after the other; every one has a bound from its first step on.

    A size whose proof takes longer than ``seconds_each`` is left unproven. `extend` gives those as much time again.

    Parameters
    ----------
    method : Method
        `best-subset`, maybe under rules for features.
    ridge : Ridge
    most : int
        The largest number of features.
    seconds_each : float
        Solver time for a size.
    """

    def __init__(
        self, method: Method, ridge: Ridge, most: int = MOST_FEATURES, seconds_each: float = SECONDS_EACH
    ) -> None:
        super().__init__()
        self.ridge = ridge
        self._runs: dict[int, MethodRun] = {}
        self._found: dict[int, CertifiedSubset] = {}
        self._rest: set[int] = set()  # sizes that have ended, proven or out of time
        self._sizes = range(1, most + 1)
        self._method, self._stop = method, Stop(tol=PROVEN, max_seconds=seconds_each)

    @property
    def total(self) -> int:
        """Number of sizes."""
        return len(self._sizes)

    @property
    def count(self) -> int:
        """Number of sizes that are proven or out of time."""
        return len(self._rest)

    @property
    def ended(self) -> frozenset[int]:
        """Sizes that are proven or out of time."""
        return frozenset(self._rest)

    @property
    def rows(self) -> list[CertifiedSubset]:
        """What is known so far, by ascending number of features."""
        found = dict(self._found)
        return [found[k] for k in self._sizes if k in found]

    def extend(self) -> None:
        """Go on with the sizes that are not proven yet, for as long again."""
        for k, run in self._runs.items():
            run.extend()
            self._rest.discard(k)

    def _step(self) -> None:
        k = next(k for k in self._sizes if k not in self._rest)
        self.now = f"{k} feature{'s' * (k > 1)}"
        before = self._found.get(k)
        run = self._runs[k] = self._runs.get(k) or self._begin(k)
        run.advance()
        last, weights = run.steps.trace[-1], run.steps.weights
        bound = last.objective - last.certificate.value
        if before is None or not np.array_equal(before.weights, weights):
            judgement = self.ridge.judged(weights)
            self._found[k] = CertifiedSubset(k, weights.copy(), last.objective, bound, last.seconds, judgement)
        else:
            self._found[k] = replace(before, bound=max(bound, before.bound), seconds=last.seconds)
        if run.done:
            self._rest.add(k)
            if self._found[k].proven:
                del self._runs[k]  # its tree is no longer needed

    def _begin(self, k: int) -> MethodRun:
        smaller = self._found.get(k - 1)
        start = None if smaller is None else smaller.weights
        return self._method.run(
            self.ridge.training, self.ridge.lam, parameters={"k": float(k)}, stop=self._stop, start=start
        )


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
