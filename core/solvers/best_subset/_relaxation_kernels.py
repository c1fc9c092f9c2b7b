"""Compiled parts of the relaxation: its penalty, its conjugate and the minimiser of a quadratic model with it.

Of the features that a node leaves free, a share z_j in [0, 1] may be taken, and the shares may cost what is left of the
budget. The penalty of weights u is then the minimum over z of (lambda/2) sum_j u_j^2 / z_j. With q_j the root of the
cost, the minimum has z_j = min(1, |u_j| / (q_j tau)). The features with the largest |u_j| / q_j have z_j = 1
("saturated"); the others together pay (sum_j q_j |u_j|)^2 over what those leave of the budget. With equal costs it is
the k-support norm of Argyriou, Foygel & Srebro (2012). Features are found by repeated selection: only few are needed.

Where features have a price instead of a budget, the penalty has (lambda/2) threshold^2 sum_j q_j^2 z_j beside it. Then
tau is the threshold, whatever the weights are, and features no longer depend on one another (the reverse Huber penalty
of Pilanci, Wainwright & El Ghaoui 2015). A threshold of 0 means a budget.
"""

import numpy as np
from numba import njit

from core.kernels import kernel

ROUNDING = 1e-12


@njit(nogil=True, cache=True)
def saturated(u, free, roots, left, threshold):  # type: ignore[no-untyped-def]
    """Return 2/lambda times the penalty of the free features, the number of saturated ones, tau, and their room.

    The last item holds the places in ``free``, those of saturated features first.
    """
    m = len(free)
    order = np.arange(m)
    if threshold > 0.0:
        value, r = 0.0, 0
        for i in range(m):
            j = free[i]
            size, root = abs(u[j]), roots[j]
            if size >= threshold * root:
                value += size * size + threshold * threshold * root * root
                order[i] = order[r]
                order[r] = i
                r += 1
            else:
                value += 2.0 * threshold * root * size
        return value, r, threshold, np.inf, order
    tail = 0.0
    for i in range(m):
        tail += roots[free[i]] * abs(u[free[i]])
    room, value = left, 0.0
    for r in range(m):
        best, top = r, -1.0
        for i in range(r, m):
            j = free[order[i]]
            if abs(u[j]) / roots[j] > top:
                best, top = i, abs(u[j]) / roots[j]
        order[r], order[best] = order[best], order[r]
        j = free[order[r]]
        cost = roots[j] * roots[j]
        if top * room <= tail * (1.0 + ROUNDING) or cost >= room * (1.0 - ROUNDING):
            return value + tail * tail / room, r, tail / room, room, order
        value += u[j] * u[j]
        tail = max(tail - roots[j] * abs(u[j]), 0.0)
        room -= cost
    return value, m, 0.0, room, order


@njit(nogil=True, cache=True)
def _relaxed_penalty(u, inside, free, roots, left, threshold, lam):  # type: ignore[no-untyped-def]
    """Return the penalty of weights that are 0 outside ``inside`` and ``free``, and tau (see `saturated`)."""
    value, _, tau, _, _ = saturated(u, free, roots, left, threshold)
    for j in inside:
        value += u[j] * u[j] + threshold * threshold * roots[j] * roots[j]
    return 0.5 * lam * value, tau


@njit(nogil=True, cache=True)
def _largest_squares(g, inside, free, roots, left, most):  # type: ignore[no-untyped-def]
    """Return the sum of g_j^2 inside plus the largest one of free features, the last in part, that fits the budget.

    It ends early, with what it has then, once that is more than ``most``.
    """
    total, room = 0.0, left
    for j in inside:
        total += g[j] * g[j]
    m = len(free)
    taken = np.zeros(m, dtype=np.bool_)
    while room > 0.0 and total <= most:
        best, top = -1, 0.0
        for i in range(m):
            worth = g[free[i]] / roots[free[i]]
            if not taken[i] and worth * worth > top:
                best, top = i, worth * worth
        if best < 0:
            break
        taken[best] = True
        cost = roots[free[best]] ** 2
        total += top * min(cost, room)
        room -= cost
    return total


@njit(nogil=True, cache=True)
def _best_with_prices(slope, curvature, g, inside, free, roots, threshold, lam):  # type: ignore[no-untyped-def]
    """Maximise over theta >= 0 the dual value theta slope - theta^2 curvature - conjugate(theta g) with prices.

    The conjugate is the sum of (theta g_j)^2 / (2 lambda) - (lambda/2) threshold^2 q_j^2 inside, and of the positive
    part of that for free features. So it bends at the theta from which on a free feature is worth its price; between
    these the dual value is a parabola.
    """
    if slope <= 0.0:
        return 0.0
    bent, price = curvature, 0.0
    for j in inside:
        bent += g[j] * g[j] / (2.0 * lam)
        price += 0.5 * lam * threshold * threshold * roots[j] * roots[j]
    m = len(free)
    taken = np.zeros(m, dtype=np.bool_)
    reached = 0.0
    for _ in range(m + 1):
        worth, bend = -1, np.inf
        for i in range(m):
            j = free[i]
            if not taken[i] and g[j] != 0.0 and lam * threshold * roots[j] / abs(g[j]) < bend:
                worth, bend = i, lam * threshold * roots[j] / abs(g[j])
        top = slope / (2.0 * bent) if bent > 0.0 else np.inf
        if worth < 0 or top <= bend:
            reached = max(top, reached)
            break
        reached = bend
        taken[worth] = True
        bent += g[free[worth]] * g[free[worth]] / (2.0 * lam)
        price += 0.5 * lam * threshold * threshold * roots[free[worth]] * roots[free[worth]]
    return reached * slope - reached * reached * bent + price


@kernel
def excluding_bound(gradients, numbers, count, inside, free, roots, left, threshold, lam, cutoff):  # type: ignore[no-untyped-def]
    """Return the bound of the first ray of a ring, newest first, that is at or above the cutoff, or 0."""
    held = len(numbers)
    for age in range(min(count, held)):
        place = (count - 1 - age) % held
        g, slope, loss = gradients[place], numbers[place, 0], numbers[place, 1]
        bound = 0.0
        if threshold > 0.0:
            bound = _best_with_prices(slope, loss, g, inside, free, roots, threshold, lam)
        elif slope > 0.0:
            most = 2.0 * lam * (slope * slope / (4.0 * cutoff) - loss)
            squares = _largest_squares(g, inside, free, roots, left, most) if most >= 0.0 else np.inf
            if squares <= most:
                bound = slope * slope / (4.0 * (loss + squares / (2.0 * lam)))
        if bound >= cutoff:
            return bound
    return 0.0


@njit(nogil=True, cache=True)
def _step(matrix, target, moves, leaves_zero):  # type: ignore[no-untyped-def]
    """Solve for a step; features that would leave 0 to the wrong side stay (``moves`` is their side, or 0)."""
    n = len(target)
    stays = np.zeros(n, dtype=np.bool_)
    step = np.zeros(n)
    for _ in range(8):
        go = np.flatnonzero(~stays)
        if len(go) == 0:
            return np.zeros(n)
        inner = np.empty((len(go), len(go)))
        right = np.empty(len(go))
        for a in range(len(go)):
            right[a] = target[go[a]]
            for b in range(len(go)):
                inner[a, b] = matrix[go[a], go[b]]
        part = np.linalg.solve(inner, right)
        step[:] = 0.0
        wrong = False
        for a in range(len(go)):
            x = go[a]
            step[x] = part[a]
            if leaves_zero[x] and moves[x] * part[a] < 0.0:
                stays[x] = True
                wrong = True
        if not wrong:
            return step
    for x in range(n):
        if stays[x]:
            step[x] = 0.0
    return step


@kernel
def minimise_model(hessian, g, w, start, inside, free, roots, left, threshold, signs, lam, most, tol):  # type: ignore[no-untyped-def]
    """Minimise g (u - w) + (u - w) H (u - w) / 2 + penalty(u) from ``start``; weights keep their signs.

    Newton steps on the features that are not 0 or want to leave it. A weight that would change its sign stops at 0, and
    the step is halved until the model falls. It ends when a step promises less than ``tol``.

    Returns
    -------
    (ndarray, float)
        The weights and the value of the model there, relative to the loss at w.
    """
    d, m = len(w), len(free)
    u = start.copy()
    bent = hessian @ (u - w)
    value, _ = _relaxed_penalty(u, inside, free, roots, left, threshold, lam)
    for j in range(d):
        value += (g[j] + 0.5 * bent[j]) * (u[j] - w[j])
    index = np.empty(d, dtype=np.int64)
    coupled = np.empty(d)  # sign times root of a feature that is not saturated, else 0
    moves = np.empty(d)
    leaves_zero = np.empty(d, dtype=np.bool_)
    for _ in range(most):
        _, r, tau, room, order = saturated(u, free, roots, left, threshold)
        slope = g + bent
        n = 0
        for place in range(len(inside) + m):
            single = place < len(inside) + r
            j = inside[place] if place < len(inside) else free[order[place - len(inside)]]
            side = signs[j]
            if u[j] == 0.0:
                price = 0.0 if single else lam * tau * roots[j]
                if abs(slope[j]) <= price * (1.0 + 1e-9) + 1e-15 or side * slope[j] > 0.0:
                    continue
                if not single:
                    side = -1.0 if slope[j] > 0.0 else 1.0
            elif not single:
                side = 1.0 if u[j] > 0.0 else -1.0
            index[n] = j
            coupled[n] = 0.0 if single else side * roots[j]
            moves[n] = side
            leaves_zero[n] = u[j] == 0.0 and side != 0.0
            n += 1
        if n == 0:
            break
        matrix = np.empty((n, n))
        target = np.empty(n)
        trace = 0.0
        for x in range(n):
            trace += hessian[index[x], index[x]]
            if coupled[x] != 0.0:  # where no pair is violated the Hessian is 0
                trace += lam / room * coupled[x] ** 2
        for x in range(n):
            j = index[x]
            for y in range(n):
                matrix[x, y] = hessian[j, index[y]]
                if coupled[x] != 0.0 and coupled[y] != 0.0:
                    matrix[x, y] += lam / room * coupled[x] * coupled[y]
            if coupled[x] == 0.0:
                matrix[x, x] += lam
                target[x] = -(slope[j] + lam * u[j])
            else:
                matrix[x, x] += 1e-10 * trace / n + 1e-300
                target[x] = -(slope[j] + lam * tau * coupled[x])
        step = _step(matrix, target, moves[:n], leaves_zero[:n])
        promised = 0.0
        for x in range(n):
            promised += target[x] * step[x]
        if promised <= tol:
            break
        length, fell = 1.0, False
        trial, trial_bent, trial_value = u, bent, value
        for halving in range(12):
            trial = u.copy()
            for x in range(n):
                j = index[x]
                trial[j] = u[j] + length * step[x]
                if moves[x] * trial[j] < 0.0:
                    trial[j] = 0.0
            trial_bent = hessian @ (trial - w)
            trial_value, _ = _relaxed_penalty(trial, inside, free, roots, left, threshold, lam)
            for j in range(d):
                trial_value += (g[j] + 0.5 * trial_bent[j]) * (trial[j] - w[j])
            if trial_value < value - 5e-5 * length * promised or (trial_value < value and halving > 3):
                fell = True
                break
            length *= 0.5
        if not fell:
            break
        gain = value - trial_value
        u, bent, value = trial, trial_bent, trial_value
        if gain < 0.3 * tol:
            break
    return u, value


relaxed_penalty = kernel(_relaxed_penalty)
largest_squares = kernel(_largest_squares)
best_with_prices = kernel(_best_with_prices)
