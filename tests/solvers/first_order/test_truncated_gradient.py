"""Truncated gradient nears the optimum of its problem, as fast as its theory says; RSRank's settles or keeps moving."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.data import RankingData
from core.losses import ImportanceWeightedHuber, SquaredHinge
from core.penalties import L1, L2, MCP, Penalty
from core.solvers import (
    ImportanceTruncatedGradient,
    Problem,
    Stop,
    TruncatedGradient,
    TruncatedGradientDecaying,
    solve,
)
from tests.oracles import RankSvm, optimum


def test_tgrank_approaches_the_l1_optimum(
    data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    lam = 0.05 * lam_max
    w, best = optimum(pairs, lam, np.ones(15))
    found = solve(TruncatedGradient(), Problem(data.features, loss, L1(), lam), Stop(tol=0.0, max_steps=1000))
    assert found.objective == pytest.approx(best, rel=1e-7)
    assert set(np.flatnonzero(found.weights)) == set(np.flatnonzero(np.abs(w) > 1e-6))


def test_steps_of_constant_length_obey_their_bound(
    data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    """F(w_k) - F* <= L ||w*||^2 / (2 k) (Beck & Teboulle 2009, Theorem 3.1), and F never rises."""
    lam = 0.02 * lam_max
    w, best = optimum(pairs, lam, np.ones(15))
    found = solve(TruncatedGradient(), Problem(data.features, loss, L1(), lam), Stop(tol=0.0, max_steps=300))
    objectives = np.array([point.objective for point in found.trace])
    largest = np.linalg.eigvalsh(2.0 / len(pairs.differences) * pairs.differences.T @ pairs.differences)[-1]
    k = np.arange(1, len(objectives))
    assert np.all(objectives[1:] - best <= 1.05 * largest * (w @ w) / (2 * k) + 1e-12)
    assert np.all(np.diff(objectives) <= 1e-14)


def test_decaying_steps_follow_their_schedule(
    data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    """Each step recomputed from explicit pairs; its length is that of the first over sqrt(k)."""
    lam = 0.05 * lam_max
    coming = TruncatedGradientDecaying().iterate(Problem(data.features, loss, L1(), lam), np.zeros(15))
    seen = [next(coming).weights for _ in range(8)]
    slope = pairs.gradient(seen[0])
    steepest = int(np.argmax(np.abs(slope)))
    first = abs(seen[1][steepest]) / (abs(slope[steepest]) - lam)
    for k, (w, after) in enumerate(itertools.pairwise(seen), start=1):
        eta = first / np.sqrt(k)
        v = w - eta * pairs.gradient(w)
        np.testing.assert_allclose(after, np.sign(v) * np.maximum(np.abs(v) - eta * lam, 0.0), atol=1e-12)


@pytest.mark.parametrize("solver", [TruncatedGradient(), ImportanceTruncatedGradient()], ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("penalty", [L2(), MCP()], ids=lambda p: p.title)
def test_a_penalty_that_does_not_truncate_is_refused(
    solver: TruncatedGradient, penalty: Penalty, data: RankingData, loss: SquaredHinge
) -> None:
    own = ImportanceWeightedHuber.of(data) if isinstance(solver, ImportanceTruncatedGradient) else loss
    with pytest.raises(ValueError, match="convex sparse penalty"):
        solve(solver, Problem(data.features, own, penalty, 0.1))


def test_each_refuses_the_others_loss(data: RankingData, loss: SquaredHinge) -> None:
    with pytest.raises(ValueError, match=r"importances.*ranking"):
        solve(ImportanceTruncatedGradient(), Problem(data.features, loss, L1(), 0.1))
    with pytest.raises(ValueError, match="needs a smooth loss"):
        solve(TruncatedGradient(), Problem(data.features, ImportanceWeightedHuber.of(data), L1(), 0.1))


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_where_rsrank_settles_its_model_is_best_for_its_own_importances(share: float, data: RankingData) -> None:
    """The convex problem with the importances of the final ranking has no better model, by its duality gap."""
    loss = ImportanceWeightedHuber.of(data)
    lam = share * np.abs(data.features.T @ loss.evaluate(np.zeros(data.n_documents)).gradient).max()
    found = solve(ImportanceTruncatedGradient(), Problem(data.features, loss, L1(), lam), Stop(1e-8, 5000))
    assert found.stop == "converged"
    at = loss.held(data.features @ found.weights).evaluate(data.features @ found.weights)
    bound = L1().dual_bound(at.dual_slope, at.dual_curvature, data.features.T @ at.gradient, lam, at.dual_limit)
    assert bound is not None
    assert found.objective == pytest.approx(at.value + lam * np.abs(found.weights).sum(), rel=1e-12)
    assert found.objective - bound <= 1e-6 * found.objective


def test_rsrank_is_empty_at_its_lambda_max(data: RankingData) -> None:
    loss = ImportanceWeightedHuber.of(data)
    lam_max = np.abs(data.features.T @ loss.evaluate(np.zeros(data.n_documents)).gradient).max()
    at, below = (
        solve(ImportanceTruncatedGradient(), Problem(data.features, loss, L1(), share * lam_max), Stop(max_steps=50))
        for share in (1.0, 0.99)
    )
    assert (at.nonzero, at.stop) == (0, "converged")
    assert below.nonzero == 1
