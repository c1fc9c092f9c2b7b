"""RankSVM's loss over preference pairs that are written out: slow, and without any code of the fast losses."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from core.data import RankingData

FloatArray = NDArray[np.float64]
STARTS = 5


@dataclass(frozen=True, eq=False)
class ExplicitPairs:
    """The difference of features of every preference pair, in memory.

    Attributes
    ----------
    differences : ndarray of float64, shape (n_pairs, n_features)
        Features of the more relevant document minus those of the other.
    """

    differences: FloatArray

    @classmethod
    def of(cls, data: RankingData) -> ExplicitPairs:
        """Write down the pairs of all queries."""
        x = data.features.astype(np.float64)
        rows = []
        for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
            labels = data.relevance[first:last]
            above, below = np.nonzero(labels[:, None] > labels[None, :])
            rows.append(x[first + above] - x[first + below])
        return cls(np.concatenate(rows))

    def loss(self, w: FloatArray) -> float:
        """Return the mean over pairs of max(0, 1 - x.w)^2."""
        return float(np.mean(np.maximum(0.0, 1.0 - self.differences @ w) ** 2))

    def gradient(self, w: FloatArray) -> FloatArray:
        """Return the derivative of the loss, shape (n_features,)."""
        slack = np.maximum(0.0, 1.0 - self.differences @ w)
        return -2.0 / len(slack) * (slack @ self.differences)

    def liblinear(self, lam: float) -> tuple[FloatArray, bool]:
        """Return the weights that LIBLINEAR finds for loss + lam * sum_j |w_j|, and whether it has converged.

        Its objective ||w||_1 + C sum_p slack_p^2 is that over lam, with C = 1 / (lam P). Every other pair is reversed,
        because LIBLINEAR needs two classes.
        """
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import LinearSVC

        signs = np.where(np.arange(len(self.differences)) % 2 == 0, 1.0, -1.0)
        model = LinearSVC(
            penalty="l1", loss="squared_hinge", dual=False, fit_intercept=False, C=1.0 / (lam * len(signs)),
            tol=1e-6, max_iter=1000, random_state=0,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(self.differences * signs[:, None], signs)
        return np.asarray(model.coef_[0], dtype=np.float64), bool(np.max(model.n_iter_) < model.max_iter)

    def best_lasso(self, lam: float) -> float:
        """Return the minimum of loss + lam * sum_j |w_j|, by L-BFGS-B on the positive and negative parts of w."""

        def objective(parts: FloatArray) -> tuple[float, FloatArray]:
            u, v = np.split(parts, 2)
            gradient = self.gradient(u - v)
            return self.loss(u - v) + lam * float(parts.sum()), np.concatenate([gradient + lam, lam - gradient])

        d = self.differences.shape[1]
        return _minimum(objective, np.zeros(2 * d), [(0.0, None)] * (2 * d))

    def best_ridge(self, columns: list[int], lam: float) -> float:
        """Return the minimum of loss + lam / 2 * |w|^2 over the weights of these columns, by L-BFGS."""
        inner = ExplicitPairs(np.ascontiguousarray(self.differences[:, columns]))

        def objective(w: FloatArray) -> tuple[float, FloatArray]:
            return inner.loss(w) + 0.5 * lam * float(w @ w), inner.gradient(w) + lam * w

        return _minimum(objective, np.zeros(len(columns)))


def _minimum(
    objective: Callable[[FloatArray], tuple[float, FloatArray]],
    start: FloatArray,
    bounds: Sequence[tuple[float, None]] | None = None,
) -> float:
    """L-BFGS-B, begun afresh from where it ends while that helps: its idea of the curvature is then new."""
    best, x = np.inf, start
    for _ in range(STARTS):
        found = minimize(
            objective, x, jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": 2000, "maxfun": 4000, "ftol": 1e-13, "gtol": 1e-9},
        )  # fmt: skip
        if not found.fun < best - 1e-9 * abs(best):
            break
        best, x = float(found.fun), found.x
    return min(best, float(found.fun))
