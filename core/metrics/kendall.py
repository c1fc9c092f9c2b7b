"""Kendall's tau-b between all features, over all documents or within queries.

Every pair of documents has a sign for each feature that tells it apart: products of signs, added up over the pairs, are
the concordant less the discordant ones. They are sums of whole numbers, so exact in any order.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.data.division import draw_order, query_order
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.feature_scores import bounded

LONGEST_LIST = 100
"""Largest number of documents whose pairs are all compared; a longer list is represented by so many, evenly spread."""
LARGEST_SAMPLE = 2000
"""Largest number of documents on which tau is computed. Its standard error is 0.015 for unrelated features, 0.032 at
most."""


def sample_documents(data: RankingData, *, largest: int = LARGEST_SAMPLE) -> IntArray:
    """Return all documents, or a random sample, always the same, if there are more than ``largest``; ascending.

    They are drawn by query and content: files in another order have the same sample.
    """
    if data.n_documents <= largest:
        return np.arange(data.n_documents, dtype=np.int64)
    drawn = np.random.default_rng(0).choice(data.n_documents, largest, replace=False)
    queries = query_order(data)
    ends = np.cumsum(np.diff(data.query_offsets)[queries])
    of_query, found = np.searchsorted(ends, drawn, side="right"), []
    for place in np.unique(of_query):
        query = queries[place]
        documents = draw_order(data.take_queries([query]))
        found.append(data.query_offsets[query] + documents[drawn[of_query == place] - ends[place]])
    return np.sort(np.concatenate(found))


def kendall_steps(features: NDArray[np.floating]) -> Iterator[FloatArray | None]:
    """Compute Kendall's tau-b of all features in as many steps as there are features, so that each takes little memory.

    Parameters
    ----------
    features : ndarray, shape (n_documents, n_features)

    Yields
    ------
    ndarray, shape (n_features, n_features), or None
        None after every step but the last, and then tau: symmetric, in [-1, 1]; a constant feature has 0 with all
        others and 1 with itself.
    """
    n, d = features.shape
    levels = np.column_stack([np.unique(column, return_inverse=True)[1] for column in features.T]).astype(np.float32)
    balance = np.zeros((d, d))
    for step in range(d):
        for document in range(step, n, d):
            balance += _balance(levels[document + 1 :] - levels[document])
        yield bounded(_tau(balance)) if step == d - 1 else None


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
        total += _tau(_balance(rows[above] - rows[below]))
    return bounded(total / data.n_queries)


def _balance(differences: NDArray[np.floating]) -> FloatArray:
    """Count concordant less discordant pairs of documents, for all pairs of features; a row has a pair's differences.

    On the diagonal are the pairs that a feature tells apart.
    """
    signs = np.sign(differences).astype(np.float32)  # their sums are whole and below 2^24: exact
    return np.asarray(signs.T @ signs, dtype=np.float64)


def _tau(balance: FloatArray) -> FloatArray:
    """tau-b: concordant less discordant pairs, by the pairs that either feature tells apart; 0 where one tells none."""
    untied = np.sqrt(balance.diagonal())
    scale = untied[:, None] * untied
    tau: FloatArray = np.divide(balance, scale, out=np.zeros_like(balance), where=scale > 0.0)
    return tau


def _spread(first: int, last: int) -> NDArray[np.int64]:
    """All places from first to last, or ``LONGEST_LIST`` of them."""
    n = min(last - first, LONGEST_LIST)
    return first + (np.arange(n, dtype=np.int64) * (last - first)) // n
