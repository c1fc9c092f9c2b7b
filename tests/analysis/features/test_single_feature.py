"""Each feature alone as the ranking score, in both directions."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.features.single_feature import SingleFeatureScore, best_alone, single_feature_scores
from core.data import RankingData
from core.metrics import evaluate_ranking, top_rate
from tests.says import assert_says


@pytest.fixture(scope="module")
def data() -> RankingData:
    rng = np.random.default_rng(5)
    relevance = rng.integers(0, 3, 60)
    features = np.column_stack([rng.random(60), rng.integers(0, 2, 60), relevance, -relevance, np.ones(60)])
    names = ["noise", "binary", "label", "negated label", "constant"]
    return RankingData.build(features, relevance, [0, 12, 13, 40, 60], feature_names=names)


def mean_over_shuffled_files(data, scores, convention, n=200) -> tuple[float, float]:
    """NDCG@10 and MAP by the official rule, mean over files whose queries have their documents in a random order."""
    rng, values = np.random.default_rng(2), []
    for _ in range(n):
        rows = np.lexsort((rng.random(data.n_documents), data.query_of_document))
        shuffled = RankingData.build(data.features[rows], data.relevance[rows], data.query_offsets)
        found = evaluate_ranking(shuffled, scores[rows], convention)
        values.append((found["NDCG@10"], found["MAP"]))
    return tuple(np.mean(values, axis=0))


@pytest.mark.parametrize("convention", ["standard", "letor3", "letor4"])
def test_a_feature_scores_what_its_values_score_as_a_ranking(data, convention):
    scores = single_feature_scores(data, convention)
    assert [(s.index, s.name) for s in scores] == list(enumerate(data.feature_names, start=1))
    for column, score in zip(data.features.T, scores, strict=True):
        official = evaluate_ranking(data, column, convention)
        assert (score.official_ndcg_at_10, score.official_map) == (official["NDCG@10"], official["MAP"])
        assert (score.value("Top"), score.reversed_value("Top")) == (top_rate(data, column), top_rate(data, -column))
        for sign, found in ((1, (score.ndcg_at_10, score.map)), (-1, (score.reversed_ndcg_at_10, score.reversed_map))):
            shuffled = mean_over_shuffled_files(data, sign * column, convention)
            np.testing.assert_allclose(found, shuffled, atol=0.02 if len(np.unique(column)) < 60 else 1e-12)


def test_a_feature_that_falls_with_relevance_is_perfect_in_reverse(data):
    _, _, label, negated, _ = single_feature_scores(data, "standard")
    assert label.map == negated.reversed_map
    assert label.ndcg_at_10 == negated.reversed_ndcg_at_10
    assert label.map > negated.map


def test_a_feature_that_cannot_rank_has_the_value_of_a_random_order_however_good_the_file(data):
    best_first = np.lexsort((-data.relevance, data.query_of_document))
    by_query = data.query_of_document.astype(float)  # differs between queries, never within one
    sorted_file = RankingData.build(
        np.column_stack([np.ones(60), by_query]), data.relevance[best_first], data.query_offsets
    )
    file_order = evaluate_ranking(sorted_file, -np.arange(60), "standard")
    assert file_order["MAP"] == 1.0
    shuffled = mean_over_shuffled_files(sorted_file, np.ones(60), "standard", n=400)
    for score in single_feature_scores(sorted_file, "standard"):
        assert not score.ranks
        assert score.official_map == score.map, "standard has no number in file order"
        assert score.map == score.reversed_map
        np.testing.assert_allclose((score.ndcg_at_10, score.map), shuffled, atol=0.02)
    assert [score.ranks for score in single_feature_scores(data, "standard")] == [True] * 4 + [False]


def test_the_best_alone_say_how_many_tie_at_their_edge():
    values = [0.5, 0.9, 0.5, 0.1 + 0.2, 0.5, 0.3]
    scores = [SingleFeatureScore(j + 1, f"f{j}", v, 0.0, 0.0, 0.0, 0.0, 0.0) for j, v in enumerate(values)]
    best = best_alone(scores, "NDCG@10", 3)
    assert best.columns == (1, 0, 2)
    assert_says(best.tie_words, "2", "3", "0.5000")
    assert best_alone(scores, "NDCG@10", 4).tie_words == ""
    assert best_alone(scores, "NDCG@10").columns == (1, 0, 2, 4, 3, 5)
    assert_says(best_alone(scores, "NDCG@10", 5).tie_words, "1", "2", "0.3000")
