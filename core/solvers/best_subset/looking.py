"""A look at a node of the tree: what its relaxation finds, and the parts into which it falls."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from core.solvers.best_subset.branching import rounded, split
from core.solvers.best_subset.nodes import Node, Place
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, relax
from core.solvers.best_subset.space import IntArray, Space
from core.threads import thread_count

_pools: dict[int, ThreadPoolExecutor] = {}
if hasattr(os, "register_at_fork"):  # a forked child has the pool's record but none of its threads
    os.register_at_fork(after_in_child=_pools.clear)


@dataclass(frozen=True, eq=False)
class Task:
    """A node to look at.

    Attributes
    ----------
    node : Node
    cutoff : float
        A part with a bound at or above it is left aside.
    to_the_end : bool
        Whether to solve the relaxation, though it be plain before that the part will be split.
    round_off : bool
        Whether to fit the set of the features with the largest weights.
    """

    node: Node
    cutoff: float
    to_the_end: bool
    round_off: bool


@dataclass(frozen=True, eq=False)
class NodeResult:
    """What was found at a node.

    Attributes
    ----------
    node : Node
    found : Relaxed
    place : Place
        Where the relaxation ended.
    model : Relaxed or None
        Of the set to which the relaxation was rounded.
    parts : tuple of (float, Part)
        Those into which it falls, with their bounds; empty for a leaf, or where the bound is at the cutoff.
    """

    node: Node
    found: Relaxed
    place: Place
    model: Relaxed | None = None
    parts: tuple[tuple[float, Part], ...] = ()


def look_at_all(space: Space, tasks: Sequence[Task]) -> list[NodeResult]:
    """Look at several nodes, one a thread. What is found does not depend on the threads, nor on which is first."""
    threads = min(thread_count(), len(tasks))
    if threads <= 1:
        return [_look(space, task) for task in tasks]
    pool = _pools.get(threads)
    if pool is None:
        pool = _pools[threads] = ThreadPoolExecutor(threads, thread_name_prefix="search")
    return list(pool.map(lambda task: _look(space, task), tasks))


def model_of_set(space: Space, columns: IntArray, near: Relaxed, cutoff: float) -> Relaxed | None:
    """Fit a set of features from a point nearby; None if its bound is at the cutoff."""
    part = Part.alone(columns)
    bound = dual_bound(space, near.point, part)
    return None if bound >= cutoff else relax(space, part, near.point, near.hessian, cutoff, bound)


def _look(space: Space, task: Task) -> NodeResult:
    node, cutoff = task.node, task.cutoff
    part, hessian = node.part, node.place.hessian
    give_up = 0.0 if task.to_the_end or part.is_leaf else cutoff
    found = relax(space, part, node.place.point, hessian, cutoff, node.bound, give_up)
    place = Place(found.point, node.place.triangle) if found.hessian is hessian else Place.of(found)
    if part.is_leaf or found.bound >= cutoff:
        return NodeResult(node, found, place)
    model = model_of_set(space, rounded(space, part, found), found, cutoff) if task.round_off else None
    return NodeResult(node, found, place, model, tuple(split(space, part, found)))
