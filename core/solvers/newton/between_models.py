"""Quadratic models of the loss along a path between two of its models."""

from __future__ import annotations

import numpy as np

from core.losses import LossAt
from core.losses.base import IntArray
from core.solvers.newton.sparse_quadratic import FLAT, minimise_sparse_quadratic
from core.solvers.problem import FloatArray


class BetweenModels:
    """Minima of second-order models of the loss plus weighted l1, at lambdas between those of two models.

    A share of 0 is the last of the two models, 1 the first one; lambda is linear in between. The curvature is taken to
    be linear in the share. The gradient at a share of s follows from the last model's by the mean curvature on the way,
    and s^2 times what this misses at the first model, since the error of a second-order model grows with the square of
    the way.

    Parameters
    ----------
    first, last : ndarray, shape (n_features,)
        Weights of the two models.
    at_first, at_last : LossAt
        The loss there. The last one's Hessian has the columns of all features that are not 0 in either.
    """

    def __init__(self, first: FloatArray, at_first: LossAt, last: FloatArray, at_last: LossAt) -> None:
        self.last, self._columns, self._hessian = last, at_last.columns, at_last.hessian
        self._gradient = at_last.gradient[self._columns]
        self._more = _hessian_on(self._columns, at_first, self._hessian) - self._hessian
        way = (first - last)[self._columns]
        self._missed = at_first.gradient[self._columns] - self._gradient - (self._hessian + 0.5 * self._more) @ way

    def predicted(self, share: float, threshold: FloatArray, accuracy: float) -> FloatArray:
        """Predict the model at a share of the way.

        Parameters
        ----------
        share : float
        threshold : ndarray, shape (n_features,)
            Price of a unit of every weight, above 0.
        accuracy : float
            Largest distance of 0 from the subdifferential of the quadratic model at its minimum.
        """
        gradient = self._gradient + share**2 * self._missed
        return self._minimum(self._hessian + 0.5 * share * self._more, gradient, self.last, threshold, accuracy)

    def corrected(
        self, share: float, w: FloatArray, gradient: FloatArray, threshold: FloatArray, accuracy: float
    ) -> FloatArray:
        """Correct the model at a share of the way by the gradient of the loss at its weights w."""
        hessian = self._hessian + share * self._more
        return self._minimum(hessian, gradient[self._columns], w, threshold, accuracy)

    def _minimum(
        self, hessian: FloatArray, gradient: FloatArray, w: FloatArray, threshold: FloatArray, accuracy: float
    ) -> FloatArray:
        columns, found = self._columns, np.zeros_like(w)
        found[columns] = minimise_sparse_quadratic(
            hessian, gradient, w[columns], threshold[columns], accuracy, np.zeros(len(columns))
        )
        return found


def _hessian_on(columns: IntArray, at: LossAt, otherwise: FloatArray) -> FloatArray:
    """Return the Hessian on these columns, with entries of another one where it is not known.

    If the two do not fit together, so that they would curve downwards somewhere, the other one takes its place.
    """
    known = np.isin(columns, at.columns)
    places = np.searchsorted(at.columns, columns[known])
    mixed = otherwise.copy()
    mixed[np.ix_(known, known)] = at.hessian[np.ix_(places, places)]
    values = np.linalg.eigvalsh(mixed)
    return mixed if values.min(initial=0.0) >= -FLAT * values.max(initial=0.0) else otherwise
