"""RSRank's loss against explicit pairs, with the NDCG of every swap worked out by swapping."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import DataError, RankingData
from core.losses import ImportanceWeightedHuber
from core.metrics import evaluate_ranking
from tests.oracles import FloatArray, Pairs, lists_of, ranking_problem

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


def test_data_without_pairs_are_refused() -> None:
    with pytest.raises(DataError, match="no preference pairs"):
        ImportanceWeightedHuber.of(lists_of([[1, 1], [0, 0]], np.zeros((4, 1))))
