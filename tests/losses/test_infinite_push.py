"""The infinite push without pairs says what its definition over explicit pairs says.

RSRank's loss against explicit pairs, with the NDCG of every swap worked out by swapping.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import DataError, RankingData
from core.losses import ImportanceWeightedHuber, InfinitePush
from core.metrics import evaluate_ranking
from tests.oracles import FloatArray, Pairs, lists_of, ranking_problem
from tests.push_oracles import Lists

# Quarters make ties, and margins of exactly 1, likely.
score = st.one_of(st.integers(-12, 12).map(lambda k: k / 4), st.floats(-5.0, 5.0, width=32))
share = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.0, 1.0))


@st.composite
def judged_lists(draw: st.DrawFn) -> tuple[RankingData, np.ndarray, np.ndarray]:
    """Some queries, at least one with positives and negatives, and two vectors of scores."""
    relevance = draw(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=9), min_size=0, max_size=4))
    relevance.append([*draw(st.lists(st.integers(0, 2), max_size=6)), 1, 0])
    n = sum(map(len, relevance))
    here, there = (np.array(draw(st.lists(score, min_size=n, max_size=n))) for _ in range(2))
    return lists_of(relevance, np.ones((n, 1))), here, there


@settings(max_examples=200, deadline=None)
@given(judged_lists(), share)
def test_value_and_dual_point_are_those_over_all_pairs_and_the_gradient_supports_them_everywhere(
    drawn: tuple[RankingData, np.ndarray, np.ndarray], kappa: float
) -> None:
    """Fenchel: L(s) = sum(alpha) + g.s where g is the gradient that alpha makes."""
    data, here, there = drawn
    found, pairs = InfinitePush.of(data, kappa).evaluate(here), Lists.of(data, kappa)
    assert found.value == pytest.approx(pairs.loss(here), rel=1e-12)
    assert pairs.loss(there) >= found.value + found.gradient @ (there - here) - 1e-12
    assert found.value == pytest.approx(found.dual_slope + found.gradient @ here, rel=1e-11, abs=1e-12)
    assert (found.dual_curvature, found.dual_limit) == (0.0, 1.0)
    assert 0.0 <= found.dual_slope <= 1.0 + 1e-12


def test_queries_of_one_kind_only_are_counted() -> None:
    data = lists_of([[1], [2, 0, 1], [1, 1, 2], [0]], np.arange(8.0)[:, None])
    loss = InfinitePush.of(data)
    assert (loss.n_queries_used, loss.n_queries_skipped) == (1, 3)


@pytest.mark.parametrize("size", [47, 48, 49, 130])
def test_many_positives_are_sorted_as_few_are(size: int) -> None:
    rng = np.random.default_rng(size)
    data = lists_of([[1] * size + [0] * 7], np.ones((size + 7, 1)))
    scores = rng.integers(-6, 6, size + 7) / 4
    found = InfinitePush.of(data, 0.4).evaluate(scores).value
    assert found == pytest.approx(Lists.of(data, 0.4).loss(scores), rel=1e-12)


def test_scores_far_from_zero_lose_nothing_but_their_own_digits() -> None:
    data = ranking_problem(4)
    scores = np.random.default_rng(0).integers(-900, 900, data.n_documents) / 256
    offsets = (2.0**30 * np.random.default_rng(1).choice([-1, 1], data.n_queries))[data.query_of_document]
    loss = InfinitePush.of(data, 0.3)
    assert loss.evaluate(scores + offsets).value == pytest.approx(loss.evaluate(scores).value, rel=1e-12)


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ranking_problem(n_queries=2000, n_features=2)
    scores = data.features[:, 0]
    monkeypatch.setenv("SPARSE_RANK_THREADS", "1")
    alone = InfinitePush.of(data, 0.3).evaluate(scores)
    monkeypatch.setenv("SPARSE_RANK_THREADS", "4")
    four = InfinitePush.of(data, 0.3).evaluate(scores)
    assert alone.value == four.value
    np.testing.assert_array_equal(alone.gradient, four.gradient)


@pytest.mark.parametrize(
    ("relevance", "message"),
    [
        ([[0, 0], [0]], r"no document\b.*relevant"),
        ([[1, 2], [1]], r"every document\b.*relevant"),
        ([[1, 1], [0, 0]], r"no query\b.*relevant and irrelevant"),
    ],
)
def test_data_without_anything_to_push_is_refused(relevance: list[list[int]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        InfinitePush.of(lists_of(relevance, np.ones((sum(map(len, relevance)), 1))))


DATA = ranking_problem(4, n_queries=6, n_documents=9, n_features=3, n_levels=4)
PAIRS = Pairs.of(DATA)
LOSS = ImportanceWeightedHuber.of(DATA)


def ndcg(data: RankingData, scores: FloatArray) -> float:
    """Over whole lists, by the metrics of this program."""
    longest = int(np.diff(data.query_offsets).max())
    return float(evaluate_ranking(data, scores, "standard", cutoffs=[longest])[f"NDCG@{longest}"])


def importances(data: RankingData, pairs: Pairs, scores: FloatArray) -> FloatArray:
    """|NDCG after exchanging the two documents' places - NDCG before|, a query's own, shape (n_pairs,)."""
    places = scores.argsort(kind="stable")[::-1].argsort().astype(float)  # distinct scores in the same order
    before = ndcg(data, -places)
    changes = []
    for winner, loser in zip(pairs.winner, pairs.loser, strict=True):
        swapped = -places
        swapped[[winner, loser]] = swapped[[loser, winner]]
        changes.append(abs(ndcg(data, swapped) - before) * data.n_queries)
    return np.array(changes)


def psi(z: FloatArray) -> FloatArray:
    return np.where(z >= -1.0, np.maximum(0.0, 1.0 - z) ** 2, -4.0 * z)


@pytest.mark.parametrize("size", [0.1, 1.0, 4.0])
def test_it_is_the_sum_over_explicit_pairs_and_its_gradient_holds_the_importances(size: float) -> None:
    rng = np.random.default_rng(5)
    scores, direction = size * rng.normal(size=DATA.n_documents), rng.normal(size=DATA.n_documents)
    w, h, found = importances(DATA, PAIRS, scores), 1e-6, LOSS.evaluate(scores)

    def held(s: FloatArray) -> float:
        return float(w @ psi(PAIRS.difference(s))) / DATA.n_queries

    assert found.value == pytest.approx(held(scores), rel=1e-10)
    slope = (held(scores + h * direction) - held(scores - h * direction)) / (2 * h)
    assert found.gradient @ direction == pytest.approx(slope, rel=1e-6)


def test_held_importances_stay_while_the_scores_move() -> None:
    rng = np.random.default_rng(6)
    then, now = rng.normal(size=(2, DATA.n_documents))
    w = importances(DATA, PAIRS, then)
    expected = w @ psi(PAIRS.difference(now)) / DATA.n_queries
    assert LOSS.held(then).evaluate(now).value == pytest.approx(expected, rel=1e-10)
    assert LOSS.evaluate(now).value != pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("theta", [0.3, 0.7, 1.0])
def test_its_dual_ray_bounds_the_held_loss_from_below(theta: float) -> None:
    """For any scores t: loss(t) >= dual(theta) + theta * gradient . t, the Fenchel-Young inequality."""
    rng = np.random.default_rng(8)
    scores = 2.0 * rng.normal(size=DATA.n_documents)
    held = LOSS.held(scores)
    at = held.evaluate(scores)
    theta *= at.dual_limit
    dual = theta * at.dual_slope - theta**2 * at.dual_curvature
    for t in (*rng.normal(size=(50, DATA.n_documents)) * 3.0, scores):
        assert held.evaluate(t).value >= dual + theta * at.gradient @ t - 1e-12
    if at.dual_limit <= 1.0:
        touching = at.dual_slope - at.dual_curvature + at.gradient @ scores
        assert at.value == pytest.approx(touching, rel=1e-12)


def test_equal_scores_rank_in_the_order_of_the_data() -> None:
    down = LOSS.evaluate(np.zeros(DATA.n_documents))
    nearly = LOSS.held(-np.arange(DATA.n_documents, dtype=float)).evaluate(np.zeros(DATA.n_documents))
    assert down.value == nearly.value


def test_queries_without_pairs_have_no_part_in_it() -> None:
    features = np.zeros((5, 1))
    with_flat = ImportanceWeightedHuber.of(lists_of([[1, 0, 0], [0, 0]], features))
    alone = ImportanceWeightedHuber.of(lists_of([[1, 0, 0]], features[:3]))
    scores = np.array([0.1, 0.5, -0.2, 3.0, 1.0])
    assert with_flat.evaluate(scores).value == alone.evaluate(scores[:3]).value
    assert with_flat.n_terms == 1
