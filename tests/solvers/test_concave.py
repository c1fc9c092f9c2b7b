"""Concave penalties: F falls from round to round, and ends where the slope over explicit pairs is met."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1, MCP, SCAD, Log, Lp, Penalty
from core.solvers import (
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
from tests.solvers.limits import LIMITS, D, limited

EXACT: list[Solver] = [ProximalNewton(), ReweightedL1(), ReweightedFista()]
every_penalty = pytest.mark.parametrize("penalty", [Log(), MCP(0.5), Lp(), SCAD(0.2)], ids=lambda p: p.title)
CASES = [("alike", 0.3), *((name, 0.02) for name in LIMITS if "free" not in name)]


@pytest.mark.parametrize(("limits", "ratio"), CASES)
@every_penalty
@pytest.mark.parametrize("solver", EXACT, ids=lambda s: s.id)
def test_it_ends_where_the_slope_over_explicit_pairs_is_met(
    solver: Solver, penalty: Penalty, limits: str, ratio: float, data: RankingData, loss: SquaredHinge, pairs: RankSvm,
    lam_max: float,
) -> None:  # fmt: skip
    """Where w_j is not 0: dL/dw_j = -lam factor_j g'(|w_j|) sign(w_j); where it is, at most lam factor_j g'(0).

    A weight that its sign keeps at 0 may have any slope on the other side.
    """
    lam, (factors, signs) = ratio * lam_max, LIMITS[limits]
    result = solve(solver, Problem(data.features, loss, limited(penalty, limits), lam), Stop(tol=1e-7))
    w, gradient = result.weights, pairs.gradient(result.weights)
    chosen = w != 0.0
    assert result.stop == "converged"
    assert (0 if ratio == 0.3 else 1) <= result.nonzero < D
    assert np.all(signs * w >= 0.0)
    assert not w[np.isinf(factors)].any()
    price = lam * factors[chosen] * penalty.weights(w[chosen])
    np.testing.assert_allclose(gradient[chosen], -price * np.sign(w[chosen]), atol=1e-6 * lam)
    if not isinstance(penalty, Lp):  # whose slope at 0 is infinite
        uphill = np.where(signs * gradient > 0.0, 0.0, np.abs(gradient))[~chosen]
        assert np.all(uphill <= lam * factors[~chosen] * penalty.weights(np.zeros(1)) + 1e-6 * lam)
    paid = factors[chosen] @ penalty.curve(np.abs(w[chosen]))
    assert result.objective == pytest.approx(pairs.loss(w) + lam * paid, rel=1e-12)


@pytest.mark.parametrize("limits", ["alike", "costs and switches"])
@every_penalty
@pytest.mark.parametrize("solver", [*EXACT, ReweightedFistaFixed()], ids=lambda s: s.id)
def test_the_first_round_is_l1_and_none_after_it_raises_the_objective(
    solver: Solver, penalty: Penalty, limits: str, data: RankingData, loss: SquaredHinge, lam_max: float
) -> None:
    """Algorithm 2 starts from beta = 1: the round ends near the l1 optimum, wherever F may be.

    A forbidden feature stays out of every iterate, and a weight of lp that is 0 after a round stays 0.
    """
    lam, (factors, _) = 0.05 * lam_max, LIMITS[limits]
    plain = solve(ProximalNewton(), Problem(data.features, loss, limited(L1(), limits), lam), Stop(tol=1e-10))
    steps = 1500 if isinstance(solver, ReweightedFistaFixed) else 3000
    coming = solver.iterate(Problem(data.features, loss, limited(penalty, limits), lam), np.zeros(D))
    ends = []
    for iterate, _ in zip(coming, range(steps), strict=False):
        assert not iterate.weights[np.isinf(factors)].any()
        if isinstance(penalty, Lp) and ends:
            assert not iterate.weights[(ends[-1].weights == 0.0) & (factors > 0.0)].any()
        if not iterate.provisional:
            ends.append(iterate)
            if iterate.certificate.relative < 1e-7:
                break
    first = ends[0].weights
    paid = np.where(np.isinf(factors), 0.0, factors) @ np.abs(first)
    assert loss.value(data.features @ first) + lam * paid <= plain.objective * (1.0 + 2e-4)
    objectives = np.array([end.objective for end in ends])
    assert len(ends) > 1
    assert np.all(np.diff(objectives) <= 1e-13 * objectives[:-1])
    assert 0 < np.count_nonzero(ends[-1].weights) < D


@every_penalty
def test_nested_and_simultaneous_reweighting_end_in_the_same_place(
    penalty: Penalty, data: RankingData, loss: SquaredHinge, lam_max: float
) -> None:
    """Several minima exist, but on this problem all ways roll into the one below the ℓ1 model."""
    problem = Problem(data.features, loss, penalty, 0.05 * lam_max)
    ends = [solve(solver, problem, Stop(tol=1e-8)).objective for solver in EXACT]
    assert ends == pytest.approx([ends[0]] * 3, rel=1e-8)
