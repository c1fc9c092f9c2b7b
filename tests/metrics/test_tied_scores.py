"""Measures in expectation over the orders of tied documents: against every order, one by one."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.data import RankingData
from core.metrics import JudgedLists, Measure
from core.metrics.by_query import tie_starts
from tests.oracles import judged

CONVENTIONS = ["standard", "letor3", "letor4"]
NAMES = ("MAP", "NDCG@1", "NDCG@3", "NDCG@10", "P@2", "P@5", "MeanNDCG", "Top", "RR", "ERR", "ERR@2", "R@1", "R@3")
MEASURES = [Measure.parse(name) for name in NAMES]


def mean_over_orders(documents: list[tuple[int, int]], convention: str) -> np.ndarray:
    """Every order of the file, with ties broken by it: each order of the ties equally often. Top keeps the ties."""
    orders = list(permutations(documents))
    data = judged(*([label for label, _ in order] for order in orders))
    tied = [float(score) for order in orders for _, score in order]
    strict = [score - 0.01 * place for order in orders for place, (_, score) in enumerate(order)]
    ranked, broken = (JudgedLists(data, convention).rank(scores) for scores in (tied, strict))
    return np.array([(ranked if measure.kind == "Top" else broken).mean(measure) for measure in MEASURES])


lists = st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 1)), min_size=1, max_size=5)


@pytest.mark.parametrize("convention", CONVENTIONS)
@given(documents=lists)
@example(documents=[(2, 1), (0, 1), (1, 1), (0, 1), (1, 0), (0, 0), (3, 0)])  # two groups of ties
@settings(deadline=None, max_examples=40)
def test_the_expectation_is_the_mean_over_all_orders_of_the_file(convention, documents):
    data = judged([label for label, _ in documents])
    lists = JudgedLists(data, convention).rank([float(score) for _, score in documents])
    expected = [lists.mean(measure) for measure in MEASURES]
    np.testing.assert_allclose(expected, mean_over_orders(documents, convention), atol=1e-12)


def random_data(n_values: int) -> tuple[RankingData, np.ndarray]:
    rng = np.random.default_rng(7)
    data = judged(*(rng.integers(0, 3, size).tolist() for size in rng.integers(1, 40, 30)))
    return data, rng.integers(0, n_values, data.n_documents).astype(float)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_only_letor_has_numbers_in_file_order_and_they_are_those_of_ties_broken_by_it(convention):
    data, scores = random_data(3)
    lists = JudgedLists(data, convention)
    ranked, broken = lists.rank(scores), lists.rank(scores - 1e-6 * np.arange(data.n_documents))
    assert broken.official is broken, "without ties"
    if convention == "standard":
        assert ranked.official is ranked
    else:
        assert ranked.official.summary() == broken.summary() | {"Top": ranked.mean(Measure("Top"))}


def test_scores_that_differ_by_rounding_only_are_tied_and_others_are_not():
    third = 0.1 + 0.2  # not 0.3 to the last bit
    ranked = np.array([third, 0.3, 0.3 * (1 - 1e-9), 1e-300, 0.0, 0.0])
    np.testing.assert_array_equal(tie_starts(ranked, np.array([0, 4, 6])), [0, 2, 3, 4])
    # In a query of small scores a small difference is one.
    np.testing.assert_array_equal(tie_starts(np.array([3e-300, 2e-300, 2e-300]), np.array([0, 3])), [0, 1])
    infinite = np.array([np.inf, np.inf, 1.0, 0.5, -np.inf, -np.inf])
    np.testing.assert_array_equal(tie_starts(infinite, np.array([0, 6])), [0, 2, 3, 4])


def test_one_score_far_from_the_others_does_not_tie_them():
    for outlier in ([1e13, 3.0, 2.0, 1.0], [3.0, 2.0, 1.0, -1e13]):
        np.testing.assert_array_equal(tie_starts(np.array(outlier), np.array([0, 4])), [0, 1, 2, 3])


def test_what_is_left_of_terms_that_cancel_is_rounding():
    """Beside a score of 1, sums that are 0 but for their rounding are tied, though not to any share of themselves."""
    left = 0.1 + 0.2 - 0.3
    np.testing.assert_array_equal(tie_starts(np.array([1.0, left, 0.0, -left]), np.array([0, 4])), [0, 1])
    np.testing.assert_array_equal(tie_starts(np.array([1.0, 1e-14, 0.0]), np.array([0, 3])), [0, 1, 2])
