"""Compiled sweeps of `TopShareBarrier` over the multipliers of all pairs of a range of queries.

The letters are those of `TopShareBarrier`. Inside a kernel, the prefix d means a change, and w the wanted change of a
product.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.kernels import kernel
from core.losses.base import FloatArray, IntArray


class Layout(NamedTuple):
    """Positions in the arrays: the pair of negative j and positive i of query q is at ``pair_start[q] + j * m + i``.

    ``positives`` and ``negatives`` hold document rows, those of a query from ``positive_start[q]`` and
    ``negative_start[q]``. ``fixed`` marks the queries all of whose negatives count in full.
    """

    pair_start: IntArray
    positive_start: IntArray
    negative_start: IntArray
    positives: IntArray
    negatives: IntArray
    fixed: NDArray[np.bool_]


class State(NamedTuple):
    """Variables: alpha, gamma, slack, xi of every pair; p, cap - p, sigma, eta of every negative; t of every query."""

    alpha: FloatArray
    gamma: FloatArray
    slack: FloatArray
    xi: FloatArray
    p: FloatArray
    spare: FloatArray
    sigma: FloatArray
    eta: FloatArray
    t: FloatArray


class Changes(NamedTuple):
    """Changes of a `State`; gamma changes by p / m - alpha, and cap - p by minus the change of p."""

    alpha: FloatArray
    slack: FloatArray
    xi: FloatArray
    p: FloatArray
    sigma: FloatArray
    eta: FloatArray
    t: FloatArray


class Wanted(NamedTuple):
    """Wanted changes of the products alpha slack, gamma xi, p sigma and (cap - p) eta."""

    slack: FloatArray
    xi: FloatArray
    sigma: FloatArray
    eta: FloatArray


class Curvature(NamedTuple):
    """Theta and omega of every pair, and pi of every negative; see `linearise`."""

    theta: FloatArray
    omega: FloatArray
    pi: FloatArray


@kernel
def linearise(layout, first, last, state, curvature):  # type: ignore[no-untyped-def]
    """Compute each pair's curvature (theta), its cap's share in its multiplier (omega), and each p's curvature (pi)."""
    pair_start, positive_start, negative_start, _positives, _negatives, fixed = layout
    al, ga, sl, xi, p, pg, sigma, eta, _t = state
    theta, omega, pi = curvature
    for q in range(first, last):
        m = positive_start[q + 1] - positive_start[q]
        for j in range(negative_start[q], negative_start[q + 1]):
            begin = pair_start[q] + (j - negative_start[q]) * m
            spare = 0.0
            for e in range(begin, begin + m):
                rise = xi[e] / ga[e]
                theta[e] = 1.0 / (rise + sl[e] / al[e])
                omega[e] = theta[e] * rise
                spare += theta[e] * rise * (sl[e] / al[e])
            pi[j] = 0.0 if fixed[q] else 1.0 / (eta[j] / pg[j] + sigma[j] / p[j] + spare / (m * m))


@kernel
def respond(layout, first, last, state, changes, wanted, curvature, mass, scores, score_changes, keep, signed):  # type: ignore[no-untyped-def]
    """Compute the change of the signed multipliers for a change of the scores, and write it into ``signed``.

    With ``keep`` all other changes are stored too, and the longest step is returned.
    """
    pair_start, positive_start, negative_start, positives, negatives, fixed = layout
    al, ga, sl, xi, p, pg, sigma, eta, t = state
    dal, dsl, dxi, dp, dsigma, deta, dt = changes
    wsl, wxi, wsigma, weta = wanted
    theta, omega, pi = curvature
    longest = 1.0
    for q in range(first, last):
        m = positive_start[q + 1] - positive_start[q]
        n = negative_start[q + 1] - negative_start[q]
        top = positive_start[q]
        low = negative_start[q]
        height = np.empty(m * n)
        ahead = np.zeros(n)
        sum_pi = 0.0
        sum_rise = 0.0
        missing = mass
        for j in range(n):
            score = scores[negatives[low + j]]
            move = score_changes[negatives[low + j]]
            begin = pair_start[q] + j * m
            level = 0.0
            known = 0.0
            for i in range(m):
                e = begin + i
                residual = xi[e] - sl[e] - (1.0 + score - scores[positives[top + i]])
                h = wxi[e] / ga[e] - wsl[e] / al[e] + residual
                height[j * m + i] = h
                level += xi[e]
                known += wxi[e] / ga[e] + omega[e] * (move - score_changes[positives[top + i]] - h)
            if not fixed[q]:
                a = low + j
                residual = eta[a] - sigma[a] - (level / m - t[q])
                ahead[j] = known / m - weta[a] / pg[a] + wsigma[a] / p[a] - residual
                sum_pi += pi[a]
                sum_rise += pi[a] * ahead[j]
                missing -= p[a]
        rise = 0.0 if fixed[q] else (sum_rise - missing) / sum_pi
        for i in range(m):
            signed[positives[top + i]] = 0.0
        for j in range(n):
            a = low + j
            lift = 0.0 if fixed[q] else pi[a] * (ahead[j] - rise)
            move = score_changes[negatives[a]]
            begin = pair_start[q] + j * m
            total = 0.0
            for i in range(m):
                e = begin + i
                h = height[j * m + i]
                turn = theta[e] * (move - score_changes[positives[top + i]] - h) + omega[e] * lift / m
                total += turn
                signed[positives[top + i]] -= turn
                if keep:
                    cap = lift / m - turn
                    dal[e] = turn
                    dsl[e] = (wsl[e] - sl[e] * turn) / al[e]
                    dxi[e] = (wxi[e] - xi[e] * cap) / ga[e]
                    if turn < 0.0:
                        longest = min(longest, -al[e] / turn)
                    if cap < 0.0:
                        longest = min(longest, -ga[e] / cap)
                    if dsl[e] < 0.0:
                        longest = min(longest, -sl[e] / dsl[e])
                    if dxi[e] < 0.0:
                        longest = min(longest, -xi[e] / dxi[e])
            signed[negatives[a]] = total
            if keep and not fixed[q]:
                dp[a] = lift
                dsigma[a] = (wsigma[a] - sigma[a] * lift) / p[a]
                deta[a] = (weta[a] + eta[a] * lift) / pg[a]
                if lift < 0.0:
                    longest = min(longest, -p[a] / lift)
                elif lift > 0.0:
                    longest = min(longest, pg[a] / lift)
                if dsigma[a] < 0.0:
                    longest = min(longest, -sigma[a] / dsigma[a])
                if deta[a] < 0.0:
                    longest = min(longest, -eta[a] / deta[a])
        if keep:
            dt[q] = rise
    return longest


@kernel
def aim(layout, first, last, state, changes, wanted, target, correct):  # type: ignore[no-untyped-def]
    """Set the wanted change of every product, to reach the target.

    With ``correct`` the product of the last changes is subtracted.
    """
    pair_start, positive_start, negative_start, _positives, _negatives, _fixed = layout
    al, ga, sl, xi, p, pg, sigma, eta, _t = state
    dal, dsl, dxi, dp, dsigma, deta, _dt = changes
    wsl, wxi, wsigma, weta = wanted
    for q in range(first, last):
        m = positive_start[q + 1] - positive_start[q]
        for a in range(negative_start[q], negative_start[q + 1]):
            begin = pair_start[q] + (a - negative_start[q]) * m
            for e in range(begin, begin + m):
                wsl[e] = target - al[e] * sl[e]
                wxi[e] = target - ga[e] * xi[e]
                if correct:
                    wsl[e] -= dal[e] * dsl[e]
                    wxi[e] -= (dp[a] / m - dal[e]) * dxi[e]
            wsigma[a] = target - p[a] * sigma[a]
            weta[a] = target - pg[a] * eta[a]
            if correct:
                wsigma[a] -= dp[a] * dsigma[a]
                weta[a] += dp[a] * deta[a]


@kernel
def promise(layout, first, last, state, changes, step):  # type: ignore[no-untyped-def]
    """Sum the products after a step of this length."""
    pair_start, positive_start, negative_start, _positives, _negatives, fixed = layout
    al, ga, sl, xi, p, pg, sigma, eta, _t = state
    dal, dsl, dxi, dp, dsigma, deta, _dt = changes
    total = 0.0
    for q in range(first, last):
        m = positive_start[q + 1] - positive_start[q]
        for a in range(negative_start[q], negative_start[q + 1]):
            begin = pair_start[q] + (a - negative_start[q]) * m
            for e in range(begin, begin + m):
                total += (al[e] + step * dal[e]) * (sl[e] + step * dsl[e])
                total += (ga[e] + step * (dp[a] / m - dal[e])) * (xi[e] + step * dxi[e])
            if not fixed[q]:
                total += (p[a] + step * dp[a]) * (sigma[a] + step * dsigma[a])
                total += (pg[a] - step * dp[a]) * (eta[a] + step * deta[a])
    return total


@kernel
def advance(layout, first, last, state, changes, step):  # type: ignore[no-untyped-def]
    """Take the step."""
    pair_start, positive_start, negative_start, _positives, _negatives, fixed = layout
    al, ga, sl, xi, p, pg, sigma, eta, t = state
    dal, dsl, dxi, dp, dsigma, deta, dt = changes
    for q in range(first, last):
        m = positive_start[q + 1] - positive_start[q]
        for a in range(negative_start[q], negative_start[q + 1]):
            begin = pair_start[q] + (a - negative_start[q]) * m
            for e in range(begin, begin + m):
                al[e] += step * dal[e]
                ga[e] += step * (dp[a] / m - dal[e])
                sl[e] += step * dsl[e]
                xi[e] += step * dxi[e]
            if not fixed[q]:
                p[a] += step * dp[a]
                pg[a] -= step * dp[a]
                sigma[a] += step * dsigma[a]
                eta[a] += step * deta[a]
        t[q] += step * dt[q]


@kernel
def hessian_rows(features, layout, first, last, curvature, scaled, beaten):  # type: ignore[no-untyped-def]
    """Fill rows such that the Hessian in weights is scaled'scaled - x'beaten - beaten'x, x the positives' rows.

    All rows are relative to the query's first positive. Returns the number of rows filled in ``scaled``.
    """
    pair_start, positive_start, negative_start, positives, negatives, fixed = layout
    theta, omega, pi = curvature
    width = features.shape[1]
    row = np.empty(width)
    n_scaled = 0
    filled = 0
    for q in range(first, last):
        m = positive_start[q + 1] - positive_start[q]
        n = negative_start[q + 1] - negative_start[q]
        top = positive_start[q]
        low = negative_start[q]
        origin = positives[top]
        sums = np.zeros(m)
        x = np.empty((m, width))
        mean = np.zeros(width)
        weight = 0.0
        for i in range(m):
            for c in range(width):
                x[i, c] = np.float64(features[positives[top + i], c]) - np.float64(features[origin, c])
                beaten[filled + i, c] = 0.0
        begin_lift = n_scaled
        for j in range(n):
            begin = pair_start[q] + j * m
            part = 0.0
            whole = 0.0
            lean = np.zeros(width)
            for c in range(width):
                row[c] = np.float64(features[negatives[low + j], c]) - np.float64(features[origin, c])
            for i in range(m):
                th = theta[begin + i]
                om = omega[begin + i] / m
                part += th
                whole += om
                sums[i] += th
                for c in range(width):
                    beaten[filled + i, c] += th * row[c]
                    lean[c] += om * x[i, c]
            root = np.sqrt(part)
            for c in range(width):
                scaled[n_scaled, c] = root * row[c]
            n_scaled += 1
            if not fixed[q]:
                weight += pi[low + j]
                for c in range(width):
                    scaled[n_scaled, c] = whole * row[c] - lean[c]
                    mean[c] += pi[low + j] * scaled[n_scaled, c]
                n_scaled += 1
        if not fixed[q]:
            for j in range(n):
                root = np.sqrt(pi[low + j])
                r = begin_lift + 2 * j + 1
                for c in range(width):
                    scaled[r, c] = root * (scaled[r, c] - mean[c] / weight)
        for i in range(m):
            root = np.sqrt(sums[i])
            for c in range(width):
                scaled[n_scaled, c] = root * x[i, c]
            n_scaled += 1
        filled += m
    return n_scaled
