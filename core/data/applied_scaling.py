"""What was done to the features of a fold, with the constants, so that a search engine can do the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AppliedScaling:
    """A scaling and the constants with which all parts of a fold were scaled.

    Parameters
    ----------
    id : {"none", "query-minmax", "minmax", "standard"}
        An id of `core.data.scaling.SCALINGS`.
    origin, span : ndarray, shape (n_features,), optional
        A feature's new value is (value − origin) / span, and 0 where the span is 0. None where there are no constants:
        without scaling, and within each query, where they differ from query to query.
    """

    id: str = "none"
    origin: FloatArray | None = None
    span: FloatArray | None = None

    @property
    def fingerprint(self) -> str:
        """The sha256 of the id and the constants."""
        constants = [None if part is None else part.tobytes() for part in (self.origin, self.span)]
        return hashlib.sha256(repr((self.id, constants)).encode()).hexdigest()

    def undone(self, features: NDArray[np.floating]) -> FloatArray:
        """Compute the values before the scaling, shape (n, n_features); a feature of span 0 has its origin.

        Without constants the features are returned as they are.
        """
        if self.origin is None or self.span is None:
            return np.asarray(features, dtype=np.float64)
        return np.asarray(features * self.span + self.origin, dtype=np.float64)


AS_IT_STANDS = AppliedScaling()
