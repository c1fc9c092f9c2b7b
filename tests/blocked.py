"""Ranking data whose features come in blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from core.data import RankingData
from core.data.feature_blocks import ArrayBlocks, block_edges


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
