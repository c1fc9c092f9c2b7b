"""How alike the values of features are: a redundant feature is like another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.data.column_ranges import FAR
from core.data.ranking_data import FloatArray


def standardised(features: NDArray[np.floating]) -> FloatArray:
    """Subtract the mean of each column and scale it to length 1; a constant column becomes 0. Same shape."""
    x = features.astype(np.float64)
    low, high = x.min(axis=0), x.max(axis=0)
    varies = low < high
    far = varies & (np.maximum(np.abs(low), np.abs(high)) / FAR > high - low)
    x[:, far] -= low[far]  # an offset far beyond the range would cost digits of the mean
    # Similarity has no unit. In that of the largest value no square leaves double precision.
    x /= np.where(varies, np.abs(x).max(axis=0), 1.0)
    x -= x.mean(axis=0)
    x /= np.where(varies, np.linalg.norm(x, axis=0), 1.0)
    x[:, ~varies] = 0.0
    return x


def pearson_matrix(features: NDArray[np.floating]) -> FloatArray:
    """Compute Pearson's correlation of all columns, shape (n_features, n_features).

    Symmetric, in [-1, 1]; a constant column has 0 with all others and 1 with itself.
    """
    x = standardised(features)
    return bounded(x.T @ x)


def bounded(values: FloatArray) -> FloatArray:
    """Make a matrix exactly symmetric, within [-1, 1], with ones on the diagonal."""
    symmetric = np.clip((values + values.T) / 2.0, -1.0, 1.0)
    np.fill_diagonal(symmetric, 1.0)
    return symmetric
