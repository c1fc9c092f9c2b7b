"""The search tree, best first."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from core.solvers.best_subset.branching import rounded, split
from core.solvers.best_subset.incumbents import Incumbent
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, relax
from core.solvers.best_subset.space import Point, Space
from core.solvers.problem import FloatArray

ROUNDED_ALWAYS = 30  # nodes after which only every fourth one is rounded to a set
FINEST = 1e-9  # relative gap at which the search ends for good


@dataclass(order=True)
class Node:
    """A part of the models that has still to be looked at.

    Attributes
    ----------
    bound : float
    serial : int
        Of two nodes with the same bound the older one comes first.
    part : Part
    near : Point
        Where the relaxation above ended.
    hessian : ndarray
        Of a point near that.
    """

    bound: float
    serial: int
    part: Part = field(compare=False)
    near: Point = field(compare=False)
    hessian: FloatArray = field(compare=False)


class Tree:
    """A search in progress.

    Parts whose bound comes within the tolerance of the incumbent wait until the others are done. Then the tolerance
    becomes a tenth, so that the search can go on for as long as anybody wants.

    Attributes
    ----------
    visited : int
        Number of nodes whose relaxation has been solved.
    """

    def __init__(self, space: Space, incumbent: Incumbent, near: Point, hessian: FloatArray) -> None:
        self._space, self._incumbent = space, incumbent
        self._serial = count()
        self._open: list[Node] = []
        self._waiting: list[Node] = []
        self._floor = np.inf  # lowest bound of leaves
        self.visited = 0
        paid = np.flatnonzero(space.costs > 0.0)
        part = Part.of(space, space.free_of_charge, paid)
        self._add(dual_bound(space, near, part), part, near, hessian)

    @property
    def bound(self) -> float:
        """No model within the budget has a lower objective."""
        waiting = min((node.bound for node in self._waiting), default=np.inf)
        lowest = min(self._open[0].bound if self._open else np.inf, waiting, self._floor)
        return float(min(lowest, self._incumbent.objective))

    @property
    def done(self) -> bool:
        """Whether nothing is left to look at."""
        return not self._open and not self._waiting

    @property
    def size(self) -> int:
        """Number of nodes that are kept."""
        return len(self._open) + len(self._waiting)

    def visit(self) -> None:
        """Look at the part with the lowest bound."""
        if not self._open or self._open[0].bound >= self._incumbent.cutoff:
            self._refine()
            return
        node = heapq.heappop(self._open)
        self.visited += 1
        cutoff = self._incumbent.cutoff
        to_the_end = node.part.is_leaf or self.visited == 1  # the root's bound is what a short search has to show
        give_up = 0.0 if to_the_end else cutoff
        found = relax(self._space, node.part, node.near, node.hessian, cutoff, node.bound, give_up)
        if node.part.is_leaf:
            self._incumbent.offer(found)
        if found.bound < cutoff and node.part.is_leaf:
            self._floor = min(self._floor, found.bound)
        elif found.bound >= cutoff:
            self._waiting.append(Node(found.bound, next(self._serial), node.part, found.point, found.hessian))
        else:
            self._branch(node.part, found)

    def _refine(self) -> None:
        """Go on with the parts that wait, with a tenth of the tolerance, and forget those that the incumbent beats."""
        waiting = [node for node in (*self._open, *self._waiting) if node.bound < self._incumbent.objective]
        finest = self._incumbent.tol <= FINEST
        if finest:
            self._floor = min((node.bound for node in waiting), default=self._floor)
        self._incumbent.tol = max(self._incumbent.tol / 10.0, FINEST)
        self._open, self._waiting = [] if finest else waiting, []
        heapq.heapify(self._open)

    def _add(self, bound: float, part: Part, near: Point, hessian: FloatArray) -> None:
        if bound < self._incumbent.objective:
            heapq.heappush(self._open, Node(bound, next(self._serial), part, near, hessian))

    def _branch(self, part: Part, found: Relaxed) -> None:
        if self.visited <= ROUNDED_ALWAYS or self.visited % 4 == 0:
            self._incumbent.try_set(rounded(self._space, part, found), found.point, found.hessian)
        for bound, child in split(self._space, part, found):
            self._add(bound, child, found.point, found.hessian)
