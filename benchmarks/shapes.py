"""The data that benchmarks run on: generated in the shape of TD2004 with the pairs that a baseline needs, and real.

TD2004 (Topic Distillation 2004, LETOR 3.0, collection .Gov) has 75 queries; three of five partitions train: 45 queries
of about 988 documents with 64 features and 15 relevant documents each, some 650 000 preference pairs. LETOR may not
be redistributed, so its shape is generated: the size, the scaling, the correlation and the skew of its features, and
a relevance that a few of them explain in part. Real data is a person's own copy of MQ2008, else the sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data import Dataset, RankingData, open_dataset
from core.data.catalogue import READY, catalogue

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LICENSED = "MQ2008"
SAMPLE = "python-docs"


@dataclass(frozen=True)
class Shape:
    """How much data to generate.

    Attributes
    ----------
    n_queries, documents_per_query, n_features, relevant_per_query : int
    """

    n_queries: int
    documents_per_query: int
    n_features: int
    relevant_per_query: int

    @property
    def n_documents(self) -> int:
        """Number of documents over all queries."""
        return self.n_queries * self.documents_per_query

    @property
    def n_pairs(self) -> int:
        """P: every relevant document above every other one of its query."""
        others = self.documents_per_query - self.relevant_per_query
        return self.n_queries * self.relevant_per_query * others

    @property
    def pair_bytes(self) -> int:
        """Size of the matrix of pair differences in float64, which nothing here builds unless a baseline asks."""
        return 8 * self.n_pairs * self.n_features

    def __str__(self) -> str:
        lists = f"{self.n_queries} queries x {self.documents_per_query:,} documents"
        return f"{lists} x {self.n_features} features, {self.n_pairs:,} pairs"


TD2004 = Shape(n_queries=45, documents_per_query=988, n_features=64, relevant_per_query=15)

_N_FACTORS = 8
_N_INFORMATIVE = 12
_FEATURE_NOISE = 0.3
_RELEVANCE_NOISE = 2.0


def generate(shape: Shape, seed: int = 0) -> RankingData:
    """Ranking data of this shape with relevance 1 and 0, the same for the same seed.

    Features mix a few common factors, as the many counts and scores of the same fields do; half of them are skewed as
    counts are; each is scaled to [0, 1] within its query, as LETOR's are. Relevant are the documents with the highest
    noisy score under a sparse linear model with weights of both signs and very different sizes, so that features
    enter one after another along the l1 path.
    """
    rng = np.random.default_rng(seed)
    n, d = shape.documents_per_query, shape.n_features
    loadings = rng.normal(size=(_N_FACTORS, d)) / np.sqrt(_N_FACTORS)
    truth = np.zeros(d)
    informative = rng.choice(d, size=min(_N_INFORMATIVE, d), replace=False)
    truth[informative] = rng.choice([-1.0, 1.0], len(informative)) * np.geomspace(1.0, 0.1, len(informative))
    features = np.empty((shape.n_documents, d))
    relevance = np.zeros(shape.n_documents, dtype=np.int32)
    for query in range(shape.n_queries):
        latent = rng.normal(size=(n, _N_FACTORS)) @ loadings + _FEATURE_NOISE * rng.normal(size=(n, d))
        liking = latent @ truth + _RELEVANCE_NOISE * rng.normal(size=n)
        relevance[query * n + np.argsort(-liking)[: shape.relevant_per_query]] = 1
        observed = np.where(np.arange(d) % 2 == 0, latent, np.exp(latent))
        low, high = observed.min(axis=0), observed.max(axis=0)
        features[query * n : (query + 1) * n] = (observed - low) / (high - low)
    return RankingData.build(features, relevance, n * np.arange(shape.n_queries + 1))


def preference_pairs(data: RankingData) -> tuple[IntArray, IntArray]:
    """Rows of the preferred and of the other document of every pair, each of shape (n_pairs,)."""
    winners, losers = [], []
    for first, last in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        relevance = data.relevance[first:last]
        better, worse = np.nonzero(relevance[:, None] > relevance[None, :])
        winners.append(first + better)
        losers.append(first + worse)
    return np.concatenate(winners), np.concatenate(losers)


def pair_differences(data: RankingData) -> FloatArray:
    """x_i - x_j of every preference pair, shape (n_pairs, n_features): what RankSVM codes on pairs start from."""
    winners, losers = preference_pairs(data)
    differences = data.features[winners].astype(np.float64, copy=False)
    differences -= data.features[losers]
    return differences


def licensed_sets() -> list[str]:
    """The names of those that are at hand only where somebody has put them."""
    return [entry.name for entry in catalogue() if entry.state == READY and entry.name == LICENSED]


def ranking_dataset() -> Dataset:
    """The first one at hand, MQ2008 before the sample."""
    return open_dataset((*licensed_sets(), SAMPLE)[0])


def size_of(data: RankingData) -> str:
    """Documents, features and pairs in words."""
    return f"{data.n_documents:,} documents x {data.n_features} features, {data.n_pairs:,} pairs"
