"""What a model changes for every query against another one.

Changes by hand, and the text that an address holds.
One query under two scorings.
Why a document stands above another, and what swaps the two: held against every change that could be tried.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.analysis.evaluation import FoldJudge
from core.analysis.queries.side_by_side import ideal_scores, main_mover, moving_features, query_changes, side_by_side
from core.analysis.queries.swaps import (
    Edits,
    Swap,
    contributions,
    edits_of,
    exact_gap,
    gap_terms,
    read_edits,
    value_swaps,
    weight_swaps,
)
from core.data import Fold, RankingData


@pytest.fixture
def data() -> RankingData:
    rng = np.random.default_rng(3)
    return RankingData.build(rng.normal(size=(60, 4)), rng.integers(0, 3, 60), [0, 7, 20, 21, 45, 60])


def test_the_values_are_those_of_the_judge(data: RankingData) -> None:
    w, v = np.array([1.0, 0, -1, 0.5]), np.array([0.0, 0, 0, 1])
    judge = FoldJudge(Fold("f", data), "letor4")
    for measure in ("MAP", "NDCG@10"):
        found = query_changes(data, data.features @ w, data.features @ v, "letor4", measure)
        assert found.a == pytest.approx(judge.per_query(w, "train", measure))
        assert found.b == pytest.approx(judge.per_query(v, "train", measure))
        assert np.all(np.diff(found.delta[found.order]) >= 0)
        assert sum(found.counts) == data.n_queries


@pytest.mark.parametrize("query", range(5))
@pytest.mark.parametrize("ideal", [False, True])
def test_moving_features_are_those_of_all_pairs(data: RankingData, query: int, ideal: bool) -> None:
    """Brute force over explicit pairs."""
    w, v = np.array([1.0, 0, -1, 0.5]), np.array([0.3, 0, 0, 1])
    rows = slice(*data.query_offsets[query : query + 2])
    x, relevance = data.features[rows], data.relevance[rows]
    a = w / (x @ w).std() if len(x) > 1 else np.zeros(4)
    b = np.zeros(4) if ideal or len(x) == 1 else v / (x @ v).std()
    scores_b = relevance if ideal else x @ b
    moved, pairs = np.zeros(4), 0
    for i in range(len(x)):
        for k in range(len(x)):
            if relevance[i] > relevance[k] and (x[i] @ a > x[k] @ a) != (scores_b[i] > scores_b[k]):
                moved += (a - b) * (x[i] - x[k])
                pairs += 1
    found = moving_features(data, query, w, None if ideal else v)
    assert found[1] == pairs
    assert found[0] == pytest.approx(moved)
    assert np.allclose(moving_features(data, query, 100 * w, None if ideal else v)[0], moved), "only the order counts"


def test_the_mover_goes_the_way_of_the_query() -> None:
    moved = np.array([-2.0, 0.0, 1.0])
    assert main_mover(moved, -0.1) == 0
    assert main_mover(moved, 0.1) == 2
    assert main_mover(moved, 0.0) is None
    assert main_mover(np.zeros(3), -0.1) is None


def test_edits_change_what_they_name_and_nothing_else() -> None:
    edits = edits_of([(2, 0.5), (0, -1.0)], [(1, 2, 9.0)])
    weights, values = np.array([1.0, 2, 3]), np.arange(6.0).reshape(2, 3)
    assert edits.model(weights).tolist() == [-1, 2, 0.5]
    assert edits.features(values).tolist() == [[0, 1, 2], [3, 4, 9]]
    assert weights.tolist() == [1, 2, 3], "not in place"
    assert edits.of_model == Edits(edits.weights)


def test_the_text_is_read_back_with_every_digit() -> None:
    edits = edits_of([(2, 1 / 3)], [(1, 2, 1e-17)])
    assert edits.text() == f"w3={1 / 3!r};d2.3=1e-17"
    assert read_edits(edits.text(), 2, 3) == edits
    assert not read_edits("", 2, 3)


@pytest.mark.parametrize("text", ["w4=1", "w0=1", "d3.1=1", "d0.1=1", "w1=nan", "w1=inf", "w1=", "w1", "<b>", "w-1=2"])
def test_what_cannot_be_is_left_out(text: str) -> None:
    assert read_edits(f"{text};w2=7", 2, 3) == Edits(((1, 7.0),))


DATA = RankingData.build(np.arange(14.0).reshape(7, 2), [9, 0, 1, 2, 0, 1, 1], [0, 1, 5, 7])


def test_places_and_moves_are_those_of_the_one_query() -> None:
    a, b = np.array([0.0, 1, 4, 3, 2, 0, 0]), np.array([0.0, 4, 1, 2, 3, 0, 0])
    found = side_by_side(DATA, 1, a, b, "standard")
    assert found.data.relevance.tolist() == [0, 1, 2, 0]
    assert found.order_a.tolist() == [1, 2, 3, 0]
    assert found.places_a.tolist() == [4, 1, 2, 3]
    assert found.places_b.tolist() == [1, 4, 3, 2]
    assert found.moves.tolist() == [-3, 3, 1, -1]
    assert found.relevant_moves == (2, 0, 0)
    assert found.measure("MAP") == pytest.approx((1.0, (1 / 3 + 2 / 4) / 2))


def test_documents_with_the_same_score_keep_the_order_of_the_file() -> None:
    found = side_by_side(DATA, 1, np.zeros(7), ideal_scores(DATA), "standard")
    assert found.places_a.tolist() == [1, 2, 3, 4]
    assert found.order_b.tolist() == [2, 1, 0, 3]
    assert found.measure("NDCG@10")[1] == 1.0


@pytest.mark.parametrize(
    ("scores", "pair"),
    [([4, 3, 2, 1], (0, 1)), ([1, 3, 4, 2], (2, 1)), ([1, 4, 3, 2], (1, 2)), ([3, 2, 4, 1], (0, 1))],
)
def test_the_telling_pair_is_the_first_that_stands_wrong_else_the_first_two(
    scores: list[float], pair: tuple[int, int]
) -> None:
    a = np.array([0.0, *scores, 0, 0])
    found = side_by_side(DATA, 1, a, a, "standard")  # relevant 0, 1, 2 and 0
    assert found.telling_pair == pair


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
