"""Half the squared l2 norm on chosen features, the penalty of a filter's second stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.penalties.base import FloatArray
from core.penalties.l2 import L2


class L2On(L2):
    """(1/2) sum_j w_j^2 if only the weights of the chosen features are non-zero, else infinite.

    Parameters
    ----------
    columns : ndarray of int, shape (n_chosen,)
        The chosen features (from 0).
    """

    title = "ℓ2 on chosen features"
    sparse = True
    among = "on these features"

    def __init__(self, columns: NDArray[np.integer]) -> None:
        self._columns = np.sort(columns)

    @property
    def columns(self) -> NDArray[np.integer]:
        """The chosen features (from 0), ascending."""
        return self._columns

    def value(self, w: FloatArray) -> float:
        return super().value(w) if not np.any(w[self._others(w)]) else np.inf

    def prox(self, v: FloatArray, step: FloatArray | float) -> FloatArray:
        return np.where(self._others(v), 0.0, super().prox(v, step))

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for l2 on the chosen features; 0 for the others, which are held at 0 whatever their gradient."""
        return np.where(self._others(w), 0.0, np.abs(gradient + lam * w))

    def dual_bound(
        self, slope: float, curvature: float, gradient: FloatArray, lam: float, limit: float = np.inf
    ) -> float | None:
        return super().dual_bound(slope, curvature, np.where(self._others(gradient), 0.0, gradient), lam, limit)

    def _others(self, w: FloatArray) -> NDArray[np.bool_]:
        """Mark the features that are not chosen."""
        others = np.ones(len(w), dtype=bool)
        others[self.columns] = False
        return others


class L2OnSelected(L2On):
    """`L2On` whose features a selection has yet to find, in parts, so that a solver can look at the clock in between.

    Whoever asks for the features without having called `select` waits until all are found.

    Parameters
    ----------
    selection : iterator of ndarray of int
        Yields the features kept so far (from 0), as often as it can; the last ones are the chosen.
    """

    def __init__(self, selection: Iterator[NDArray[np.integer]]) -> None:
        super().__init__(np.zeros(0, dtype=np.int64))
        self._selection = selection
        self._begun = self._known = False

    def __getstate__(self) -> dict[str, Any]:
        """A pickled copy has the features kept so far, and cannot go on with the selection."""
        return vars(self) | {"_selection": iter(()), "_begun": True}

    @property
    def columns(self) -> NDArray[np.integer]:
        """The chosen features; while they are selected, those kept so far."""
        if not self._begun:
            for _ in self.select():
                pass
        return self._columns

    def select(self) -> Iterator[None]:
        """Go on with the selection; ``columns`` are the features kept so far."""
        self._begun = True
        for columns in self._selection:
            self._columns = np.sort(columns)
            yield
        self._known = True

    def distance_to_stationarity(self, w: FloatArray, gradient: FloatArray, lam: float) -> FloatArray:
        """Distance for l2 on all features until the chosen ones are known, so that no start looks like an end."""
        return super().distance_to_stationarity(w, gradient, lam) if self._known else np.abs(gradient + lam * w)
