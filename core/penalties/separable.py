"""Penalties that are sums over features: l1, l2, log, lp, MCP and SCAD."""

import numpy as np

from core.penalties.base import DualRay, FloatArray, Parameter, Penalty, best_on_ray


def soft_threshold(v: FloatArray, threshold: FloatArray | float) -> FloatArray:
    """Compute sign(v) max(|v| - threshold, 0) (Laporte et al. 2014, eq. 11-12); an infinite threshold gives 0."""
    return np.sign(v) * np.maximum(np.abs(v) - threshold, 0.0)


class WeightedL1(Penalty):
    """sum_j beta_j |w_j|.

    Parameters
    ----------
    beta : ndarray, shape (n_features,)
        Each >= 0. An infinite weight forbids the feature.
    rounding : float
        How far rounding may carry a slope of the loss, as a share of the slope of the dual ray. A slope that exceeds
        its price by no more than that is within it; it matters where some prices are tiny beside others.
    """

    title = "weighted ℓ1"
    convex = True

    def __init__(self, beta: FloatArray, rounding: float = 0.0) -> None:
        if np.any(np.isnan(beta)) or np.any(beta < 0):
            msg = "the weights of a weighted l1 penalty must be 0 or more"
            raise ValueError(msg)
        self.beta, self.rounding = beta, rounding

    def curve(self, t: FloatArray) -> FloatArray:
        beta, t = np.broadcast_arrays(self.beta, t)
        return np.where(t == 0.0, 0.0, np.where(t == 0.0, 0.0, beta) * t)

    def weights(self, w: FloatArray) -> FloatArray:
        return np.broadcast_to(self.beta, w.shape).astype(np.float64)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return soft_threshold(v, step * self.beta)

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        steep = np.abs(gradient)
        allowed = np.broadcast_to(lam * self.beta, steep.shape)
        if self.rounding:
            steep = np.maximum(steep - self.rounding * ray.dual_slope, np.minimum(steep, allowed))
        if np.any((allowed == 0.0) & (steep > 0.0)):
            return None  # an unpenalised feature needs gradient 0, which no scaling of alpha provides
        bound = steep > 0.0
        longest = float((allowed[bound] / steep[bound]).min()) if bound.any() else np.inf
        return best_on_ray(ray.dual_slope, ray.dual_curvature, min(longest, ray.dual_limit))


class L1(WeightedL1):
    """sum_j |w_j|."""

    title = "ℓ1"

    def __init__(self) -> None:
        super().__init__(np.ones(1))


class L2(Penalty):
    """(1/2) sum_j w_j^2 (Laporte et al. 2014, eq. 5; Chapelle & Keerthi 2010). Keeps every feature."""

    title = "ℓ2"
    convex = True
    same_for_all = True
    sparse = False

    def curve(self, t: FloatArray) -> FloatArray:
        return 0.5 * t * t

    def weights(self, w: FloatArray) -> FloatArray:
        return np.abs(w)

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.ones_like(w)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return v / (1.0 + step)

    def dual_bound(self, ray: DualRay, gradient: FloatArray, lam: float) -> float | None:
        return best_on_ray(
            ray.dual_slope, ray.dual_curvature + float(gradient @ gradient) / (2.0 * lam), ray.dual_limit
        )


class Log(Penalty):
    """sum_j log(1 + |w_j| / epsilon), so that g'(t) = 1 / (epsilon + t) (Laporte et al. 2014, Table II).

    Parameters
    ----------
    epsilon : float
        A weight far above epsilon is hardly shrunk. The paper's default is 0.1.
    """

    title = "log"
    convex = False
    same_for_all = True
    parameters = (
        Parameter(
            "epsilon", "ε", 0.1, 1e-4, 100.0,
            "Weights well above ε are hardly shrunk; a smaller ε is closer to counting features.",
        ),
    )  # fmt: skip

    def __init__(self, epsilon: float = 0.1) -> None:
        self.epsilon = self.parameters[0].check(epsilon)

    def curve(self, t: FloatArray) -> FloatArray:
        return np.log1p(t / self.epsilon)

    def weights(self, w: FloatArray) -> FloatArray:
        return 1.0 / (self.epsilon + np.abs(w))

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.where(w == 0.0, 0.0, -1.0 / (self.epsilon + np.abs(w)) ** 2)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Return the larger root of u^2 + (epsilon - |v|) u + step - epsilon |v| = 0 if it is better than 0."""
        size = np.abs(v)
        discriminant = (size + self.epsilon) ** 2 - 4.0 * step
        root = 0.5 * (size - self.epsilon + np.sqrt(np.maximum(discriminant, 0.0)))
        root = np.where(discriminant >= 0.0, np.maximum(root, 0.0), 0.0)
        gain = 0.5 * size**2 - 0.5 * (root - size) ** 2 - step * self.curve(root)
        return np.sign(v) * np.where(gain > 0.0, root, 0.0)


class Lp(Penalty):
    """sum_j |w_j|^p, so that g'(t) = p t^(p - 1) (Laporte et al. 2014, Table II; the paper uses p = 0.5).

    The derivative is infinite at 0: a weight that has reached zero stays zero in reweighting.

    Parameters
    ----------
    p : float
        Between 0 and 1.
    """

    title = "ℓp"
    convex = False
    same_for_all = True
    parameters = (
        Parameter(
            "p", "p", 0.5, 0.05, 0.95,
            "Closer to 0 is closer to counting features, closer to 1 is closer to ℓ1.",
        ),
    )  # fmt: skip

    def __init__(self, p: float = 0.5) -> None:
        self.p = self.parameters[0].check(p)

    def curve(self, t: FloatArray) -> FloatArray:
        return np.asarray(t, dtype=np.float64) ** self.p

    def weights(self, w: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return self.p * np.abs(w) ** (self.p - 1.0)

    def curvature(self, w: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.where(w == 0.0, 0.0, self.p * (self.p - 1.0) * np.abs(w) ** (self.p - 2.0))

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Run Newton's method from |v| down to the larger stationary point; return it if it is better than 0."""
        size = np.abs(np.asarray(v, dtype=np.float64))
        bend = (step * self.p * (1.0 - self.p)) ** (1.0 / (2.0 - self.p))  # where the objective turns convex
        lowest_slope = bend - size + step * self.p * bend ** (self.p - 1.0)
        has_root = lowest_slope < 0.0
        u = np.where(has_root, size, bend)
        for _ in range(60):  # the slope is convex and increasing here: monotone, quadratic convergence
            slope = u - size + step * self.p * u ** (self.p - 1.0)
            curvature = 1.0 - step * self.p * (1.0 - self.p) * u ** (self.p - 2.0)
            move = np.where(has_root & (curvature > 0.0), slope / np.where(curvature > 0.0, curvature, 1.0), 0.0)
            u = np.maximum(u - move, bend)
            if np.all(np.abs(move) <= 1e-15 * np.maximum(u, bend)):
                break
        gain = 0.5 * size**2 - 0.5 * (u - size) ** 2 - step * u**self.p
        return np.sign(v) * np.where(has_root & (gain > 0.0), u, 0.0)


class MCP(Penalty):
    """g'(t) = max(1 - t / knee, 0): like l1 near 0, flat beyond the knee (Zhang 2010).

    Laporte et al. (2014, Table II) write the knee as gamma lambda for the *summed* loss, that is gamma / C. Its size
    relative to a weight then depends on the number of pairs, so here the knee is a parameter of its own, in units of a
    weight.

    Parameters
    ----------
    knee : float
        A weight at or above it is not shrunk. The default is the sparsest value within one standard error of
        the best by validation MAP on five sets other than LETOR's (benchmarks/README.md), where 0.02 to
        0.5 are nearly level and larger ones, ℓ1 among them, a little worse.
    """

    title = "MCP"
    convex = False
    same_for_all = True
    parameters = (
        Parameter(
            "knee", "γλ", 0.05, 1e-12, 1e12,
            "Weights beyond the knee are not shrunk at all; a huge knee gives ℓ1.",
            pictured=0.5,
        ),
    )  # fmt: skip

    def __init__(self, knee: float = 0.05) -> None:
        self.knee = self.parameters[0].check(knee)

    def curve(self, t: FloatArray) -> FloatArray:
        below = np.minimum(t, self.knee)
        return below - below * below / (2.0 * self.knee)

    def weights(self, w: FloatArray) -> FloatArray:
        return np.maximum(1.0 - np.abs(w) / self.knee, 0.0)

    def curvature(self, w: FloatArray) -> FloatArray:
        return np.where((w == 0.0) | (np.abs(w) >= self.knee), 0.0, -1.0 / self.knee)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Apply the firm threshold where the problem is convex (step < knee), else take the better of 0 and v."""
        convex = np.less(step, self.knee)
        inside = soft_threshold(v, step) / np.where(convex, 1.0 - step / self.knee, 1.0)
        firm = np.where(np.abs(v) <= self.knee, inside, v)
        leap = np.where(0.5 * v * v <= 0.5 * step * self.knee, 0.0, v)
        return np.where(convex, firm, leap)


class SCAD(Penalty):
    """g'(t) = 1 up to the knee, then falling linearly to 0 at a * knee (Fan & Li 2001), named by Laporte et al. (2014).

    Parameters
    ----------
    knee : float
        Up to the knee the penalty is l1. As for MCP, it is a parameter in units of a weight and does not depend on
        lambda. The default has the best validation MAP on five sets other than LETOR's
        (benchmarks/README.md).
    a : float
        A weight at or above a * knee is not shrunk. Fan & Li suggest 3.7.
    """

    title = "SCAD"
    convex = False
    same_for_all = True
    parameters = (
        Parameter(
            "knee", "λ", 0.05, 1e-4, 1e6,
            "Up to the knee the penalty is ℓ1; beyond a times the knee weights are not shrunk at all.",
            pictured=0.5,
        ),
        Parameter("a", "a", 3.7, 2.01, 100.0, "Beyond the knee the penalty's pull falls, to 0 at a times the knee."),
    )  # fmt: skip

    def __init__(self, knee: float = 0.05, a: float = 3.7) -> None:
        self.knee = self.parameters[0].check(knee)
        self.a = self.parameters[1].check(a)

    def curve(self, t: FloatArray) -> FloatArray:
        knee, a = self.knee, self.a
        beyond = np.clip(t, knee, a * knee) - knee
        return np.minimum(t, knee) + beyond - beyond * beyond / (2.0 * (a - 1.0) * knee)

    def weights(self, w: FloatArray) -> FloatArray:
        return np.clip((self.a * self.knee - np.abs(w)) / ((self.a - 1.0) * self.knee), 0.0, 1.0)

    def curvature(self, w: FloatArray) -> FloatArray:
        size = np.abs(w)
        falling = (size > self.knee) & (size < self.a * self.knee)
        return np.where(falling, -1.0 / ((self.a - 1.0) * self.knee), 0.0)

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        """Return the best of the candidates of the three pieces, because the objective may have two local minima."""
        knee, a = self.knee, self.a
        size = np.abs(v)
        slack = (a - 1.0) * knee
        convex = np.less(step, slack)  # the middle piece; where it is not, its best point is one of its ends
        bottom = (slack * size - step * a * knee) / np.where(convex, slack - step, 1.0)
        stacked = np.stack(
            [
                np.zeros_like(size),
                np.minimum(soft_threshold(size, step), knee),
                np.where(convex, np.clip(bottom, knee, a * knee), knee),
                np.maximum(size, a * knee),
            ]
        )
        objective = 0.5 * (stacked - size) ** 2 + step * self.curve(stacked)
        best: FloatArray = np.take_along_axis(stacked, objective.argmin(axis=0)[None], axis=0)[0]
        return np.sign(v) * best
