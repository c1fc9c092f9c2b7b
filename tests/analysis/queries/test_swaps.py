"""Why a document stands above another, and what swaps the two: held against every change that could be tried."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.analysis.queries.swaps import (
    Swap,
    contributions,
    exact_gap,
    gap_terms,
    value_swaps,
    weight_swaps,
)

NUMBERS = st.floats(-4.0, 4.0, allow_subnormal=False).map(lambda x: round(x, 3))
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=5)


def changed(swap: Swap, to: float, weights: np.ndarray, above: np.ndarray, below: np.ndarray) -> Fraction:
    """The gap with the swap's number set to another value."""
    w, a, b = weights.copy(), above.copy(), below.copy()
    target = {None: w, "above": a, "below": b}[swap.document]
    target[swap.feature] = to
    return exact_gap(w, a, b)


def in_order(rows: list[tuple[float, float, float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights and two documents, the higher one first."""
    w, a, b = (np.array(column) for column in zip(*rows, strict=True))
    return (w, a, b) if exact_gap(w, a, b) >= 0 else (w, b, a)


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_a_swap_swaps_and_the_number_before_it_does_not(rows: list[tuple[float, float, float]]) -> None:
    w, a, b = in_order(rows)
    for swap in (*weight_swaps(w, a, b), *value_swaps(w, a, b)):
        assert changed(swap, swap.needed, w, a, b) < 0
        one_less = np.nextafter(swap.needed, swap.now)
        assert changed(swap, float(one_less), w, a, b) >= 0


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_no_smaller_change_of_one_number_swaps_the_two(rows: list[tuple[float, float, float]]) -> None:
    """Brute force: every weight and every value, moved either way by less than the smallest swap."""
    w, a, b = in_order(rows)
    assume(exact_gap(w, a, b) > 0)
    for swaps, documents in ((weight_swaps(w, a, b), [None]), (value_swaps(w, a, b), ["above", "below"])):
        smallest = abs(swaps[0].change) if swaps else 100.0
        for j in range(len(w)):
            for document in documents:
                now = {None: w, "above": a, "below": b}[document][j]
                for share in (-0.999, -0.5, 0.5, 0.999):
                    tried = Swap(j, float(now), float(now), document)
                    assert changed(tried, float(now + share * smallest), w, a, b) >= 0


def test_terms_add_up_to_scores_and_gaps() -> None:
    rng = np.random.default_rng(1)
    w, a, b = rng.normal(size=(3, 7))
    assert contributions(w, a).sum() == pytest.approx(w @ a)
    assert gap_terms(w, a, b).sum() == pytest.approx(w @ a - w @ b)
    assert float(exact_gap(w, a, b)) == pytest.approx(w @ a - w @ b)
    assert contributions(w, np.stack([a, b])).sum(axis=1) == pytest.approx([w @ a, w @ b])


def test_a_feature_that_does_not_differ_swaps_nothing_and_one_without_weight_only_by_its_weight() -> None:
    w, a, b = np.array([1.0, 0.0, 2.0]), np.array([1.0, 0.0, 5.0]), np.array([0.5, 1.0, 5.0])
    by_weight, by_value = weight_swaps(w, a, b), value_swaps(w, a, b)
    assert {swap.feature for swap in by_weight} == {0, 1}
    assert {swap.feature for swap in by_value} == {0, 2}
    new = next(swap for swap in by_weight if swap.feature == 1)
    assert new.now == 0.0
    assert new.needed == np.nextafter(0.5, 1.0)


def test_tied_documents_need_the_least_change_there_is() -> None:
    w, a, b = np.array([1.0]), np.array([2.0]), np.array([2.0])
    assert weight_swaps(w, a, b) == ()
    assert {abs(swap.change) < 1e-15 for swap in value_swaps(w, a, b)} == {True}


def test_a_step_further_outlasts_the_rounding_of_a_score() -> None:
    rng = np.random.default_rng(2)
    w, a, b = rng.normal(size=(3, 40))
    w, a, b = (w, a, b) if w @ a >= w @ b else (w, b, a)
    for swap in weight_swaps(w, a, b):
        v = w.copy()
        v[swap.feature] = swap.further
        assert v @ b > v @ a


def test_the_lower_document_first_is_refused() -> None:
    with pytest.raises(ValueError, match="the other way round"):
        weight_swaps(np.ones(1), [0.0], [1.0])
