"""The interface of a loss: a function of the scores s = X w."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.penalties.base import DualRay

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class LossEvaluation(DualRay):
    """Value and gradient of a loss at one vector of scores, with the dual ray from which a duality gap follows.

    Attributes
    ----------
    gradient : ndarray of float64, shape (n_documents,)
        dL/ds, or a subgradient where the loss has a kink.
    """

    value: float
    gradient: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class LossAt(DualRay):
    """What one pass over X finds out about a loss at weights w: sums over documents, and nothing for each of them.

    Attributes
    ----------
    answer : float
        Sum over documents of |dL/ds| |s|: by how much L changes where all scores change by their own share.
    score_slope : float
        Sum over documents of |dL/ds|.
    gradient : ndarray of float64, shape (n_features,)
        dL/dw.
    columns : ndarray of int, shape (n_columns,)
        Ascending.
    hessian : ndarray of float64, shape (n_columns, n_columns)
        Second derivative with respect to the weights of ``columns``.
    """

    value: float
    answer: float
    score_slope: float
    gradient: FloatArray
    columns: IntArray
    hessian: FloatArray


class Loss(Protocol):
    """Interface of a loss: a function of the scores of all documents."""

    @property
    def n_terms(self) -> int:
        """Number of terms of which the loss is the mean. The papers' C multiplies the sum: C = 1 / (lambda n_terms)."""
        ...

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        """Compute value, gradient and dual ray in one sweep. ``scores`` has shape (n_documents,)."""
        ...


@runtime_checkable
class SmoothLoss(Loss, Protocol):
    """Interface of a loss with a gradient everywhere and a second derivative almost everywhere."""

    def hessian(self, scores: FloatArray, features: NDArray[np.floating], columns: IntArray) -> FloatArray:
        """Second derivative with respect to the weights of ``columns``, shape (n_columns, n_columns)."""
        ...

    def curvature_product(self, scores: FloatArray, direction: FloatArray) -> FloatArray:
        """d2L/ds2 times a direction in scores, shape (n_documents,)."""
        ...


@runtime_checkable
class OnePassLoss(SmoothLoss, Protocol):
    """Interface of a smooth loss that is a sum over queries, so that one pass over X finds all about a point."""

    def at(self, features: NDArray[np.floating], w: FloatArray, columns: IntArray) -> LossAt:
        """Compute value, dual ray, gradient and the Hessian of ``columns`` at w."""
        ...

    def hessian_at_zero(self, features: NDArray[np.floating], columns: IntArray) -> FloatArray:
        """Estimate that Hessian at w = 0, for a first step."""
        ...

    def at_each(self, features: NDArray[np.floating], weights: FloatArray) -> list[LossAt]:
        """Do as `at` for each of several models, without Hessians; ``weights`` has shape (n_models, n_features)."""
        ...

    def step_from_zero(self, slope: float, curvature: float, penalty_slope: float) -> float:
        """Estimate the best step from w = 0 along a direction, by slopes and curvature there."""
        ...
