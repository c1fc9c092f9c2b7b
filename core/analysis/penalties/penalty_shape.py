"""The shape of a penalty of one weight in a few numbers: slopes, and threshold and leap of its prox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.methods import Method
from core.methods.registry import RANKSVM
from core.penalties import Parameter, Penalty


@dataclass(frozen=True)
class PenaltyShape:
    """A penalty's numbers at one step of its prox.

    Attributes
    ----------
    at_one : float
        g(1).
    slope_at_zero, slope_at_one : float
        g'(0+), which may be infinite, and g'(1).
    threshold : float
        Largest v that the prox maps to exactly 0; 0 if there is none.
    leap : float
        Weight to which the prox jumps at the threshold; 0 if it is continuous there.
    """

    at_one: float
    slope_at_zero: float
    slope_at_one: float
    threshold: float
    leap: float


def penalty_methods() -> tuple[Method, ...]:
    """Return the methods that differ only in their penalty, each of which is a curve of one weight."""
    return RANKSVM


def penalty_of(method: Method, parameters: Mapping[str, float]) -> Penalty:
    """Return a method's penalty, with defaults for the parameters that are not given."""
    return method.make_penalty(method.settings(parameters), 1.0)


def parameters_of(method: Method) -> tuple[Parameter, ...]:
    """Return the parameters of the penalty itself, without those that derive them from C."""
    return penalty_of(method, {}).parameters


def penalty_shape(penalty: Penalty, step: float) -> PenaltyShape:
    """Measure the shape of a penalty; ``step`` > 0 is the step of its prox."""
    one, zero = np.ones(1), np.zeros(1)
    threshold = _threshold(penalty, step)
    leap = float(penalty.prox(np.array([threshold * (1.0 + 1e-9)]), step)[0]) if threshold > 0.0 else 0.0
    return PenaltyShape(
        at_one=float(penalty.curve(one)[0]),
        slope_at_zero=float(penalty.weights(zero)[0]),
        slope_at_one=float(penalty.weights(one)[0]),
        threshold=threshold,
        leap=leap if leap > 1e-3 * threshold else 0.0,
    )


def _threshold(penalty: Penalty, step: float) -> float:
    """Find the threshold by bisection: the prox is 0 up to there and nowhere beyond."""
    low, high = 0.0, 1.0
    while float(penalty.prox(np.array([high]), step)[0]) == 0.0:
        low, high = high, 2.0 * high
    for _ in range(80):
        middle = 0.5 * (low + high)
        if float(penalty.prox(np.array([middle]), step)[0]) == 0.0:
            low = middle
        else:
            high = middle
    return low if low > 1e-12 else 0.0
