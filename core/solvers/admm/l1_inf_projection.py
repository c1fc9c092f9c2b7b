"""Projection onto l1,inf balls (Quattoni et al. 2009) by a monotone scalar equation instead of sorted events."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels import kernel

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def project_l1_inf(
    values: FloatArray, block_start: IntArray, height: IntArray, radius: FloatArray, cap: FloatArray
) -> FloatArray:
    """Project onto sum_j max_i |u_ij| <= radius and max_i |u_ij| <= cap, block by block.

    Quattoni, Carreras, Collins & Darrell (2009): the nearest point is u_ij = sign(v_ij) min(|v_ij|, tau_j). Every
    column that is not emptied, and whose cap does not bind, loses the same sum: sum_i (|v_ij| - tau_j)_+ = theta. Each
    tau_j falls as theta rises, so theta is the root of the monotone equation sum_j tau_j(theta) = radius.

    A cap of at least the radius does not restrict the ball. With a smaller cap it is the dual ball of a sum of several
    largest columns.

    Parameters
    ----------
    values : ndarray of float64, shape (n_values,)
        The blocks one after the other; within a block, the columns one after the other.
    block_start : ndarray of int64, shape (n_blocks + 1,)
        Block b is ``values[block_start[b]:block_start[b + 1]]``.
    height : ndarray of int64, shape (n_blocks,)
        Length of each block's columns, > 0; it divides the block's size.
    radius, cap : ndarray of float64, shape (n_blocks,)
        > 0.

    Returns
    -------
    ndarray of float64, shape (n_values,)
    """
    projected = np.empty_like(values)
    _project_blocks(values, block_start, height, radius, cap, projected)
    return projected


@kernel
def _project_blocks(values, block_start, height, radius, cap, projected):  # type: ignore[no-untyped-def]
    for b in range(len(height)):
        first, last, rows = block_start[b], block_start[b + 1], height[b]
        columns = (last - first) // rows
        levels = _levels(values[first:last], rows, columns, radius[b], min(cap[b], radius[b]))
        for j in range(columns):
            for k in range(first + j * rows, first + (j + 1) * rows):
                projected[k] = min(max(values[k], -levels[j]), levels[j])


@njit(nogil=True, cache=True)
def _levels(block, rows, columns, radius, cap):  # type: ignore[no-untyped-def]
    """Compute tau_j of every column of a block, shape (columns,)."""
    tau = np.empty(columns)
    size = np.empty(columns)  # sum_i |v_ij|: from this theta on, the column is empty
    above_cap = np.empty(columns)  # sum_i (|v_ij| - cap)_+: up to this theta, the cap binds
    inside = 0.0
    for j in range(columns):
        peak, total, excess = 0.0, 0.0, 0.0
        for k in range(j * rows, (j + 1) * rows):
            magnitude = abs(block[k])
            peak = max(peak, magnitude)
            total += magnitude
            excess += max(magnitude - cap, 0.0)
        size[j], above_cap[j] = total, excess
        tau[j] = min(peak, cap)
        inside += tau[j]
    if inside <= radius:
        return tau

    # As many columns as fill the radius when capped: while theta is below the last one's excess, the sum is too large.
    filling = int(np.ceil(radius / cap))
    low = np.sort(above_cap)[columns - filling] if filling <= columns else 0.0
    kept = np.flatnonzero(size > low)
    fallen, sums = _sorted_columns(block, rows, kept)
    theta = _shared_loss(fallen, sums, rows, radius, cap, low, size.max())
    tau[:] = 0.0
    for place, column in enumerate(kept):
        if size[column] > theta:
            tau[column] = min(_level(fallen, sums, place * rows, rows, theta)[0], cap)
    return tau


@njit(nogil=True, cache=True)
def _sorted_columns(block, rows, kept):  # type: ignore[no-untyped-def]
    """Sort the absolute values of the kept columns, descending, with running sums; both shape (n_kept * rows,)."""
    fallen = np.empty(len(kept) * rows)
    sums = np.empty(len(kept) * rows)
    for place, j in enumerate(kept):
        column = np.sort(-np.abs(block[j * rows : (j + 1) * rows]))
        running = 0.0
        for i in range(rows):
            running -= column[i]
            fallen[place * rows + i] = -column[i]
            sums[place * rows + i] = running
    return fallen, sums


@njit(nogil=True, cache=True)
def _level(fallen, sums, start, rows, theta):  # type: ignore[no-untyped-def]
    """Solve sum_i (|v_i| - tau)_+ = theta for tau in one sorted column; also return the number of entries above tau.

    With k entries above, tau = (sum of the k largest - theta) / k; k is right once the (k + 1)-th entry is not above.
    """
    low, high = 1, rows
    while low < high:
        k = (low + high) >> 1
        if sums[start + k - 1] - k * fallen[start + k] >= theta:
            high = k
        else:
            low = k + 1
    return (sums[start + low - 1] - theta) / low, low


@njit(nogil=True, cache=True)
def _shared_loss(fallen, sums, rows, radius, cap, low, high):  # type: ignore[no-untyped-def]
    """Solve sum_j tau_j(theta) = radius for theta in [low, high] by Newton's method with a bracket.

    Without caps the sum is convex and piecewise linear, and Newton from below ends exactly after a few steps.
    """
    theta = low
    for _ in range(MOST_NEWTON_STEPS):
        excess, slope = -radius, 0.0
        for start in range(0, len(fallen), rows):
            if sums[start + rows - 1] <= theta:
                continue
            level, above = _level(fallen, sums, start, rows, theta)
            if level >= cap:
                excess += cap
            else:
                excess += level
                slope += 1.0 / above
        if abs(excess) <= ROUNDING * radius:
            break
        if excess > 0.0:
            low = theta
        else:
            high = theta
        new = theta + excess / slope if slope > 0.0 else high
        if not low < new < high:
            new = 0.5 * (low + high)
        if new == theta:
            break
        theta = new
    return theta


MOST_NEWTON_STEPS = 200
ROUNDING = 1e-15
