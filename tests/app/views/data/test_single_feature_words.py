"""Which features the pages call the best alone: the same on every processor."""

from __future__ import annotations

import pytest

from core.analysis.features.single_feature import SingleFeatureScore
from core.figures.features.single_feature import best_words, ranked_scores
from core.metrics.measures import MeasureName
from tests.says import assert_says

THIRD = 0.1 + 0.2  # above 0.3 by its last bit


def score(index: int, falling: float, rising: float = 0.1) -> SingleFeatureScore:
    return SingleFeatureScore(index, f"f{index}", falling, falling, rising, rising, falling, falling)


@pytest.mark.parametrize("measure", ["MAP", "NDCG@10"])
def test_among_features_that_differ_by_rounding_only_the_first_is_the_best(measure: MeasureName) -> None:
    scores = [score(1, 0.2), score(2, 0.3), score(3, THIRD)]
    said = best_words(scores, measure)
    assert_says(said, "f2", "0.3000")
    assert "smallest" not in said
    assert [found.index for found in ranked_scores(scores, measure)] == [2, 3, 1]


def test_a_feature_as_good_the_other_way_round_is_taken_with_its_largest_values_first() -> None:
    said = best_words([score(1, 0.3, THIRD)], "MAP")
    assert_says(said, "f1", "0.3000")
    assert "smallest" not in said
    assert_says(best_words([score(1, 0.3), score(2, 0.1, 0.4)], "MAP"), "f2", "0.4000", "smallest first")
