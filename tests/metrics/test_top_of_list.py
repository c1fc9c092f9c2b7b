"""The share of positives that stand above all negatives of their query.

RR, ERR and recall, held against their definitions and published examples.
Sorting and summing within each query.
Many columns measured at once, against each measured alone.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure, evaluate_ranking, per_query, stacked_lists, top_rate
from core.metrics.by_query import descending_order, running_sums
from core.metrics.stacked_lists import stacked_columns
from tests.oracles import judged

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


@pytest.mark.parametrize("convention", ["standard", "letor3", "letor4"])
def test_conventions_agree_on_it(convention):
    assert evaluate_ranking(judged([1, 0, 2]), [3.0, 2.0, 1.0], convention)["Top"] == 0.5


def test_scores_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match=r"\b1 of 2 scores\b.*not a number"):
        top_rate(judged([1, 0]), [np.nan, 0.0])


CONVENTIONS = ["standard", "letor3", "letor4"]


def in_order(data: RankingData) -> np.ndarray:
    return -np.arange(data.n_documents, dtype=float)


def err(labels: list[int], k: int, largest: int = 4) -> float:
    """Chapelle et al. 2009, Algorithm 2."""
    past, total = 1.0, 0.0
    for rank, label in enumerate(labels[:k], 1):
        stop = (2**label - 1) / 2**largest
        total += past * stop / rank
        past *= 1 - stop
    return total


lists = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1, max_size=5)


@given(queries=lists)
@settings(deadline=None, max_examples=60)
def test_each_is_its_definition_query_by_query(queries: list[list[int]]) -> None:
    data = judged(*queries)
    for convention in CONVENTIONS:

        def value(measure: str, convention: str = convention) -> np.ndarray:
            return per_query(data, in_order(data), measure, convention)

        for k in (1, 3, 20):
            np.testing.assert_allclose(value(f"ERR@{k}"), [err(labels, k) for labels in queries], atol=1e-14)
            hits = [
                sum(label > 0 for label in labels[:k]) / max(1, sum(label > 0 for label in labels))
                for labels in queries
            ]
            np.testing.assert_allclose(value(f"R@{k}"), hits, atol=1e-14)
        np.testing.assert_allclose(value("ERR"), [err(labels, 99) for labels in queries], atol=1e-14)
        first = [next((1 / r for r, label in enumerate(labels, 1) if label > 0), 0.0) for labels in queries]
        np.testing.assert_allclose(value("RR"), first, atol=1e-14)


def test_a_grade_beyond_four_is_the_largest_of_its_data() -> None:
    data = judged([6, 0], [3, 6])
    np.testing.assert_allclose(per_query(data, in_order(data), "ERR", "standard"), [63 / 64, err([3, 6], 2, 6)])


def test_a_huge_grade_does_not_overflow() -> None:
    data = judged([2000, 1])
    np.testing.assert_allclose(per_query(data, in_order(data), "ERR", "standard"), [1.0])


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
    sums = running_sums(np.array([1e20, 1.0, 0.1, 0.2]), np.array([0, 2, 4]))
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
    monkeypatch.setattr(stacked_lists, "DOCUMENTS", documents)
    wanted, measure, alone = np.arange(1, 23), Measure.parse(name), JudgedLists(DATA, convention)
    seen: list[int] = []
    for lists, block, values in stacked_columns(DATA, convention, wanted):
        ranked = lists.judged.rank(values)

        each = [alone.rank(COLUMNS[:, j]) for j in block]
        assert lists.means(ranked, measure).tolist() == [one.mean(measure) for one in each]
        assert lists.means(ranked.official, measure).tolist() == [one.official.mean(measure) for one in each]
        seen += block.tolist()
    assert seen == wanted.tolist()
