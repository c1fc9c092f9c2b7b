"""All sets of features whose objective comes near the optimum.

The search goes on where the one for the optimum stops: a part of the models is left aside only if its bound is more
than the given share above the best model. More features never raise the objective, so every smaller set that comes near
is found by dropping features from a set that does.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from core.solvers.best_subset.incumbents import Incumbent, dense_model, first_models
from core.solvers.best_subset.looking import Node, Place, Task, look_at_all
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, fitted_set
from core.solvers.best_subset.space import IntArray, Point, Space
from core.solvers.best_subset.tree import TOGETHER
from core.solvers.problem import FloatArray, Problem

MOST = 200  # sets that are kept: if there are more, the best ones
GROUP = 10  # nodes of a step
ROUNDED_EVERY = 4  # so many nodes, one is rounded to a set
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class NearSet:
    """A set of features that comes near the optimum.

    Attributes
    ----------
    columns : ndarray of int
        The features with non-zero weights, from 0, ascending.
    weights : ndarray, shape (n_features,)
        Of the best model with these features.
    objective : float
        Its F(w).
    """

    columns: IntArray
    weights: FloatArray
    objective: float


@dataclass(frozen=True, eq=False)
class NearOptimal:
    """The sets found so far, and up to where none is missing.

    Attributes
    ----------
    sets : tuple of NearSet
        The best first.
    within : float
        The relative excess that was asked for.
    complete_within : float
        No set is missing whose objective exceeds that of the first one by less than this share. Below 0, the first one
        is not proven to be the best.
    nodes, waiting : int
        Nodes of the tree that have been looked at, and those that have not.
    cut : bool
        Whether there are more sets within the share than the list may hold. It has the best ones.
    done : bool
        Whether the search has ended. Unless it is cut, the list then is complete within the share.
    """

    sets: tuple[NearSet, ...]
    within: float
    complete_within: float
    nodes: int
    waiting: int
    cut: bool
    done: bool

    @property
    def complete(self) -> bool:
        """Whether the list has every set within the share."""
        return self.done and not self.cut


def near_optimal_sets(problem: Problem, within: float) -> Iterator[NearOptimal]:
    """Yield the sets within a share of the optimum, after every step of the search; stop by not taking the next.

    Raises a `ValueError` if the share is negative, or features have prices.

    Parameters
    ----------
    problem : Problem
        With a `SquaredHinge` and an `L2Budget`, which may be `Signed`. Where features have prices, more of them may
        raise the objective, so there the list would not be complete.
    within : float
        Relative excess of the objective, at least 0: 0.01 for sets within 1 % of the optimum.
    """
    if not (np.isfinite(within) and within >= 0.0):
        msg = f"a share of at least 0 is needed, not {within:g}"
        raise ValueError(msg)
    space = Space(problem)
    if space.threshold > 0.0:
        msg = "near-optimal sets are listed for a budget of features, not for prices"
        raise ValueError(msg)
    search = _Search(space, within)
    yield search.state()
    while search.open:
        for _ in range(GROUP):
            if search.open:
                search.visit()
        yield search.state()


class _Search:
    """The search in progress.

    It keeps one set more than the list may hold: its objective is where the list is cut, and what is above that is not
    looked for.
    """

    def __init__(self, space: Space, within: float) -> None:
        self._space, self._within = space, within
        self._tried: set[tuple[int, ...]] = set()
        self._found: dict[tuple[int, ...], tuple[float, FloatArray]] = {}
        self._serial = count()
        self.visited = 0
        self.open: list[Node] = []
        incumbent = Incumbent(space, 0.0)
        dense = dense_model(space, incumbent.at_zero)
        for _ in first_models(space, incumbent, dense, None):
            pass
        self._best = incumbent.objective
        self._cutoff = self._limit
        used = np.union1d(np.flatnonzero(incumbent.w), space.free_of_charge)
        self._try_with_smaller(used, dense.point, dense.hessian)
        root = Part.of(space, space.free_of_charge, np.flatnonzero(space.costs > 0.0))
        self._add(dual_bound(space, dense.point, root), root, Place.of(dense))

    @property
    def _limit(self) -> float:
        """Above which an objective is not of interest; rounding is on the side of more sets."""
        return self._best * (1.0 + self._within) * (1.0 + ROUNDING)

    def visit(self) -> None:
        """Look at the parts with the lowest bounds."""
        nodes = [heapq.heappop(self.open) for _ in range(min(TOGETHER, len(self.open)))]
        nodes = [node for node in nodes if node.bound < self._cutoff]
        if not nodes:
            self.open = []
            return
        inner = [(place, node) for place, node in enumerate(nodes) if not node.part.is_leaf]
        tasks = [Task(node, self._cutoff, False, (self.visited + place) % ROUNDED_EVERY == 0) for place, node in inner]
        self.visited += len(nodes)
        for node in nodes:
            if node.part.is_leaf:
                self._try_with_smaller(node.part.inside, node.place.point, node.place.hessian)
        for seen in look_at_all(self._space, tasks):
            if seen.model is not None:
                used = np.union1d(np.flatnonzero(seen.model.point.w), self._space.free_of_charge)
                self._try_with_smaller(used, seen.found.point, seen.found.hessian)
            for bound, part in seen.parts:
                self._add(bound, part, seen.place)

    def state(self) -> NearOptimal:
        """The sets so far."""
        listed = [
            NearSet(self._space.columns[list(columns)], self._space.spread(w), objective)
            for objective, columns, w in self._in_order()
            if objective <= self._limit
        ]
        lowest = min(self.open[0].bound, self._cutoff) if self.open else self._cutoff
        reached = min(lowest / self._best - 1.0, self._within)
        cut = len(listed) > MOST
        return NearOptimal(
            tuple(listed[:MOST]), self._within, reached, self.visited, len(self.open), cut, not self.open
        )

    def _in_order(self) -> list[tuple[float, tuple[int, ...], FloatArray]]:
        found = [(objective, columns, w) for columns, (objective, w) in self._found.items()]
        return sorted(found, key=lambda row: row[:2])

    def _add(self, bound: float, part: Part, place: Place) -> None:
        if bound < self._cutoff:
            heapq.heappush(self.open, Node.of(bound, next(self._serial), part, place))

    def _try_with_smaller(self, columns: IntArray, near: Point, hessian: FloatArray) -> None:
        """Fit a set, keep it if it comes near the optimum, and then try those with one feature less."""
        waiting = [(columns, near, hessian)]
        while waiting:
            columns, near, hessian = waiting.pop()
            name = tuple(sorted(columns.tolist()))
            if name in self._tried:
                continue
            found = fitted_set(self._space, np.array(name, dtype=np.int64), near, hessian, self._cutoff)
            if found is None or found.bound >= self._cutoff:
                continue
            self._tried.add(name)
            self._keep(found)
            paid = columns[self._space.costs[columns] > 0.0]
            waiting += [(columns[columns != j], found.point, found.hessian) for j in paid]

    def _keep(self, found: Relaxed) -> None:
        """Put a model on the list; where there are too many, the worst one leaves."""
        columns = tuple(np.flatnonzero(found.point.w).tolist())
        self._found.setdefault(columns, (found.primal, found.point.w))
        self._best = min(self._best, found.primal)
        ordered = self._in_order()
        for _, worst, _ in ordered[MOST + 1 :]:
            del self._found[worst]
        full = ordered[MOST][0] if len(ordered) > MOST else np.inf
        self._cutoff = min(self._limit, full)
