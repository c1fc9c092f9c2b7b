"""Measures of a ranking: against their definitions spelled out, and against others' implementations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from core.data import RankingData
from core.metrics import evaluate_ranking, per_query
from tests.oracles import judged

CONVENTIONS = ["standard", "letor3", "letor4"]


def in_file_order(data: RankingData) -> np.ndarray:
    return -np.arange(data.n_documents)


# The definitions, spelled out for the labels of one list in ranked order.


def dcg(labels: list[int], k: int, convention: str) -> float:
    total = 0.0
    for rank, label in enumerate(labels[:k], start=1):
        gain = 2**label - 1
        if convention == "standard":
            total += gain / math.log2(rank + 1)
        else:
            total += gain if rank <= 2 else gain / math.log2(rank)
    return total


def ndcg(labels: list[int], k: int, convention: str) -> float:
    if max(labels) == 0 or (convention != "standard" and len(labels) < k):
        return 0.0
    return dcg(labels, k, convention) / dcg(sorted(labels, reverse=True), k, convention)


def precision(labels: list[int], k: int, convention: str) -> float:
    if convention == "letor3" and len(labels) < k:
        return 0.0
    return sum(label >= 1 for label in labels[:k]) / k


def average_precision(labels: list[int]) -> float:
    precisions = [
        sum(label >= 1 for label in labels[:rank]) / rank for rank in range(1, len(labels) + 1) if labels[rank - 1] >= 1
    ]
    return sum(precisions) / len(precisions) if precisions else 0.0


def by_definition(labels: list[int], measure: str, convention: str) -> float:
    if measure == "MAP":
        return average_precision(labels)
    if measure == "MeanNDCG":
        n = len(labels)
        return sum(ndcg(labels, k, convention) for k in range(1, n + 1)) / n
    kind, k = measure.split("@")
    return (ndcg if kind == "NDCG" else precision)(labels, int(k), convention)


# Few different scores, with ties broken by the order of the file; lists on both sides of the cutoffs.
documents = st.lists(st.tuples(st.integers(0, 4), st.integers(-2, 2)), min_size=1, max_size=14)


@pytest.mark.parametrize("convention", CONVENTIONS)
@given(queries=st.lists(documents, min_size=1, max_size=5))
@settings(deadline=None, max_examples=60)
def test_every_measure_is_its_definition_query_by_query(convention, queries):
    data = judged(*[[label for label, _ in documents] for documents in queries])
    scores = np.concatenate([[s - 0.01 * i for i, (_, s) in enumerate(documents)] for documents in queries])
    # sorted() is stable: documents of equal score stay in file order.
    ranked = [[label for label, _ in sorted(documents, key=lambda d: -d[1])] for documents in queries]

    means = evaluate_ranking(data, scores, convention)

    assert list(means) == (
        ["MAP", *(f"NDCG@{k}" for k in range(1, 11)), *(f"P@{k}" for k in range(1, 11)), "MeanNDCG", "Top"]
    )
    # Top asks for the scores and not for their order alone: test_top_of_list.
    for measure, mean in list(means.items())[:-1]:
        expected = [by_definition(labels, measure, convention) for labels in ranked]
        np.testing.assert_allclose(per_query(data, scores, measure, convention), expected, atol=1e-12)
        assert mean == pytest.approx(np.mean(expected), abs=1e-12)


def test_the_check_values_of_the_conventions():
    first, second = judged([1, 2, 0]), judged([0, 1, 2, 0, 2, 1])

    def value(data, measure, convention):
        return round(evaluate_ranking(data, in_file_order(data), convention)[measure], 4)

    for letor in ("letor3", "letor4"):
        assert value(first, "NDCG@2", letor) == 1.0
        assert value(second, "NDCG@5", letor) == 0.5869
    assert value(first, "NDCG@2", "standard") == 0.7967
    assert value(second, "NDCG@5", "standard") == 0.5652
    assert value(second, "MAP", "standard") == 0.6083


@pytest.fixture(scope="module")
def random_lists() -> tuple[RankingData, np.ndarray]:
    """Twenty lists of 2 to 30 documents, each with a relevant one, and scores without ties."""
    rng = np.random.default_rng(3)
    lists = [rng.integers(0, 4, size) for size in rng.integers(2, 31, 20)]
    for labels in lists:
        labels[0] = 1
    data = judged(*lists)
    return data, rng.permutation(data.n_documents).astype(float)


def test_standard_ndcg_and_map_agree_with_scikit_learn(random_lists):
    data, scores = random_lists
    parts = [slice(a, b) for a, b in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True)]
    gains = 2.0**data.relevance - 1
    np.testing.assert_allclose(
        per_query(data, scores, "NDCG@10", "standard"),
        [ndcg_score([gains[part]], [scores[part]], k=10) for part in parts],
    )
    np.testing.assert_allclose(
        per_query(data, scores, "MAP", "standard"),
        [average_precision_score(data.relevance[part] >= 1, scores[part]) for part in parts],
    )


def test_a_list_shorter_than_the_cutoff_is_what_the_conventions_disagree_about():
    data = judged([1, 0, 1])
    at_four = {
        convention: evaluate_ranking(data, in_file_order(data), convention, cutoffs=[4]) for convention in CONVENTIONS
    }
    assert at_four["standard"]["NDCG@4"] == pytest.approx(1.5 / (1 + 1 / math.log2(3)))
    assert at_four["letor3"]["NDCG@4"] == at_four["letor4"]["NDCG@4"] == 0.0
    assert at_four["standard"]["P@4"] == at_four["letor4"]["P@4"] == 0.5
    assert at_four["letor3"]["P@4"] == 0.0


def test_large_labels_do_not_overflow_and_a_gain_doubles_with_each_level():
    data = judged([1999, 2000, 0])
    # Against 2^2000 the −1 is nothing: gains 1/2 and 1, against the ideal 1 and 1/2.
    second = 1 / math.log2(3)
    assert evaluate_ranking(data, in_file_order(data), "standard")["NDCG@2"] == pytest.approx(
        (0.5 + second) / (1 + 0.5 * second)
    )


def test_infinite_scores_are_ranked_first_and_last():
    data = judged([0, 1, 2])
    assert evaluate_ranking(data, [-np.inf, 1.0, np.inf], "letor4", cutoffs=[3])["NDCG@3"] == 1.0


def test_scores_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match=r"\b2 of 3 scores\b.*not a number.*document 2\b"):
        evaluate_ranking(judged([0, 1, 2]), [0.0, np.nan, np.nan], "standard")


@pytest.mark.parametrize("scores", [[1.0, 2.0], 1.0, [[1.0], [2.0], [3.0]]])
def test_scores_that_are_not_one_a_document_are_refused(scores):
    with pytest.raises(ValueError, match=r"\b3 documents\b.*\b3 scores\b"):
        evaluate_ranking(judged([0, 1, 2]), scores, "standard")


def test_a_cutoff_below_one_is_refused():
    with pytest.raises(ValueError, match=r"cutoffs.*\b1\b.*\b0\b"):
        evaluate_ranking(judged([0, 1]), [0, 1], "standard", cutoffs=[0, 5])


def test_an_unknown_convention_is_refused_by_name():
    with pytest.raises(ValueError, match=r"no metric convention 'letor5'.*\bstandard, letor3, letor4\b"):
        evaluate_ranking(judged([0, 1]), [0, 1], "letor5")
