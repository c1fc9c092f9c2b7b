"""The search for the best subset between two of its steps, and its tree, best first.

A pool of dual rays, what was found at other nodes, may exclude a node before it is looked at.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from core.solvers.best_subset._relaxation_kernels import excluding_bound
from core.solvers.best_subset.incumbents import Incumbent, dense_model, first_models
from core.solvers.best_subset.looking import Node, NodeResult, Place, Task, look_at_all
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound
from core.solvers.best_subset.space import Point, Space
from core.solvers.problem import FloatArray, Problem

MOST = 1024


class Rays:
    """The dual rays of the points that were reached last. Each bounds every part of the models, not only its own.

    On MQ2008 every third node is excluded so, in a twentieth of the time that a look at it takes.

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
    def planted(cls, space: Space, incumbent: Incumbent, dense: Relaxed) -> Self:
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
        tasks = []
        for node in nodes:  # the root is solved to the end: its bound is what a short search has to show
            round_off = self.visited < ROUNDED_ALWAYS or self.visited % 4 == 3
            tasks.append(Task(node, cutoff, self.visited == 0, round_off))
            self.visited += 1
        for seen in look_at_all(self._space, tasks):
            self._take(seen, cutoff)

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


ENTRIES_OF_A_VISIT = 10_000_000  # of Hessians: beyond it a step would take many seconds
FEATURES_OF_A_VISIT = 1_000_000_000  # entries of X times nodes, for the same reason: a node takes some four passes


@dataclass(frozen=True)
class Reached:
    """What is known after a step; together they are the search's convergence curve.

    Attributes
    ----------
    objective : float
        Of the best model so far.
    bound : float
        No model within the budget has a lower objective.
    nodes : int
        Nodes of the tree that have been looked at.
    passes : float
        Passes over the features.
    w : ndarray, shape (n_columns,)
        The best model so far.
    seconds : float
        What the step took.
    """

    objective: float
    bound: float
    nodes: int
    passes: float
    w: FloatArray
    seconds: float = 0.0


@dataclass(eq=False)
class Search:
    """A search in progress.

    Attributes
    ----------
    curve : list of Reached
        One a step.
    """

    space: Space
    incumbent: Incumbent
    tree: Tree
    curve: list[Reached] = field(default_factory=list)

    @classmethod
    def begun(cls, problem: Problem, tol: float) -> Self:
        """Return a search that has not looked at any node or model but the empty one."""
        space = Space(problem)
        incumbent = Incumbent(space, tol)
        return cls(space, incumbent, Tree(space, incumbent))

    def steps(self, given: FloatArray, nodes: int) -> Iterator[None]:
        """Take a given model, shape (n_columns,), look for a good one near it, then look at the whole tree.

        ``nodes`` is how many a step looks at; see `visit`.
        """
        start = self.space.at(given)
        self.curve.append(Reached(self.space.objective(start), 0.0, 0, self.space.passes.total, given))
        yield
        yield from self.first_steps(given)
        yield from self.further_steps(nodes)

    def first_steps(self, given: FloatArray) -> Iterator[None]:
        """Look for a good model near a given one, shape (n_columns,), and plant the tree; yield after each round."""
        dense = dense_model(self.space, self.incumbent.at_zero)
        self.tree = Tree.planted(self.space, self.incumbent, dense)
        for _ in first_models(self.space, self.incumbent, dense, given):
            self.note()
            yield

    def further_steps(self, nodes: int) -> Iterator[None]:
        """Look at the rest of the tree."""
        while not self.tree.done:
            self.visit(nodes)
            yield

    def visit(self, nodes: int) -> None:
        """Look at so many nodes or a few more, at fewer of much data; the root is a step of its own."""
        d, n = self.space.n_columns, self.space.n_documents
        few = max(min(nodes, ENTRIES_OF_A_VISIT // max(d * d, 1), FEATURES_OF_A_VISIT // max(n * d, 1)), 1)
        until = 1 if self.tree.visited == 0 else self.tree.visited + few
        while not self.tree.done and self.tree.visited < until:
            self.tree.visit()
        self.note()

    def note(self) -> None:
        """Put on the curve what is known now."""
        known = self.curve[-1].bound if self.curve else 0.0
        bound = max(known, self.tree.bound)
        now = self.incumbent
        self.curve.append(Reached(now.objective, bound, self.tree.visited, self.space.passes.total, now.w))
