"""The interface of a loss: a function of the scores s = X w."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LossEvaluation:
    """Value and gradient of a loss at one vector of scores, with the dual ray from which a duality gap follows.

    Attributes
    ----------
    gradient : ndarray of float64, shape (n_documents,)
        dL/ds, or a subgradient where the loss has a kink.
    dual_slope : float
        Along the ray of dual points theta * alpha(s), 0 <= theta <= dual_limit, the dual value of the loss is
        ``theta * dual_slope - theta**2 * dual_curvature``.
    dual_limit : float
        Largest feasible theta; infinite for a loss whose dual points form a cone.
    """

    value: float
    gradient: FloatArray
    dual_slope: float
    dual_curvature: float
    dual_limit: float = np.inf


@dataclass(frozen=True, eq=False)
class LossAt:
    """What one pass over X finds out about a loss at weights w: sums over documents, and nothing for each of them.

    Attributes
    ----------
    value, dual_slope, dual_curvature, dual_limit : float
        As for `LossEvaluation`.
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
    dual_slope: float
    dual_curvature: float
    answer: float
    score_slope: float
    gradient: FloatArray
    columns: IntArray
    hessian: FloatArray
    dual_limit: float = np.inf


class DualRay(Protocol):
    """The ray of dual points of `LossEvaluation`, from which a duality gap follows."""

    @property
    def dual_slope(self) -> float:
        """See `LossEvaluation`."""

    @property
    def dual_curvature(self) -> float:
        """See `LossEvaluation`."""

    @property
    def dual_limit(self) -> float:
        """See `LossEvaluation`."""


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
