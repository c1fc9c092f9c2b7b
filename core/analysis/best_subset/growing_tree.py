"""The search for the best subset, told node by node: small searches for a classroom."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from core.solvers import Problem
from core.solvers.best_subset.branching import rounded, split
from core.solvers.best_subset.incumbents import Incumbent, dense_model, first_models
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, relax
from core.solvers.best_subset.space import Space
from core.work import OpenEndedWork

State = Literal["open", "split", "cut", "set"]
TOL = 1e-5
MOST_NODES = 400  # of a tree that can still be seen


@dataclass(frozen=True)
class SearchNode:
    """A part of all sets of at most k features.

    Attributes
    ----------
    parent : int
        Its place in the list of nodes; -1 for the root.
    inside : tuple of int
        Features (from 0) that every set of the part has.
    outside : int or None
        The feature that was taken away from the part above; None for the root, and for a single set.
    free : int
        Number of features that a set may have or not.
    bound : float
        No set of the part has a lower objective.
    state : {"open", "split", "cut", "set"}
        Still to be looked at; split into smaller parts; cut off, because its bound is not below the best model; or a
        single set that has been fitted.
    """

    parent: int
    inside: tuple[int, ...]
    outside: int | None
    free: int
    bound: float
    state: State


@dataclass(frozen=True)
class TreeSoFar:
    """The tree at some moment.

    Attributes
    ----------
    nodes : tuple of SearchNode
        The root first; a child comes after its parent.
    objective : float
        Of the best model so far.
    columns : tuple of int
        Its features, from 0.
    first_objective : float
        Of the model with which the search began.
    too_large : bool
        Whether it was left because more nodes than `MOST_NODES` cannot be seen.
    """

    nodes: tuple[SearchNode, ...]
    objective: float
    columns: tuple[int, ...]
    first_objective: float
    too_large: bool

    @property
    def bound(self) -> float:
        """No set at all has a lower objective."""
        return min((node.bound for node in self.nodes if node.state == "open"), default=self.objective)

    @property
    def proven(self) -> bool:
        """Whether no part is open, so that no set is better by more than the accuracy."""
        return not self.count("open")

    def count(self, state: State) -> int:
        """Number of nodes in a state."""
        return sum(node.state == state for node in self.nodes)


class GrowingTree(OpenEndedWork):
    """The search in progress, a node a step; see `Work`.

    Parameters
    ----------
    problem : Problem
        With a `SquaredHinge` and an `L2Budget`, which may be `Signed`.
    """

    only_at_work = ("_coming",)

    def __init__(self, problem: Problem) -> None:
        self._coming = _grown(problem)
        self._now: TreeSoFar | None = None
        self._ended = False

    @property
    def tree(self) -> TreeSoFar | None:
        """What has grown so far; None before the first step."""
        return self._now

    @property
    def done(self) -> bool:
        """Whether the proof is complete, or the tree too large."""
        return self._ended

    def advance(self) -> None:
        """Look at one more node."""
        found = next(self._coming, None)
        self._ended = found is None or found.proven or found.too_large
        self._now = found or self._now


def _grown(problem: Problem) -> Iterator[TreeSoFar]:
    space = Space(problem)
    incumbent = Incumbent(space, TOL)
    dense = dense_model(space, incumbent.at_zero)
    for _ in first_models(space, incumbent, dense, None):
        pass
    first = incumbent.objective
    nodes: list[SearchNode] = []
    waiting: list[tuple[float, int, Part, Relaxed]] = []

    def named(columns: object) -> tuple[int, ...]:
        return tuple(sorted(space.columns[columns].tolist()))  # type: ignore[call-overload]

    def add(bound: float, part: Part, parent: int, outside: int | None, near: Relaxed) -> None:
        cut = bound >= incumbent.cutoff
        nodes.append(SearchNode(parent, named(part.inside), outside, len(part.free), bound, "cut" if cut else "open"))
        if not cut:
            heapq.heappush(waiting, (bound, len(nodes) - 1, part, near))

    def so_far() -> TreeSoFar:
        drawn = tuple(
            replace(node, state="cut") if node.state == "open" and node.bound >= incumbent.cutoff else node
            for node in nodes
        )
        used = named(incumbent.w.nonzero()[0])
        return TreeSoFar(drawn, incumbent.objective, used, first, len(nodes) > MOST_NODES)

    root = Part.of(space, space.free_of_charge, (space.costs > 0.0).nonzero()[0])
    add(dual_bound(space, dense.point, root), root, -1, None, dense)
    yield so_far()
    while waiting and waiting[0][0] < incumbent.cutoff:
        bound, place, part, near = heapq.heappop(waiting)
        found = relax(space, part, near.point, near.hessian, incumbent.cutoff, bound)
        if part.is_leaf:
            incumbent.offer(found)
            nodes[place] = replace(nodes[place], bound=found.bound, state="set")
        elif found.bound >= incumbent.cutoff:
            nodes[place] = replace(nodes[place], bound=found.bound, state="cut")
        else:
            nodes[place] = replace(nodes[place], bound=found.bound, state="split")
            incumbent.try_set(rounded(space, part, found), found.point, found.hessian)
            for child_bound, child in split(space, part, found):
                gone = set(part.free.tolist()) - set(child.free.tolist()) - set(child.inside.tolist())
                add(child_bound, child, place, _taken_away(space, gone, child), found)
        yield so_far()


def _taken_away(space: Space, gone: set[int], child: Part) -> int | None:
    """The feature that a child is without; a single set is without all the others, which says nothing."""
    return int(space.columns[next(iter(gone))]) if len(gone) == 1 else None
