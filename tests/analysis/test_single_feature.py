"""Each feature alone as the ranking score, in both directions."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.single_feature import single_feature_scores
from core.data import RankingData
from core.metrics import evaluate_ranking


@pytest.fixture(scope="module")
def data() -> RankingData:
    rng = np.random.default_rng(5)
    relevance = rng.integers(0, 3, 60)
    features = np.column_stack([rng.random(60), rng.integers(0, 2, 60), relevance, -relevance, np.ones(60)])
    names = ["noise", "binary", "label", "negated label", "constant"]
    return RankingData.build(features, relevance, [0, 12, 13, 40, 60], feature_names=names)


@pytest.mark.parametrize("convention", ["standard", "letor3", "letor4"])
def test_a_feature_scores_what_its_values_score_as_a_ranking(data, convention):
    scores = single_feature_scores(data, convention)
    assert [(s.index, s.name) for s in scores] == list(enumerate(data.feature_names, start=1))
    for column, score in zip(data.features.T, scores, strict=True):
        descending = evaluate_ranking(data, column, convention)
        ascending = evaluate_ranking(data, -column, convention)
        assert (score.ndcg_at_10, score.map) == (descending["NDCG@10"], descending["MAP"])
        assert (score.reversed_ndcg_at_10, score.reversed_map) == (ascending["NDCG@10"], ascending["MAP"])


def test_a_feature_that_falls_with_relevance_is_perfect_in_reverse(data):
    _, _, label, negated, _ = single_feature_scores(data, "standard")
    assert label.map == negated.reversed_map
    assert label.ndcg_at_10 == negated.reversed_ndcg_at_10
    assert label.map > negated.map


def test_a_constant_feature_has_the_value_of_the_files_order_both_ways(data):
    constant = single_feature_scores(data, "standard")[-1]
    file_order = evaluate_ranking(data, -np.arange(60), "standard")
    assert constant.map == constant.reversed_map == file_order["MAP"]
    assert constant.ndcg_at_10 == constant.reversed_ndcg_at_10 == file_order["NDCG@10"]
