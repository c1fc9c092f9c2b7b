"""The relaxation of a node of the search tree: bounds from every point, Newton steps until they decide."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.penalties.base import best_on_ray
from core.solvers.best_subset._relaxation_kernels import (
    best_with_prices,
    largest_squares,
    minimise_model,
    relaxed_penalty,
)
from core.solvers.best_subset.space import IntArray, Point, Space
from core.solvers.problem import FloatArray

CLOSED = 1e-10  # relative gap at which the relaxation of a node is solved
TRUSTED = 0.5  # share by which a decrease may differ from the promised one before a Hessian is computed anew
MOST_STEPS = 100
MOST_MODEL_STEPS = 30
EXACTLY = 1e-8  # share of the gap to which quadratic models are minimised: the bound reacts to 1/lambda of that
MOST_HALVINGS = 30


@dataclass(frozen=True, eq=False)
class Part:
    """The models of a node: they have the features inside, and of the free ones what is left of the budget pays.

    Attributes
    ----------
    inside, free : ndarray of int
        Ascending, so that the same part gives the same numbers however it was reached.
    """

    inside: IntArray
    free: IntArray
    left: float

    @classmethod
    def of(cls, space: Space, inside: IntArray, free: IntArray) -> Self:
        """Make the part; free features that cannot be paid are dropped, and if all can be paid they come inside."""
        inside, free = np.sort(inside), np.sort(free)
        left = space.budget - float(space.costs[inside].sum())
        costs = space.costs[free]
        if space.threshold > 0.0:
            return cls(inside, free, left)
        if costs.sum() <= left:
            return cls.alone(np.concatenate([inside, free]))
        affordable = costs <= left
        if affordable.all():
            return cls(inside, free, left)
        return cls.of(space, inside, free[affordable])

    @classmethod
    def alone(cls, columns: IntArray) -> Self:
        """Make the part of one set of features, whatever it costs."""
        return cls(np.sort(columns), columns[:0], 0.0)

    @property
    def is_leaf(self) -> bool:
        """Whether it has one set of features only."""
        return len(self.free) == 0


@dataclass(frozen=True, eq=False)
class Relaxed:
    """What is known of a node.

    Attributes
    ----------
    bound : float
        No model of the part has a lower objective.
    primal : float
        The objective of the relaxation at the point; for a leaf, that of a model.
    hessian : ndarray
        Of a point nearby.
    """

    bound: float
    primal: float
    point: Point
    hessian: FloatArray


def dual_bound(space: Space, point: Point, part: Part) -> float:
    """Bound the objective of every model of the part from below, by the dual ray of any point."""
    towards = np.where(space.signs * point.gradient > 0.0, 0.0, point.gradient)
    if space.threshold > 0.0:
        priced: float = best_with_prices(
            point.dual_slope, point.loss, towards, part.inside, part.free, space.roots, space.threshold, space.lam
        )
        return priced
    squares = largest_squares(towards, part.inside, part.free, space.roots, part.left, np.inf)
    return best_on_ray(point.dual_slope, point.loss + squares / (2.0 * space.lam), np.inf)


def relax(
    space: Space, part: Part, near: Point, hessian: FloatArray, cutoff: float, bound: float, give_up: float = 0.0
) -> Relaxed:
    """Solve a relaxation until its bound reaches the cutoff, or until it is plain that it will not.

    Parameters
    ----------
    near : Point
        The point of the node above; its quadratic model gives the first point.
    hessian : ndarray
        Of a point near it.
    cutoff : float
        A part with a bound at or above it need not be looked at.
    bound : float
        Known already.
    give_up : float
        If the relaxation falls below it, it is not solved any further, because the part will be split.
    """
    start = np.zeros(space.n_columns)
    start[part.inside], start[part.free] = near.w[part.inside], near.w[part.free]
    aim = EXACTLY * max(cutoff - bound, CLOSED * cutoff)
    model = part.inside, part.free, space.roots, part.left, space.threshold, space.signs, space.lam, MOST_MODEL_STEPS
    start, _ = minimise_model(hessian, near.gradient, near.w, start, *model, aim)
    point = space.at(start)
    primal = point.loss + _penalty(space, part, point.w)
    fresh = False
    for _ in range(MOST_STEPS):
        bound = max(bound, dual_bound(space, point, part))
        gap = primal - bound
        if bound >= cutoff or gap <= CLOSED * primal or primal < give_up:
            break
        penalty = primal - point.loss
        target, value = minimise_model(hessian, point.gradient, point.w, point.w, *model, EXACTLY * gap)
        promised = penalty - value
        found, reached = _backtracked(space, part, point, primal, target)
        gain = primal - reached
        moved = gain > 0.0
        if moved:
            point, primal = found, reached
        elif fresh:
            break
        fresh = not moved or abs(gain - promised) > TRUSTED * promised
        if fresh:
            hessian = space.hessian(point.w)
    return Relaxed(bound, primal, point, hessian)


def fitted_set(space: Space, columns: IntArray, near: Point, hessian: FloatArray, cutoff: float) -> Relaxed | None:
    """Fit a set of features from a point nearby; None if its bound is at the cutoff."""
    part = Part.alone(columns)
    bound = dual_bound(space, near, part)
    return None if bound >= cutoff else relax(space, part, near, hessian, cutoff, bound)


def _backtracked(space: Space, part: Part, point: Point, primal: float, target: FloatArray) -> tuple[Point, float]:
    """Go towards the target, or a part of the way, so that the objective falls."""
    step = target - point.w
    found, reached = point, primal
    for halving in range(MOST_HALVINGS):
        found = space.at(target if halving == 0 else point.w + 0.5**halving * step)
        reached = found.loss + _penalty(space, part, found.w)
        if reached < primal:
            break
    return found, reached


def _penalty(space: Space, part: Part, w: FloatArray) -> float:
    """The penalty of the relaxation at weights that are 0 outside of the part."""
    value: float = relaxed_penalty(w, part.inside, part.free, space.roots, part.left, space.threshold, space.lam)[0]
    return value
