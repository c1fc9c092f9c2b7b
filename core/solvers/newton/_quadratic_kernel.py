"""Compiled coordinate descent on a small quadratic plus weighted l1, the subproblem of a proximal Newton step."""

from core.kernels import kernel


@kernel
def weighted_lasso(hessian, gradient, start, threshold, tolerance, max_sweeps, signs):  # type: ignore[no-untyped-def]
    """Minimise gradient.(u - start) + (u - start).H.(u - start) / 2 + sum threshold_j |u_j| over u.

    It sweeps over all coordinates, then over the non-zero ones until they settle, and repeats. It needs no pass over X.

    Parameters
    ----------
    hessian : ndarray of float64, shape (k, k)
        Symmetric, positive semi-definite.
    gradient, start, threshold : ndarray of float64, shape (k,)
    tolerance : float
        Stop when no coordinate's distance of 0 to the subdifferential exceeds it.
    signs : ndarray of float64, shape (k,)
        That u_j is to have if it is not 0; 0 where it may have either.

    Returns
    -------
    ndarray of float64, shape (k,)
    """
    k = len(start)
    u = start.copy()
    slope = gradient.copy()  # of the quadratic at u
    largest = 0.0
    for j in range(k):
        largest = max(largest, hessian[j, j])
    floor = 1e-12 * largest  # keeps duplicate or nearly constant features bounded
    full = True
    for _ in range(max_sweeps):
        worst = 0.0
        for j in range(k):
            if not full and u[j] == 0.0:
                continue
            curvature = hessian[j, j] + floor
            old = u[j]
            if curvature <= 0.0:  # nothing but the penalty is left to say where the coordinate goes
                u[j] = 0.0
                continue
            centre = old - slope[j] / curvature
            limit = threshold[j] / curvature
            if centre > limit:
                new = centre - limit
            elif centre < -limit:
                new = centre + limit
            else:
                new = 0.0
            if signs[j] * new < 0.0:
                new = 0.0
            if new != old:
                move = new - old
                u[j] = new
                for i in range(k):
                    slope[i] += move * hessian[i, j]
                worst = max(worst, abs(move) * curvature)
        if worst <= tolerance:
            if full:
                break
            full = True
        else:
            full = False
    return u
