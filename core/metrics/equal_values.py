"""Equality of two values of a measure up to rounding, for every choice between them."""

from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from core.data.ranking_data import FloatArray

EQUAL_DIGITS = 12
"""Values that agree to this many decimals are equal; later digits are rounding, which depends on the processor."""


def first_highest(values: ArrayLike) -> int:
    """The place of the highest value, of several equal ones the first.

    Raises a `ValueError` if there are no values.

    Parameters
    ----------
    values : array-like, shape (n_values,)
        In the order in which they win where they are equal.
    """
    return int(np.argmax(rounded(np.asarray(values, dtype=np.float64))))


@overload
def rounded(values: float) -> float: ...
@overload
def rounded(values: FloatArray) -> FloatArray: ...
def rounded(values: float | FloatArray) -> float | FloatArray:
    """Round a value, or every value of an array, to `EQUAL_DIGITS` decimals: for comparisons, not for display."""
    if isinstance(values, np.ndarray):
        return np.asarray(np.round(values, EQUAL_DIGITS))
    return round(float(values), EQUAL_DIGITS)
