"""Why one document stands above another under a linear model, the smallest change that swaps the two, and edits.

With scores w·x, document a stands above b by the gap Σ_j w_j (x_aj − x_bj), a sum with one term a feature. The gap is
linear in every single weight and in every single value, so that one division tells where it becomes 0. All of it is
worked out in fractions, which hold floating-point numbers exactly: a change that is said to swap two documents does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.data.ranking_data import FloatArray


def contributions(weights: FloatArray, values: ArrayLike) -> FloatArray:
    """Compute w_j x_j, whose sum is the score; for the values of one document, or a row for each of several."""
    return np.asarray(weights * np.asarray(values, dtype=np.float64))


def gap_terms(weights: FloatArray, above: ArrayLike, below: ArrayLike) -> FloatArray:
    """Compute w_j (x_aj − x_bj), whose sum is how far a scores above b, shape (n_features,)."""
    difference = np.asarray(above, dtype=np.float64) - np.asarray(below, dtype=np.float64)
    return np.asarray(weights * difference)


def exact_gap(weights: FloatArray, above: ArrayLike, below: ArrayLike) -> Fraction:
    """How far a scores above b, without any rounding."""
    return sum((w * (a - b) for w, a, b in zip(*map(_exact, (weights, above, below)), strict=True)), Fraction(0))


@dataclass(frozen=True)
class Swap:
    """A change of one number after which the lower document stands above the other.

    Attributes
    ----------
    feature : int
        Its column, from 0.
    now, needed : float
        The number as it is, and the nearest one, in double precision, with which the lower document scores higher.
    document : {"above", "below"} or None
        Whose value it is; None for the weight.
    """

    feature: int
    now: float
    needed: float
    document: str | None = None

    @property
    def change(self) -> float:
        """What has to be added."""
        return self.needed - self.now

    @property
    def further(self) -> float:
        """A number a millionth of the change further, with which the rounding of scores does not undo the swap."""
        return self.needed + 1e-6 * self.change


def weight_swaps(weights: FloatArray, above: ArrayLike, below: ArrayLike) -> tuple[Swap, ...]:
    """List, smallest change first, the new weight of each feature that swaps two documents, all others unchanged.

    Features with the same value in both documents are left out: their weights change nothing between the two.

    Raises a `ValueError` if the first document scores lower than the second.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    above, below : array-like, shape (n_features,)
        The documents' values. The first must not score lower than the second.
    """
    gap = _checked_gap(weights, above, below)
    w, a, b = map(_exact, (weights, above, below))
    swaps = [
        Swap(j, float(w[j]), _beyond(w[j] - gap / (a[j] - b[j]), upwards=a[j] < b[j]))
        for j in range(len(w))
        if a[j] != b[j]
    ]
    return _smallest_first(swaps)


def value_swaps(weights: FloatArray, above: ArrayLike, below: ArrayLike) -> tuple[Swap, ...]:
    """List, smallest change first, the new value of a feature, in either document, that swaps the two.

    Features of weight 0 are left out. Parameters and errors are those of `weight_swaps`.
    """
    gap = _checked_gap(weights, above, below)
    w, a, b = map(_exact, (weights, above, below))
    swaps = []
    for j in range(len(w)):
        if w[j]:
            swaps.append(Swap(j, float(a[j]), _beyond(a[j] - gap / w[j], upwards=w[j] < 0), "above"))
            swaps.append(Swap(j, float(b[j]), _beyond(b[j] + gap / w[j], upwards=w[j] > 0), "below"))
    return _smallest_first(swaps)


def _smallest_first(swaps: Sequence[Swap]) -> tuple[Swap, ...]:
    """Without those that no double-precision number can make."""
    return tuple(sorted((swap for swap in swaps if math.isfinite(swap.needed)), key=lambda swap: abs(swap.change)))


def _checked_gap(weights: FloatArray, above: ArrayLike, below: ArrayLike) -> Fraction:
    gap = exact_gap(weights, above, below)
    if gap < 0:
        msg = "the first document scores lower than the second; give them the other way round"
        raise ValueError(msg)
    return gap


def _exact(values: ArrayLike) -> list[Fraction]:
    return [Fraction(value) for value in np.asarray(values, dtype=np.float64).tolist()]


def _beyond(threshold: Fraction, *, upwards: bool) -> float:
    """The nearest double-precision number strictly beyond a threshold, at which the two would be tied."""
    towards = math.inf if upwards else -math.inf
    try:
        nearest = float(threshold)
    except OverflowError:
        return towards
    while (Fraction(nearest) <= threshold) if upwards else (Fraction(nearest) >= threshold):
        nearest = math.nextafter(nearest, towards)
        if math.isinf(nearest):
            break
    return nearest


_ONE = re.compile(r"w(\d+)=(\S+)|d(\d+)\.(\d+)=(\S+)")


@dataclass(frozen=True)
class Edits:
    """New weights, and new values of documents of one query.

    Attributes
    ----------
    weights : tuple of (int, float)
        Columns, from 0, with their new weights.
    values : tuple of (int, int, float)
        Documents (from 0, in the order of the file) and columns, with their new values.
    """

    weights: tuple[tuple[int, float], ...] = ()
    values: tuple[tuple[int, int, float], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.weights or self.values)

    @property
    def of_model(self) -> Edits:
        """Those of weights alone, which hold for every query."""
        return Edits(self.weights)

    def model(self, weights: FloatArray) -> FloatArray:
        """Return the weights with those changed."""
        changed = weights.copy()
        for j, weight in self.weights:
            changed[j] = weight
        return changed

    def features(self, values: NDArray[np.floating]) -> FloatArray:
        """Return the features of the query's documents, shape (n_documents, n_features), with those changed."""
        changed = np.array(values, dtype=np.float64)
        for document, j, value in self.values:
            changed[document, j] = value
        return changed

    def text(self) -> str:
        """Write them as `read_edits` reads them, for example ``w3=0.5;d1.3=0.25``; all count from 1."""
        weights = [f"w{j + 1}={weight!r}" for j, weight in self.weights]
        return ";".join(weights + [f"d{i + 1}.{j + 1}={value!r}" for i, j, value in self.values])


def read_edits(text: str, n_documents: int, n_features: int) -> Edits:
    """Read edits; what names no document or feature that is there, or no finite number, is left out."""
    weights: dict[int, float] = {}
    values: dict[tuple[int, int], float] = {}
    for part in text.split(";"):
        found = _ONE.fullmatch(part.strip())
        if found is None:
            continue
        number = _number(found[2] or found[5])
        column = int(found[1] or found[4]) - 1
        document = 0 if found[3] is None else int(found[3]) - 1
        if number is None or not 0 <= column < n_features or not 0 <= document < n_documents:
            continue
        if found[3] is None:
            weights[column] = number
        else:
            values[document, column] = number
    return edits_of(weights.items(), ((i, j, value) for (i, j), value in values.items()))


def edits_of(weights: Iterable[tuple[int, float]], values: Iterable[tuple[int, int, float]]) -> Edits:
    """Make edits from any order."""
    return Edits(tuple(sorted(weights)), tuple(sorted(values)))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
