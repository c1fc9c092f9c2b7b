"""The nodes of the search tree, and looking at several of them at once.

Models of a node are split in the order in which features matter to its relaxation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.solvers.best_subset._relaxation_kernels import relaxed_penalty
from core.solvers.best_subset.relaxation import Part, Relaxed, dual_bound, fitted_set, relax
from core.solvers.best_subset.space import IntArray, Point, Space
from core.solvers.problem import FloatArray
from core.threads import pool_of, thread_count

Bits = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Place:
    """Where the relaxation of a node ended; its children begin there and share it.

    Attributes
    ----------
    triangle : ndarray of float32, shape (n_columns * (n_columns + 1) / 2,)
        The lower triangle of a Hessian nearby. Steps are taken by it, and no bound depends on it. It is of float64
        where single precision would overflow.
    """

    point: Point
    triangle: NDArray[np.floating]

    @classmethod
    def of(cls, found: Relaxed) -> Self:
        """Keep the end of a relaxation."""
        triangle = found.hessian[_lower(len(found.hessian))]
        fits = np.abs(triangle).max(initial=0.0) <= np.finfo(np.float32).max
        return cls(found.point, triangle.astype(np.float32) if fits else triangle)

    @property
    def hessian(self) -> FloatArray:
        """The Hessian, shape (n_columns, n_columns)."""
        d = len(self.point.w)
        rows, columns = _lower(d)
        full = np.empty((d, d))
        full[rows, columns] = self.triangle
        full[columns, rows] = self.triangle
        return full


@cache
def _lower(d: int) -> tuple[IntArray, IntArray]:
    return np.tril_indices(d)


@dataclass(order=True)
class Node:
    """A part of the models that has still to be looked at.

    Attributes
    ----------
    serial : int
        Of two nodes with the same bound the older one comes first.
    inside, free : ndarray of uint8
        The features of its part, a bit each.
    left : float
        What is left of the budget for free features.
    place : Place
        Where the relaxation above ended.
    """

    bound: float
    serial: int
    inside: Bits = field(compare=False)
    free: Bits = field(compare=False)
    left: float = field(compare=False)
    place: Place = field(compare=False)

    @classmethod
    def of(cls, bound: float, serial: int, part: Part, place: Place) -> Self:
        """Make the node of a part."""
        d = len(place.point.w)
        return cls(bound, serial, _bits(part.inside, d), _bits(part.free, d), part.left, place)

    @property
    def part(self) -> Part:
        """The models of the node."""
        return Part(_places(self.inside), _places(self.free), self.left)


def _bits(columns: IntArray, d: int) -> Bits:
    present = np.zeros(d, dtype=np.bool_)
    present[columns] = True
    return np.packbits(present)


def _places(bits: Bits) -> IntArray:
    return np.flatnonzero(np.unpackbits(bits))


@dataclass(frozen=True, eq=False)
class Task:
    """A node to look at.

    Attributes
    ----------
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
    return list(pool_of(threads, "search").map(lambda task: _look(space, task), tasks))


def _look(space: Space, task: Task) -> NodeResult:
    node, cutoff = task.node, task.cutoff
    part, hessian = node.part, node.place.hessian
    give_up = 0.0 if task.to_the_end or part.is_leaf else cutoff
    found = relax(space, part, node.place.point, hessian, cutoff, node.bound, give_up)
    place = Place(found.point, node.place.triangle) if found.hessian is hessian else Place.of(found)
    if part.is_leaf or found.bound >= cutoff:
        return NodeResult(node, found, place)
    model = None
    if task.round_off:
        model = fitted_set(space, rounded(space, part, found), found.point, found.hessian, cutoff)
    return NodeResult(node, found, place, model, tuple(split(space, part, found)))


LEAST_SHARE = 1e-3  # below which the share z of a feature counts as this much in the order of branching


def split(space: Space, part: Part, found: Relaxed) -> Iterator[tuple[float, Part]]:
    """Yield the parts "the first i - 1 features in, the i-th out", then the one of the features that fit, with bounds.

    Each set of features of the part is in exactly one of them.

    Parameters
    ----------
    found : Relaxed
        What its relaxation found; the order of branching and the bounds come from there.
    """
    order = branching_order(space, part, found)
    inside, free, room = part.inside, order, part.left
    for j in order:
        if space.costs[j] > room:
            continue
        free = free[free != j]
        child = Part.of(space, inside, free)
        yield max(found.bound, dual_bound(space, found.point, child)), child
        inside, room = np.append(inside, j), room - space.costs[j]
    leaf = Part.alone(inside)
    yield max(found.bound, dual_bound(space, found.point, leaf)), leaf


def branching_order(space: Space, part: Part, found: Relaxed) -> IntArray:
    """The free features, those first whose loss costs most by the quadratic model of the relaxation."""
    w, free = found.point.w, part.free
    _, tau = relaxed_penalty(w, part.inside, free, space.roots, part.left, space.threshold, space.lam)
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


def rounded(space: Space, part: Part, found: Relaxed) -> IntArray:
    """The features with the largest weights that the budget pays, or that are worth half of their price or more."""
    w, kept, room = found.point.w, part.inside.tolist(), part.left
    if space.threshold > 0.0:
        worth = np.abs(w[part.free]) >= 0.5 * space.threshold * space.roots[part.free]
        return np.sort(np.append(part.inside, part.free[worth]))
    for j in part.free[np.argsort(-np.abs(w[part.free]), kind="stable")].tolist():
        if space.costs[j] <= room:
            kept.append(j)
            room -= space.costs[j]
    return np.array(kept, dtype=np.int64)
