"""Compiled coordinate descent on a small quadratic plus a penalty that couples the absolute weights in pairs."""

from __future__ import annotations

import numpy as np

from core.kernels import kernel


@kernel
def coupled_lasso(hessian, gradient, start, threshold, coupling, tolerance, max_sweeps):  # type: ignore[no-untyped-def]
    """Minimise gradient.(u - start) + (u - start).H.(u - start) / 2 + sum threshold_j |u_j| + |u|.C.|u| / 2 over u.

    Each coordinate is soft-thresholded by its own threshold plus the coupling to the other coordinates. The directional
    derivative is a sum over coordinates, so a point that no single coordinate improves is a minimiser.

    Parameters
    ----------
    hessian, coupling : ndarray of float64, shape (k, k)
        H and C, symmetric and positive semi-definite; C has no negative entry.
    gradient, start, threshold : ndarray of float64, shape (k,)
        A threshold may be infinite.
    tolerance : float
        Stop when no coordinate's distance of 0 to the subdifferential exceeds it.
    max_sweeps : int

    Returns
    -------
    ndarray of float64, shape (k,)
    """
    k = len(start)
    u = start.copy()
    slope = gradient.copy()  # of the quadratic at u
    toll = coupling @ np.abs(u)
    largest = 0.0
    for j in range(k):
        largest = max(largest, hessian[j, j])
    floor = 1e-12 * largest  # keeps duplicate or nearly constant features bounded
    for _ in range(max_sweeps):
        worst = 0.0
        for j in range(k):
            own = hessian[j, j] + floor
            curvature = own + coupling[j, j]
            old = u[j]
            if curvature <= 0.0:  # nothing but the penalty is left to say where the coordinate goes
                new = 0.0
            else:
                pull = own * old - slope[j]
                limit = threshold[j] + toll[j] - coupling[j, j] * abs(old)
                if pull > limit:
                    new = (pull - limit) / curvature
                elif pull < -limit:
                    new = (pull + limit) / curvature
                else:
                    new = 0.0
            if new != old:
                move, growth = new - old, abs(new) - abs(old)
                u[j] = new
                for i in range(k):
                    slope[i] += move * hessian[i, j]
                    toll[i] += growth * coupling[i, j]
                worst = max(worst, abs(move) * curvature)
        if worst <= tolerance:
            break
    return u
