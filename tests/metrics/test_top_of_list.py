"""The share of positives that stand above all negatives of their query.

Sorting and summing within each query.
Many columns measured at once, against each measured alone.
Measures in expectation over the orders of tied documents: against every order, one by one.
"""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure, feature_scores
from core.metrics.by_query import descending_order, list_curves, tie_starts
from core.metrics.feature_scores import stacked_columns
from tests.oracles import judged


def top_rate(data, scores):
    return JudgedLists(data, "standard").rank(scores).mean(Measure("Top"))


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

    assert JudgedLists(data, "standard").rank(scores).per_query(Measure("Top")).tolist() == pytest.approx(shares)


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


def test_documents_are_ordered_within_their_query_and_ties_keep_file_order():
    # Long lists too, where a sort that is stable on short ones may stop being so.
    rng = np.random.default_rng(0)
    sizes = np.array([1, 2, 700, 3, 50])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    values = rng.integers(0, 5, offsets[-1]).astype(float)
    np.testing.assert_array_equal(
        descending_order(values, offsets), np.lexsort((-values, np.repeat(np.arange(5), sizes)))
    )


def test_the_sum_of_one_query_leaves_no_rounding_in_the_next():
    gains, ones, documents = np.array([1e20, 1.0, 0.1, 0.2]), np.ones(4), np.arange(4)
    _, sums, _ = list_curves(gains, ones, ones, documents, documents, np.array([0, 2]))
    np.testing.assert_array_equal(sums, [1e20, 1e20 + 1.0, 0.1, 0.1 + 0.2])


RNG = np.random.default_rng(4)
COLUMNS = np.where(np.arange(23) % 2, RNG.normal(size=(50, 23)), RNG.integers(0, 4, (50, 23)))
DATA = RankingData.build(COLUMNS, RNG.integers(0, 3, 50), [0, 1, 13, 30, 50])


@pytest.mark.parametrize("convention", ["standard", "letor3", "letor4"])
@pytest.mark.parametrize("name", ["NDCG@10", "MAP", "P@5", "RR", "ERR", "MeanNDCG", "R@3"])
@pytest.mark.parametrize("documents", [1, 200, 2**14])
def test_columns_at_once_are_worth_to_the_bit_what_each_is_worth_alone(
    convention: Convention, name: str, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In blocks of one, of four with a rest, and of all; in file order and in expectation over ties."""
    monkeypatch.setattr(feature_scores, "DOCUMENTS", documents)
    wanted, measure, alone = np.arange(1, 23), Measure.parse(name), JudgedLists(DATA, convention)
    seen: list[int] = []
    for lists, block, values in stacked_columns(DATA, convention, wanted):
        ranked = lists.judged.rank(values)

        each = [alone.rank(COLUMNS[:, j]) for j in block]
        assert lists.means(ranked, measure).tolist() == [one.mean(measure) for one in each]
        assert lists.means(ranked.official, measure).tolist() == [one.official.mean(measure) for one in each]
        seen += block.tolist()
    assert seen == wanted.tolist()


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


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_only_letor_has_numbers_in_file_order_and_they_are_those_of_ties_broken_by_it(convention):
    rng = np.random.default_rng(7)
    data = judged(*(rng.integers(0, 3, size).tolist() for size in rng.integers(1, 40, 30)))
    scores = rng.integers(0, 3, data.n_documents).astype(float)
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
