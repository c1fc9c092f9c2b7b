"""What a feature is worth alone: the measures' own word, and scipy's for correlations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from core.data import RankingData
from core.metrics import Measure, evaluate_ranking
from core.metrics.feature_scores import relevance_correlation, scores_alone, varying_features

RNG = np.random.default_rng(8)
RELEVANCE = RNG.integers(0, 3, 60)
COLUMNS = np.column_stack([RNG.random(60), RELEVANCE, -0.5 * RELEVANCE, RNG.integers(0, 2, 60), np.full(60, 0.1)])
DATA = RankingData.build(COLUMNS, RELEVANCE, [0, 12, 13, 40, 60])
CONSTANT = 4


@pytest.mark.parametrize("name", ["MAP", "NDCG@10"])
def test_a_feature_is_worth_what_its_values_score_as_a_ranking(name: str) -> None:
    falling = [evaluate_ranking(DATA, column, "letor3")[name] for column in COLUMNS.T[:CONSTANT]]
    rising = [evaluate_ranking(DATA, -column, "letor3")[name] for column in COLUMNS.T[:CONSTANT]]
    measure = Measure.parse(name)
    assert scores_alone(DATA, measure, "letor3", "descending")[:CONSTANT].tolist() == falling
    assert scores_alone(DATA, measure, "letor3", "better")[:CONSTANT].tolist() == np.maximum(falling, rising).tolist()


def test_correlation_with_relevance_is_scipys_without_its_sign() -> None:
    expected = [abs(pearsonr(column, RELEVANCE).statistic) for column in COLUMNS.T[:CONSTANT]]
    assert relevance_correlation(DATA)[:CONSTANT] == pytest.approx(np.array(expected), abs=1e-12)


def test_a_feature_that_equals_the_label_or_its_negative_has_importance_one() -> None:
    importance = relevance_correlation(DATA)
    assert importance[1:3] == pytest.approx(np.ones(2), abs=1e-12)
    assert importance.max() <= 1.0


def test_a_constant_feature_is_worth_nothing_whatever_the_order_of_the_file() -> None:
    sorted_file = RankingData.build(np.full((3, 1), 7.0), [2, 1, 0], [0, 3])
    assert relevance_correlation(sorted_file).tolist() == [0.0]
    assert scores_alone(sorted_file, Measure("MAP"), "standard", "better").tolist() == [0.0]
    assert relevance_correlation(DATA)[CONSTANT] == 0.0
    assert varying_features(DATA).tolist() == [True, True, True, True, False]
