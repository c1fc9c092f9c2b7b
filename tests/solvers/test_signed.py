"""Every solver that knows signs ends where general-purpose codes on explicit pairs end, and says so."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import InfinitePush, SquaredHinge
from core.penalties import L1, MCP, SCAD, FeatureWeighted, Log, Lp, Penalty, Refitted, Signed
from core.solvers import (
    Admm,
    ExactPush,
    Fista,
    Problem,
    ProximalNewton,
    RefitOnSupport,
    ReweightedFista,
    ReweightedL1,
    ReweightedPush,
    Solver,
    Stop,
    Subgradient,
    solve,
)
from tests import push_oracles
from tests.oracles import RankSvm, optimum

HELPS = np.ones(15)
MIXED = np.array([1.0, -1.0, 0.0] * 5)
RULES = np.where(np.arange(15) == 3, np.inf, np.where(np.arange(15) == 7, 0.0, 1.0))  # 3 must go, 7 must stay
every_sign = pytest.mark.parametrize("signs", [HELPS, -HELPS, MIXED], ids=["all help", "all hurt", "mixed"])


@every_sign
@pytest.mark.parametrize("factors", [np.ones(15), RULES], ids=["alike", "one must stay, one must go"])
@pytest.mark.parametrize("share", [0.3, 0.02])
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista()], ids=lambda s: s.id)
def test_signed_l1_ends_at_the_optimum_over_explicit_pairs(
    solver: Solver, share: float, factors: np.ndarray, signs: np.ndarray, data: RankingData, loss: SquaredHinge,
    pairs: RankSvm, lam_max: float,
) -> None:  # fmt: skip
    lam = share * lam_max
    _, best = optimum(pairs, lam, factors, signs)
    problem = Problem(data.features, loss, Signed(FeatureWeighted(L1(), factors), signs), lam)
    result = solve(solver, problem, Stop(tol=1e-9, max_steps=20_000))
    assert result.stop == "converged"
    assert result.objective == pytest.approx(best, rel=1e-8)
    assert np.all(signs * result.weights >= 0.0)
    assert result.objective == pytest.approx(
        pairs.loss(result.weights) + lam * float(np.abs(result.weights) @ np.where(np.isinf(factors), 0.0, factors))
    )


@every_sign
def test_its_gap_is_true_at_every_step(
    signs: np.ndarray, data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    """It holds among the models with these signs: the optimum without them may be far below."""
    lam = 0.05 * lam_max
    _, best = optimum(pairs, lam, np.ones(15), signs)
    result = solve(ProximalNewton(), Problem(data.features, loss, Signed(L1(), signs), lam), Stop(tol=1e-10))
    for point in result.trace:
        assert point.certificate.kind == "duality gap"
        assert "with these signs" in point.certificate.among
        assert point.certificate.value >= point.objective - best - 1e-12
    assert result.certificate.relative < 1e-10


@every_sign
@pytest.mark.parametrize("penalty", [Log(), MCP(0.5), Lp(), SCAD(0.2)], ids=lambda p: p.title)
@pytest.mark.parametrize("solver", [ProximalNewton(), ReweightedL1(), ReweightedFista()], ids=lambda s: s.id)
def test_a_signed_concave_penalty_ends_where_the_slope_over_explicit_pairs_is_met(
    solver: Solver, penalty: Penalty, signs: np.ndarray, data: RankingData, loss: SquaredHinge, pairs: RankSvm,
    lam_max: float,
) -> None:  # fmt: skip
    lam = 0.02 * lam_max
    result = solve(solver, Problem(data.features, loss, Signed(penalty, signs), lam), Stop(tol=1e-7))
    assert result.stop == "converged"
    w, gradient = result.weights, pairs.gradient(result.weights)
    assert np.all(signs * w >= 0.0)
    assert w.any()
    for j, sign in enumerate(signs):
        if w[j] != 0.0:
            own = penalty.weights(np.abs(w[j : j + 1])).item()
            assert gradient[j] == pytest.approx(-lam * own * np.sign(w[j]), abs=1e-6 * lam)
        elif not isinstance(penalty, Lp):
            steepest = lam * penalty.weights(np.zeros(1)).item() + 1e-6 * lam
            towards = [side for side in (1.0, -1.0) if sign in (side, 0.0)]
            assert all(-side * gradient[j] <= steepest for side in towards)


@pytest.mark.parametrize("kappa", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("rules", ["alike", "one must stay, one must go"])
@pytest.mark.parametrize("seed", range(8))
def test_a_signed_infinite_push_ends_where_the_linear_program_ends(seed: int, rules: str, kappa: float) -> None:
    data = push_oracles.small_problem(seed)
    d, lam = data.n_features, [0.3, 0.05, 0.01][seed % 3]
    signs = np.random.default_rng(seed).integers(-1, 2, d).astype(np.float64)
    factors = np.ones(d)
    if rules != "alike":
        factors[0], factors[1] = 0.0, np.inf
        signs[0] = 1.0  # one without a price has its sign all the same
    penalty = Signed(FeatureWeighted(L1(), factors), signs)
    fit = solve(ExactPush(), Problem(data.features, InfinitePush.of(data, kappa), penalty, lam), Stop(tol=1e-7))
    best = push_oracles.optimum(data, kappa, lam, factors, signs)
    assert fit.stop == "converged"
    assert best - 1e-9 <= fit.objective <= best * (1.0 + 2e-7) + 1e-9
    assert np.all(signs * fit.weights >= 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_admm_and_reweighting_of_the_push_keep_the_signs(seed: int) -> None:
    data = push_oracles.small_problem(seed)
    signs, loss = np.ones(data.n_features), InfinitePush.of(data, 0.0)
    lam = 0.05
    admm = solve(Admm(), Problem(data.features, loss, Signed(L1(), signs), lam), Stop(tol=1e-4, max_steps=4000))
    best = push_oracles.optimum(data, 0.0, lam, np.ones(data.n_features), signs)
    assert best - 1e-9 <= admm.objective <= best * 1.01 + 1e-6
    assert np.all(admm.weights >= 0.0)
    rounds = solve(ReweightedPush(), Problem(data.features, loss, Signed(Log(), signs), lam), Stop(tol=1e-6))
    assert np.all(rounds.weights >= 0.0)


@pytest.mark.parametrize("solver", [Subgradient()], ids=lambda s: s.id)
def test_a_solver_that_knows_no_signs_says_so(solver: Solver, data: RankingData, loss: SquaredHinge) -> None:
    problem = Problem(data.features, loss, Signed(L1(), HELPS), 0.1)
    assert "signs" in (solver.accepts(problem) or "")


def test_a_refit_says_that_it_knows_none(data: RankingData, loss: SquaredHinge) -> None:
    problem = Problem(data.features, loss, Refitted(Signed(L1(), HELPS), 1.0), 0.1)
    assert "signs" in (RefitOnSupport(ProximalNewton(), loss).accepts(problem) or "")
