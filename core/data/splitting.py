"""Splitting one set of documents into training and test part, by queries where there are several."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.ranking_data import IntArray, RankingData


def split_data(data: RankingData, share: float, seed: int = 0) -> tuple[RankingData, RankingData]:
    """Split at random into training and test part; both keep the order of the file.

    Whole queries are drawn. A single query (bipartite data) is split by documents, within each relevance
    level, so that both parts have the same mixture.

    Parameters
    ----------
    data : RankingData
    share : float
        Part of the queries (or documents) for training, between 0 and 1.
    seed : int
        The same seed gives the same split.

    Raises
    ------
    DataError
        If the share is not between 0 and 1, or there is too little to split.
    """
    if not 0 < share < 1:
        msg = f"the split is {share:g}; it is the training share, between 0 and 1 (0.7 for instance)"
        raise DataError(msg)
    generator = np.random.default_rng(seed)
    if data.n_queries > 1:
        chosen = _draw(np.arange(data.n_queries), share, generator)
        rest = np.setdiff1d(np.arange(data.n_queries), chosen)
        return data.take_queries(chosen), data.take_queries(rest)
    levels = [np.flatnonzero(data.relevance == level) for level in np.unique(data.relevance)]
    if min(map(len, levels)) < 2:
        msg = "a relevance level has a single document, which cannot be in the training and the test part"
        raise DataError(msg)
    chosen = np.sort(np.concatenate([_draw(rows, share, generator) for rows in levels]))
    rest = np.setdiff1d(np.arange(data.n_documents), chosen)
    return _documents(data, chosen), _documents(data, rest)


def _draw(numbers: IntArray, share: float, generator: np.random.Generator) -> NDArray[np.int64]:
    """A random part, sorted; at least one is taken and at least one is left."""
    size = min(max(round(share * len(numbers)), 1), len(numbers) - 1)
    return np.sort(generator.permutation(numbers)[:size])


def _documents(data: RankingData, rows: IntArray) -> RankingData:
    return RankingData.build(
        data.features[rows],
        data.relevance[rows],
        [0, len(rows)],
        query_ids=data.query_ids,
        feature_names=data.feature_names,
        document_ids=None if data.document_ids is None else [data.document_ids[row] for row in rows],
        dtype=data.features.dtype.type,
    )
