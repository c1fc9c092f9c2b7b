"""What random rankings get: expectations against all orders, bands against fresh draws."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from core.analysis.random_ranking import random_ranking
from core.data import RankingData
from core.metrics import evaluate_ranking

CONVENTIONS = ["standard", "letor3", "letor4"]


def one_list(labels: list[int]) -> RankingData:
    return RankingData.build(np.zeros((len(labels), 1)), labels, [0, len(labels)])


@pytest.fixture(scope="module")
def long_lists() -> RankingData:
    """Thirty lists of 5 to 39 documents, some below the cutoff of 10, one document in five relevant."""
    rng = np.random.default_rng(8)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(5, 40, 30))])
    relevance = rng.choice([0, 1, 2], size=offsets[-1], p=[0.8, 0.15, 0.05])
    return RankingData.build(np.zeros((offsets[-1], 1)), relevance, offsets)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("labels", [[1], [0], [0, 0, 0], [2, 2], [2, 1], [0, 1, 2, 0, 1], [3, 0, 0, 0, 0, 1]])
def test_the_expectation_is_the_mean_over_all_orders(labels, convention):
    data = one_list(labels)
    values = [evaluate_ranking(data, order, convention) for order in permutations(range(len(labels)))]
    bands = random_ranking(data, convention, n_draws=1)
    assert bands.map.expected == pytest.approx(np.mean([v["MAP"] for v in values]))
    assert bands.ndcg_at_10.expected == pytest.approx(np.mean([v["NDCG@10"] for v in values]))


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_expectation_is_the_mean_of_draws_where_lists_are_longer_than_the_cutoff(long_lists, convention):
    rng = np.random.default_rng(1)
    draws = [evaluate_ranking(long_lists, rng.random(long_lists.n_documents), convention) for _ in range(400)]
    bands = random_ranking(long_lists, convention, n_draws=1)
    for measure, band in (("MAP", bands.map), ("NDCG@10", bands.ndcg_at_10)):
        drawn = np.array([means[measure] for means in draws])
        standard_error = drawn.std() / np.sqrt(len(drawn))
        assert abs(drawn.mean() - band.expected) < 4 * standard_error


def test_nine_in_ten_random_rankings_fall_inside_the_band(long_lists):
    bands = random_ranking(long_lists, "standard")
    rng = np.random.default_rng(2)
    draws = [evaluate_ranking(long_lists, rng.random(long_lists.n_documents), "standard") for _ in range(400)]
    for measure, band in (("MAP", bands.map), ("NDCG@10", bands.ndcg_at_10)):
        drawn = np.array([means[measure] for means in draws])
        assert np.mean(drawn < band.low) == pytest.approx(0.05, abs=0.04)
        assert np.mean(drawn > band.high) == pytest.approx(0.05, abs=0.04)


def test_the_same_seed_gives_the_same_bands_and_another_seed_others(long_lists):
    first = random_ranking(long_lists, "letor4", n_draws=20, seed=1)
    assert first == random_ranking(long_lists, "letor4", n_draws=20, seed=1)
    assert first.map.low != random_ranking(long_lists, "letor4", n_draws=20, seed=2).map.low


def test_a_band_without_draws_is_refused():
    with pytest.raises(ValueError, match="at least one draw, not 0"):
        random_ranking(one_list([0, 1]), "standard", n_draws=0)
