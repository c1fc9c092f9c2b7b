"""What several pages say of the same data, each worked out once."""

from __future__ import annotations

from core.analysis.features.random_ranking import RandomOrder, RandomWeights, random_order, random_weights
from core.analysis.features.similarity import Similarity, pearson
from core.data import Convention, RankingData
from pages.shared.cache import cached

DRAWN_DOCUMENTS = 4_000_000  # over all random rankings of a band: a second or two


@cached(says="Computing correlations …")
def correlations(data: RankingData) -> Similarity:
    """Pearson's correlation of every two features."""
    return pearson(data)


@cached(says="Drawing random rankings …")
def random_rankings(data: RankingData, convention: Convention) -> tuple[RandomOrder, RandomWeights]:
    """What random orders of the documents reach, and random weights of the features."""
    n_draws = min(max(DRAWN_DOCUMENTS // data.n_documents, 20), 200)
    return random_order(data, convention, n_draws=n_draws), random_weights(data, convention)
