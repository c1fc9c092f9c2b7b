"""RR, ERR and recall, held against their definitions and published examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import RankingData
from core.metrics import per_query

CONVENTIONS = ["standard", "letor3", "letor4"]


def judged(*queries: list[int]) -> RankingData:
    offsets = np.cumsum([0] + [len(labels) for labels in queries])
    return RankingData.build(np.zeros((offsets[-1], 1)), np.concatenate(queries), offsets)


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


def test_two_relevant_documents_tied_with_one_that_is_not() -> None:
    data = judged([1, 0, 1])
    scores = np.zeros(3)
    from core.metrics import JudgedLists, Measure

    found = JudgedLists(data, "standard").rank(scores).mean(Measure("RR"))
    assert found == pytest.approx((2 * 1 + 1 / 2) / 3), "in one order of three the irrelevant document stands first"
