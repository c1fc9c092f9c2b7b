"""Reweighting for the non-convex penalties: F falls from round to round, and ends where it is stationary."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1, MCP, SCAD, Log, Lp, Penalty
from core.solvers import (
    FitResult,
    Problem,
    ProximalNewton,
    ReweightedFista,
    ReweightedFistaFixed,
    ReweightedL1,
    Solver,
    Stop,
    solve,
)
from tests.oracles import RankSvm

PENALTIES: list[Penalty] = [Log(), MCP(0.5), Lp(0.5), SCAD(0.2)]
every_penalty = pytest.mark.parametrize("penalty", PENALTIES, ids=lambda p: p.title)
every_solver = pytest.mark.parametrize(
    "solver", [ProximalNewton(), ReweightedL1(), ReweightedFista(), ReweightedFistaFixed()], ids=lambda s: s.id
)
RATIOS = [0.3, 0.02]


def fit(solver: Solver, penalty: Penalty, lam: float, data: RankingData, loss: SquaredHinge, tol: float) -> FitResult:
    limit = 1500 if isinstance(solver, ReweightedFistaFixed) else 20_000
    return solve(solver, Problem(data.features, loss, penalty, lam), Stop(tol=tol, max_steps=limit))


def objective(pairs: RankSvm, penalty: Penalty, lam: float, w: np.ndarray) -> float:
    return pairs.loss(w) + lam * float(penalty.curve(np.abs(w)).sum())


@every_solver
@every_penalty
@pytest.mark.parametrize("ratio", RATIOS)
def test_the_objective_never_rises_from_round_to_round(
    solver: Solver, penalty: Penalty, ratio: float, data: RankingData, loss: SquaredHinge, lam_max: float
) -> None:
    result = fit(solver, penalty, ratio * lam_max, data, loss, 1e-9)
    counted = np.array([point.objective for point in result.trace if not point.provisional])
    assert len(counted) > 1
    assert np.all(np.diff(counted) <= 1e-13 * counted[:-1])


@pytest.mark.parametrize("solver", [ProximalNewton(), ReweightedL1(), ReweightedFista()], ids=lambda s: s.id)
@every_penalty
@pytest.mark.parametrize("ratio", RATIOS)
def test_no_small_move_of_a_weight_lowers_the_objective(
    solver: Solver,
    penalty: Penalty,
    ratio: float,
    data: RankingData,
    loss: SquaredHinge,
    pairs: RankSvm,
    lam_max: float,
) -> None:
    lam = ratio * lam_max
    result = fit(solver, penalty, lam, data, loss, 1e-7)
    assert result.stop == "converged"
    w = result.weights
    here = objective(pairs, penalty, lam, w)
    assert result.objective == pytest.approx(here, rel=1e-12)
    for j in range(len(w)):
        h = 1e-5 * (np.abs(w[j]) or 1.0)
        slopes = []
        for side in (-h, h):
            moved = w.copy()
            moved[j] += side
            slopes.append((objective(pairs, penalty, lam, moved) - here) / h)
        assert min(slopes) >= -1e-3 * lam
        if w[j] != 0.0:  # smooth there: uphill by curvature only
            assert abs(slopes[1] - slopes[0]) / 2 <= 1e-3 * lam


@every_penalty
def test_nested_and_simultaneous_reweighting_end_in_the_same_place(
    penalty: Penalty, data: RankingData, loss: SquaredHinge, lam_max: float
) -> None:
    """Several minima exist, but on this problem both ways roll into the one below the ℓ1 model."""
    ends = [
        fit(solver, penalty, 0.05 * lam_max, data, loss, 1e-8).objective
        for solver in (ProximalNewton(), ReweightedL1(), ReweightedFista())
    ]
    assert ends == pytest.approx([ends[0]] * 3, rel=1e-8)


@every_solver
@every_penalty
def test_the_first_round_is_plain_l1(
    solver: Solver, penalty: Penalty, data: RankingData, loss: SquaredHinge, lam_max: float
) -> None:
    """Algorithm 2 starts from beta = 1: the round ends near the ℓ1 optimum, wherever F may be."""
    lam = 0.1 * lam_max
    plain = solve(ProximalNewton(), Problem(data.features, loss, L1(), lam), Stop(tol=1e-10))
    weights = []
    for iterate in solver.iterate(Problem(data.features, loss, penalty, lam), np.zeros(data.n_features)):
        if not iterate.provisional:
            weights.append(iterate.weights)
            break
    value = loss.value(data.features @ weights[0]) + lam * np.abs(weights[0]).sum()
    assert value <= plain.objective * (1 + 2e-4)


@every_solver
def test_a_weight_of_lp_that_is_zero_after_the_first_round_stays_zero(
    solver: Solver, data: RankingData, loss: SquaredHinge, lam_max: float
) -> None:
    problem = Problem(data.features, loss, Lp(0.5), 0.05 * lam_max)
    support = None
    for iterate, _ in zip(solver.iterate(problem, np.zeros(data.n_features)), range(3000), strict=False):
        if support is not None:
            assert not iterate.weights[~support].any()
        if not iterate.provisional:
            support = iterate.weights != 0.0 if support is None else support & (iterate.weights != 0.0)
            if iterate.certificate.relative < 1e-6:
                break
    assert support is not None
    assert 0 < support.sum() < data.n_features


def test_a_convex_penalty_needs_no_reweighting(data: RankingData, loss: SquaredHinge) -> None:
    with pytest.raises(ValueError, match="for the non-convex penalties"):
        solve(ReweightedL1(), Problem(data.features, loss, L1(), 0.1))
