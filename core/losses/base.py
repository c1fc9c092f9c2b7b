"""What a solver may ask of a loss: everything is a function of the scores s = X w."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LossEvaluation:
    """A loss at one vector of scores, with what a duality gap needs.

    Attributes
    ----------
    value : float
    gradient : ndarray of float64, shape (n_documents,)
        dL/ds.
    dual_slope : float
        Along the ray of dual points theta * alpha(s), theta >= 0, the dual value of the loss is
        ``theta * dual_slope - theta**2 * dual_curvature``.
    dual_curvature : float
    """

    value: float
    gradient: FloatArray
    dual_slope: float
    dual_curvature: float


class Loss(Protocol):
    """A convex function of the scores of all documents."""

    n_pairs: int

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        """Value, gradient and dual ray, in one sweep. ``scores`` has shape (n_documents,)."""
        ...

    def hessian(self, scores: FloatArray, features: NDArray[np.floating], columns: IntArray) -> FloatArray:
        """Second derivative with respect to the weights of ``columns``, shape (n_columns, n_columns)."""
        ...

    def curvature_product(self, scores: FloatArray, direction: FloatArray) -> FloatArray:
        """d2L/ds2 times a direction in scores, shape (n_documents,)."""
        ...
