"""The proximal operator of the infinite push loss of pairs, by projections on l1,inf: exact, and as in the paper."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from core.kernels import kernel
from core.losses.base import FloatArray
from core.solvers.admm.pairs import PairBlocks


@kernel
def project_l1_inf(values, block_start, height, radius, cap):  # type: ignore[no-untyped-def]
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
    for b in range(len(height)):
        first, last, rows = block_start[b], block_start[b + 1], height[b]
        columns = (last - first) // rows
        levels = _levels(values[first:last], rows, columns, radius[b], min(cap[b], radius[b]))
        for j in range(columns):
            for k in range(first + j * rows, first + (j + 1) * rows):
                projected[k] = min(max(values[k], -levels[j]), levels[j])
    return projected


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


@dataclass(frozen=True, eq=False)
class DualBall:
    """The dual points alpha of the loss: |alpha_ij| <= tau_j with sum_j tau_j <= radius, tau_j <= cap, in every query.

    The loss of one query is g(a) = max_j (1/m) sum_i (a_ij)_+, the maximum of alpha.a over alpha >= 0 in the ball of
    radius 1/m. The mean over Q queries divides the radius by Q. If the loss is the mean of the k largest columns, no
    column may take more than 1/k of the radius: that is the cap.

    Attributes
    ----------
    radius, cap : ndarray of float64, shape (n_blocks,)
    """

    pairs: PairBlocks
    radius: FloatArray
    cap: FloatArray

    def project(self, values: FloatArray, scale: float) -> FloatArray:
        """Project on the ball times ``scale``, shape (n_pairs,)."""
        pairs = self.pairs
        radius, cap = scale * self.radius, scale * self.cap
        projected: FloatArray = project_l1_inf(values, pairs.block_start, pairs.height, radius, cap)
        return projected

    def scaled_inside(self, alpha: FloatArray) -> FloatArray:
        """Scale alpha >= 0 down in every query where it is outside the ball, so that it is a dual point."""
        pairs = self.pairs
        heights = np.repeat(pairs.height, pairs.width)
        tau = np.maximum.reduceat(alpha, np.cumsum(heights) - heights)
        first_column = np.cumsum(pairs.width) - pairs.width
        total = np.add.reduceat(tau, first_column)
        highest = np.maximum.reduceat(tau, first_column)
        excess = np.maximum(np.maximum(total / self.radius, highest / self.cap), 1.0)
        scaled: FloatArray = alpha / np.repeat(excess, pairs.height * pairs.width)
        return scaled


def exact_prox(ball: DualBall, s: FloatArray, step: float) -> FloatArray:
    """Minimise ||a - s||^2 / 2 + step * g(a) over a, shape (n_pairs,), by one projection.

    By duality a = s - alpha, where alpha is the point of the ball times step nearest to the positive part of s: it
    maximises alpha.s - ||alpha||^2 / 2 over alpha >= 0 there. All columns that stay at the maximum share theta, the sum
    of their positive parts, and theta solves one scalar equation (`project_l1_inf`).
    """
    return s - ball.project(np.maximum(s, 0.0), step)


PROX_TOL = 1e-8  # of `nested_prox`; constant, as in the paper


def nested_prox(
    ball: DualBall,
    s: FloatArray,
    step: float,
    tol: float = PROX_TOL,
    gamma: float = 1.0,
    eta: float = 1.9,
    most_rounds: int = 1_000,
) -> FloatArray:
    """Do as `exact_prox` by lines 8 to 18 of Algorithm 1: block coordinate descent with Douglas-Rachford inside.

    a is a+ - a-. Line 14 of the paper omits the radius of the ball. By its eq. 14 the radius is gamma / (m mu), here
    ``gamma * step`` times that of `DualBall`. With this radius the first a+ is already the solution, and the second
    round only confirms it.

    Parameters
    ----------
    tol : float
        Both loops end when no entry of their vector moves by more (in units of a margin).
    gamma : float
        Step of Douglas-Rachford, > 0 (not the multiplier of the same letter).
    eta : float
        Relaxation, between 0 and 2. With gamma = 1 and entries that keep their sign, a round multiplies the error by
        |1 - eta / 2|, so 1.9 needs a third of the rounds of 1.
    most_rounds : int
        Largest number of rounds of each loop.
    """

    def positive_part(b: FloatArray) -> FloatArray:
        """Minimise ||a+ - b||^2 / 2 + step * max_j sum_i |a+_ij| / m over a+ >= 0 (eq. 11)."""
        u, v = np.full_like(b, np.inf), np.zeros_like(b)
        for _ in range(most_rounds):
            before, u = u, np.maximum(v + gamma * b, 0.0) / (1.0 + gamma)
            if _largest_move(u, before) <= tol:
                break
            v = v + eta * (u - v - ball.project(2.0 * u - v, gamma * step))
        return u

    positive = negative = np.zeros_like(s)
    for _ in range(most_rounds):
        before = positive, negative
        negative = np.maximum(positive - s, 0.0)
        positive = positive_part(negative + s)
        if max(_largest_move(positive, before[0]), _largest_move(negative, before[1])) <= tol:
            break
    return positive - negative


def _largest_move(now: FloatArray, before: FloatArray) -> float:
    return float(np.abs(now - before).max(initial=0.0))
