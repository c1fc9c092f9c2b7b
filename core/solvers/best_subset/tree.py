"""The search tree: best first, branching on the features whose loss would cost most."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from core.solvers.best_subset._relaxation_kernels import relaxed_penalty
from core.solvers.best_subset.incumbents import Incumbent
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, relax
from core.solvers.best_subset.space import IntArray, Point, Space
from core.solvers.problem import FloatArray

LEAST_SHARE = 1e-3  # below which the share z of a feature counts as this much in the order of branching
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
        found = relax(self._space, node.part, node.near, node.hessian, cutoff, node.bound)
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
        """Make the parts "the first i - 1 features in, the i-th out" in the order of branching, and the leaf."""
        space, point = self._space, found.point
        order = self._order(part, found)
        if self.visited <= ROUNDED_ALWAYS or self.visited % 4 == 0:
            self._round(part, found)
        inside, free, room = part.inside, order, part.left
        for j in order:
            if space.costs[j] > room:
                continue
            free = free[free != j]
            child = Part.of(space, inside, free)
            self._add(max(found.bound, dual_bound(space, point, child)), child, point, found.hessian)
            inside, room = np.append(inside, j), room - space.costs[j]
        leaf = Part(inside, order[:0], 0.0)
        self._add(max(found.bound, dual_bound(space, point, leaf)), leaf, point, found.hessian)

    def _order(self, part: Part, found: Relaxed) -> IntArray:
        """The free features, those first whose loss costs most by the quadratic model of the relaxation."""
        space, w, free = self._space, found.point.w, part.free
        _, tau = relaxed_penalty(w, part.inside, free, space.roots, part.left, space.lam)
        used = free[w[free] != 0.0]
        share = np.abs(w[used]) / (space.roots[used] * tau) if tau > 0.0 else np.ones(len(used))
        share = np.clip(share, LEAST_SHARE, 1.0)
        both = np.concatenate([part.inside, used])
        curvature = found.hessian[np.ix_(both, both)]
        curvature[np.diag_indices_from(curvature)] += space.lam / np.concatenate([np.ones(len(part.inside)), share])
        spread = np.diag(np.linalg.inv(curvature))[len(part.inside) :]
        loss = w[used] ** 2 / spread
        rest = free[w[free] == 0.0]
        rest = rest[np.argsort(-np.abs(found.point.gradient[rest]) / space.roots[rest], kind="stable")]
        return np.concatenate([used[np.argsort(-loss, kind="stable")], rest])

    def _round(self, part: Part, found: Relaxed) -> None:
        """Try the set of the features with the largest weights that the budget pays."""
        w, kept, room = found.point.w, part.inside.tolist(), part.left
        for j in part.free[np.argsort(-np.abs(w[part.free]), kind="stable")].tolist():
            if self._space.costs[j] <= room:
                kept.append(j)
                room -= self._space.costs[j]
        self._incumbent.try_set(np.array(kept, dtype=np.int64), found.point, found.hessian)
