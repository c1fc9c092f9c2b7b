"""What a solver may ask of a loss: everything is a function of the scores s = X w."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

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
        dL/ds, or a subgradient where the loss has a kink.
    dual_slope : float
        Along the ray of dual points theta * alpha(s), 0 <= theta <= dual_limit, the dual value of the loss is
        ``theta * dual_slope - theta**2 * dual_curvature``.
    dual_curvature : float
    dual_limit : float
        Infinite for a loss whose dual points form a cone.
    """

    value: float
    gradient: FloatArray
    dual_slope: float
    dual_curvature: float
    dual_limit: float = np.inf


class Loss(Protocol):
    """A convex function of the scores of all documents.

    Attributes
    ----------
    n_terms : int
        What the loss is a mean over: C, which multiplies the sum, is 1 / (lambda n_terms).
    """

    @property
    def n_terms(self) -> int: ...

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        """Value, gradient and dual ray, in one sweep. ``scores`` has shape (n_documents,)."""
        ...


@runtime_checkable
class SmoothLoss(Loss, Protocol):
    """A loss with a gradient everywhere and a second derivative almost everywhere."""

    def hessian(self, scores: FloatArray, features: NDArray[np.floating], columns: IntArray) -> FloatArray:
        """Second derivative with respect to the weights of ``columns``, shape (n_columns, n_columns)."""
        ...

    def curvature_product(self, scores: FloatArray, direction: FloatArray) -> FloatArray:
        """d2L/ds2 times a direction in scores, shape (n_documents,)."""
        ...
