"""Placement of labels at the ends of lines, close to their lines and without overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def spread_labels(wanted: Sequence[float] | FloatArray, gap: float, low: float, high: float) -> FloatArray:
    """Place labels at least ``gap`` apart and within [low, high], with the least sum of squared shifts.

    With z_i = y_i − i·gap (labels in order of their wanted positions) the gaps require only that z does not decrease.
    So the solution is an isotonic regression by pooling adjacent violators, clipped to the range.

    Parameters
    ----------
    wanted : sequence of float, length n
        Ends of the lines, in any order.
    gap : float
        Height of a label, in the same units. If n labels do not fit, the gap shrinks until they do.
    low, high : float
        The range.

    Returns
    -------
    ndarray, shape (n,)
        In the order of ``wanted``; order between labels is kept, among equals the first one is lowest.
    """
    targets = np.asarray(wanted, dtype=float)
    n = len(targets)
    if n == 0:
        return targets
    gap = min(gap, (high - low) / (n - 1)) if n > 1 else gap
    order = np.argsort(targets, kind="stable")
    steps = gap * np.arange(n)
    pooled = _isotonic(targets[order] - steps)
    placed = np.empty(n)
    placed[order] = np.clip(pooled, low, max(high - steps[-1], low)) + steps
    return placed


def _isotonic(values: FloatArray) -> FloatArray:
    """Compute the non-decreasing sequence nearest to ``values`` in least squares."""
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        mean, size = float(value), 1
        while means and means[-1] > mean:
            before, count = means.pop(), sizes.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        means.append(mean)
        sizes.append(size)
    return np.repeat(means, sizes)
