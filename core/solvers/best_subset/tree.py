"""The search tree, best first.

A pool of dual rays, what was found at other nodes, may exclude a node before it is looked at.
"""

from __future__ import annotations

import heapq

import numpy as np

from core.solvers.best_subset._relaxation_kernels import excluding_bound
from core.solvers.best_subset.incumbents import Incumbent
from core.solvers.best_subset.looking import Node, NodeResult, Place, Task, look_at_all
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound
from core.solvers.best_subset.space import Point, Space
from core.solvers.problem import FloatArray

MOST = 1024


class Rays:
    """The dual rays of the points that were reached last. Each bounds every part of the models, not only its own.

    On MQ2008 every third node is excluded so, in a twentieth of the time that a look at it takes.

    Parameters
    ----------
    space : Space

    Attributes
    ----------
    gradients : ndarray, shape (MOST, n_columns)
        dL/dw, but 0 where a weight may not have the sign that would gain from it.
    numbers : ndarray, shape (MOST, 2)
        Dual slope and loss.
    count : int
        Of rays that have been added. The newest ones are held, each in its place modulo ``MOST``.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self.gradients: FloatArray = np.zeros((MOST, space.n_columns))
        self.numbers: FloatArray = np.zeros((MOST, 2))
        self.count = 0

    def add(self, point: Point) -> None:
        """Take in the ray of a point, in place of the oldest one."""
        place = self.count % MOST
        self.gradients[place] = np.where(self._space.signs * point.gradient > 0.0, 0.0, point.gradient)
        self.numbers[place] = point.dual_slope, point.loss
        self.count += 1

    def bound(self, part: Part, cutoff: float) -> float:
        """A bound of every model of a part that is at or above the cutoff; 0 where no ray gives one."""
        space = self._space
        found: float = excluding_bound(
            self.gradients, self.numbers, self.count, part.inside, part.free, space.roots, part.left, space.threshold,
            space.lam, cutoff,
        )  # fmt: skip
        return found


TOGETHER = 4  # nodes that are looked at side by side, on any number of cores, so that the tree is the same on all
ROUNDED_ALWAYS = 30  # nodes after which only every fourth one is rounded to a set
FINEST = 1e-9  # relative gap at which the search ends for good


class Tree:
    """A search in progress.

    Parts whose bound comes within the tolerance of the incumbent wait until the others are done. Then the tolerance
    becomes a tenth, so that the search can go on for as long as anybody wants.

    Attributes
    ----------
    open, waiting : list of Node
        Those to look at, as a heap, and those within the tolerance.
    floor : float
        Lowest bound of what has been put aside for good.
    visited : int
        Number of nodes whose relaxation has been solved; those that a ray excludes are not counted.
    serial : int
        Number of nodes that have been made.
    rays : Rays
        Of the nodes that were looked at last.
    """

    def __init__(self, space: Space, incumbent: Incumbent) -> None:
        self._space, self._incumbent = space, incumbent
        self.rays = Rays(space)
        self.open: list[Node] = []
        self.waiting: list[Node] = []
        self.floor = np.inf
        self.visited = self.serial = 0

    @classmethod
    def planted(cls, space: Space, incumbent: Incumbent, dense: Relaxed) -> Tree:
        """Return the tree whose root is all models within the budget."""
        tree = cls(space, incumbent)
        tree.rays.add(dense.point)
        root = Part.of(space, space.free_of_charge, np.flatnonzero(space.costs > 0.0))
        bound = max(dual_bound(space, dense.point, root), tree.rays.bound(root, incumbent.cutoff))
        tree._add(bound, root, Place.of(dense))
        return tree

    @property
    def bound(self) -> float:
        """No model within the budget has a lower objective."""
        waiting = min((node.bound for node in self.waiting), default=np.inf)
        lowest = min(self.open[0].bound if self.open else np.inf, waiting, self.floor)
        return float(min(lowest, self._incumbent.objective))

    @property
    def done(self) -> bool:
        """Whether nothing is left to look at."""
        return not self.open and not self.waiting

    def visit(self) -> None:
        """Look at the parts with the lowest bounds that no ray excludes."""
        cutoff = self._incumbent.cutoff
        nodes: list[Node] = []
        while self.open and len(nodes) < TOGETHER and self.open[0].bound < cutoff:
            node = heapq.heappop(self.open)
            bound = self.rays.bound(node.part, cutoff)
            if bound >= cutoff:
                self._wait(bound, node)
            else:
                nodes.append(node)
        if not nodes:
            self._refine()
            return
        tasks = [self._task(node, self.visited + place, cutoff) for place, node in enumerate(nodes)]
        self.visited += len(nodes)
        for seen in look_at_all(self._space, tasks):
            self._take(seen, cutoff)

    def _task(self, node: Node, before: int, cutoff: float) -> Task:
        """The root is solved to the end: its bound is what a short search has to show."""
        return Task(node, cutoff, before == 0, before < ROUNDED_ALWAYS or before % 4 == 3)

    def _take(self, seen: NodeResult, cutoff: float) -> None:
        found = seen.found
        self.rays.add(found.point)
        if seen.model is not None:
            self._incumbent.offer(seen.model)
        if seen.node.part.is_leaf:
            self._incumbent.offer(found)
            if found.bound < cutoff:
                self.floor = min(self.floor, found.bound)
                return
        if found.bound >= cutoff:
            self._wait(found.bound, seen.node)
            return
        for bound, part in seen.parts:
            self._add(bound, part, seen.place)

    def _wait(self, bound: float, node: Node) -> None:
        if bound < self._incumbent.objective:
            self.waiting.append(Node(bound, node.serial, node.inside, node.free, node.left, node.place))

    def _refine(self) -> None:
        """Go on with the parts that wait, with a tenth of the tolerance, and forget those that the incumbent beats."""
        waiting = [node for node in (*self.open, *self.waiting) if node.bound < self._incumbent.objective]
        finest = self._incumbent.tol <= FINEST
        if finest:
            self.floor = min((node.bound for node in waiting), default=self.floor)
        self._incumbent.tol = max(self._incumbent.tol / 10.0, FINEST)
        self.open, self.waiting = [] if finest else waiting, []
        heapq.heapify(self.open)

    def _add(self, bound: float, part: Part, place: Place) -> None:
        if bound < self._incumbent.objective:
            heapq.heappush(self.open, Node.of(bound, self.serial, part, place))
            self.serial += 1
