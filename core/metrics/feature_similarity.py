"""How alike features are, over all documents or within queries: a redundant feature is like another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.data.ranking_data import FloatArray

LONGEST_LIST = 100
"""Documents of a query of which all pairs are looked at; of a longer list as many, evenly spread over it."""


def standardised(features: NDArray[np.floating]) -> FloatArray:
    """Subtract the mean of each column and scale it to length 1; a constant column becomes 0. Same shape."""
    x = features.astype(np.float64)
    varies = x.min(axis=0) < x.max(axis=0)
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


def kendall_within_queries(data: RankingData) -> FloatArray:
    """Kendall's tau-b of the orders that two features make of a query's documents, averaged over queries.

    The similarity of GAS-E (Geng et al. 2007), who count the share of a query's pairs ordered alike; tau is twice that
    less 1. A feature that is constant within a query has tau 0 there. Of lists longer than ``LONGEST_LIST`` a part
    stands for the whole.

    Returns
    -------
    ndarray, shape (n_features, n_features)
        Symmetric, in [-1, 1], ones on the diagonal.
    """
    total = np.zeros((data.n_features, data.n_features))
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        rows = data.features[_spread(int(first), int(last))]
        above, below = np.triu_indices(len(rows), 1)
        signs = np.sign(rows[above] - rows[below]).astype(np.float32)  # their sums are whole and below 2^24: exact
        balance = (signs.T @ signs).astype(np.float64)
        untied = np.sqrt(balance.diagonal())
        scale = np.outer(untied, untied)
        total += np.divide(balance, scale, out=np.zeros_like(balance), where=scale > 0.0)
    return bounded(total / data.n_queries)


def bounded(values: FloatArray) -> FloatArray:
    """Make a matrix exactly symmetric, within [-1, 1], with ones on the diagonal."""
    symmetric = np.clip((values + values.T) / 2.0, -1.0, 1.0)
    np.fill_diagonal(symmetric, 1.0)
    return symmetric


def _spread(first: int, last: int) -> NDArray[np.int64]:
    """All places from first to last, or ``LONGEST_LIST`` of them."""
    n = min(last - first, LONGEST_LIST)
    return first + (np.arange(n, dtype=np.int64) * (last - first)) // n
