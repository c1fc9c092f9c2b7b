"""Compiled rows whose products give the Hessian of `TopShareBarrier` in the weights; there is no row a pair."""

from __future__ import annotations

import numpy as np

from core.kernels import kernel


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
