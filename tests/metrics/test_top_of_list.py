"""The share of positives that stand above all negatives of their query."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import RankingData
from core.metrics import evaluate_ranking, per_query, top_rate


def judged(*queries: list[int]) -> RankingData:
    labels = np.concatenate(queries)
    return RankingData.build(np.zeros((len(labels), 1)), labels, np.cumsum([0, *map(len, queries)]))


documents = st.lists(st.tuples(st.integers(0, 2), st.integers(-3, 3)), min_size=1, max_size=8)


@given(queries=st.lists(documents, min_size=1, max_size=4))
@settings(deadline=None)
def test_it_counts_the_positives_that_beat_every_negative(queries):
    shares = []
    for query in queries:
        positives = [score for label, score in query if label > 0]
        negatives = [score for label, score in query if label == 0]
        on_top = [all(p > n for n in negatives) for p in positives]
        shares.append(sum(on_top) / len(on_top) if positives else 0.0)
    data = judged(*[[label for label, _ in query] for query in queries])
    scores = np.concatenate([[score for _, score in query] for query in queries])

    assert per_query(data, scores, "Top", "standard").tolist() == pytest.approx(shares)
    assert top_rate(data, scores) == pytest.approx(np.mean(shares))


def test_ties_count_against_it_whatever_the_order_of_the_file():
    assert top_rate(judged([1, 0, 1]), [1.0, 1.0, 2.0]) == 0.5
    assert top_rate(judged([1, 1, 0]), [0.0, 0.0, 0.0]) == 0.0


def test_a_positive_that_beats_a_negative_by_rounding_only_is_tied_with_it():
    third = 0.1 + 0.2  # above 0.3 by its last bit
    assert third > 0.3
    assert top_rate(judged([1, 0]), [third, 0.3]) == 0.0
    assert top_rate(judged([1, 0]), [0.3, third]) == 0.0
    assert top_rate(judged([1, 0, 1]), [third, 0.3, 0.3 * (1 + 1e-9)]) == 0.5
    # What is tied with a tied one is tied: the groups are those of the other measures.
    assert top_rate(judged([1, 1, 0]), [1.0 + 1.6e-12, 1.0 + 0.8e-12, 1.0]) == 0.0
    # By each query's own scores.
    assert top_rate(judged([1, 0], [1, 0]), [1e13, 1.0, 2.0, 1.0]) == 1.0


def test_a_query_without_negatives_has_all_its_positives_on_top_whatever_their_scores():
    assert top_rate(judged([1, 1]), [-np.inf, 0.0]) == 1.0


def test_every_query_counts_the_same_however_many_positives_it_has():
    assert top_rate(judged([1, 0], [1, 1, 1, 0]), [1, 0, 0, 0, 0, 1]) == 0.5


@pytest.mark.parametrize("convention", ["standard", "letor3", "letor4"])
def test_conventions_agree_on_it(convention):
    assert evaluate_ranking(judged([1, 0, 2]), [3.0, 2.0, 1.0], convention)["Top"] == 0.5


def test_scores_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match=r"\b1 of 2 scores\b.*not a number"):
        top_rate(judged([1, 0]), [np.nan, 0.0])
