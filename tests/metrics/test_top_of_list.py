"""The share of positives that stand above all negatives of their query.

Sorting and summing within each query.
Many columns measured at once, against each measured alone.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure, per_query, stacked_lists, top_rate
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
