"""Ranking data whose features come in blocks."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from core.data import RankingData
from core.data.feature_blocks import Arguments, Beside, Block, FeatureBlocks, IntArray, Result, block_edges


class ArrayBlocks(FeatureBlocks):
    """Blocks of an array, also of one that is mapped from a file.

    Parameters
    ----------
    features : ndarray, shape (n_documents, n_features)
    edges : ndarray of int64
    """

    def __init__(self, features: Block, edges: IntArray) -> None:
        super().__init__(edges, features.shape[1], features.dtype.type)
        self._features = features

    def apply(self, function: Callable[..., Result], arguments: Arguments, beside: Beside) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""
        for (first, last), more in zip(pairwise(self.edges.tolist()), beside, strict=True):
            yield function(np.ascontiguousarray(self._features[first:last]), *more, *arguments(first, last))


def with_pairs(n_queries: int = 60, n_features: int = 8, seed: int = 2) -> RankingData:
    """Queries of one to nine documents; the relevance follows two features, and every fifth query has no pair."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 10, size=n_queries)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    x = random.normal(size=(offsets[-1], n_features))
    noisy = x[:, 0] - 0.7 * x[:, 2] + random.normal(size=offsets[-1])
    grades = np.digitize(noisy, [0.0, 1.0])
    grades[np.repeat(np.arange(n_queries) % 5 == 0, sizes)] = 1
    return RankingData.build(x, grades, offsets)


def in_blocks(data: RankingData, n_blocks: int) -> RankingData:
    """The same data in about so many blocks of whole queries."""
    features: Any = ArrayBlocks(data.features, edges_of(data, n_blocks))
    return replace(data, features=features)


def edges_of(data: RankingData, n_blocks: int) -> Any:
    """Edges of exactly so many blocks."""
    if n_blocks == 1:
        return block_edges(data.query_offsets, data.n_documents)
    queries = np.linspace(0, data.n_queries, n_blocks + 1).round().astype(int)
    return data.query_offsets[queries]
