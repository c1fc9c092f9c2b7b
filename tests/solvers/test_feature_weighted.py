"""Every solver takes a penalty weighted by feature, and ends where explicit pairs say it should."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1, MCP, SCAD, FeatureWeighted, Log, Lp, Penalty, Signed
from core.solvers import (
    Fista,
    FistaFixed,
    Problem,
    ProximalNewton,
    ReweightedFista,
    ReweightedFistaFixed,
    ReweightedL1,
    Solver,
    Stop,
    Subgradient,
    solve,
)
from tests.oracles import RankSvm, optimum

COSTS = np.linspace(0.3, 3.0, 15)
RULES = np.where(np.arange(15) == 3, np.inf, np.where(np.arange(15) == 7, 0.0, COSTS))  # 3 is forbidden, 7 is free
NONCONVEX: list[Penalty] = [Log(), MCP(0.5), Lp(), SCAD(0.2)]


@pytest.mark.parametrize(
    "solver", [ProximalNewton(), ReweightedL1(), ReweightedFista(), ReweightedFistaFixed()], ids=lambda s: s.id
)
def test_a_forbidden_feature_stays_out_of_every_iterate(
    solver: Solver, data: RankingData, loss: SquaredHinge, lam_max: float
) -> None:
    """Also of the first round, which is ℓ1 and knows the factors."""
    problem = Problem(data.features, loss, FeatureWeighted(Log(), RULES), 0.02 * lam_max)
    moved = False
    for iterate, _ in zip(solver.iterate(problem, np.zeros(15)), range(200), strict=False):
        assert iterate.weights[3] == 0.0
        moved = moved or bool(iterate.weights.any())
    assert moved


@pytest.mark.parametrize("factors", [COSTS, RULES], ids=["costs", "costs and switches"])
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista()], ids=lambda s: s.id)
def test_weighted_l1_ends_at_the_optimum_over_explicit_pairs(
    solver: Solver, factors: np.ndarray, data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    lam = 0.05 * lam_max
    expected, best = optimum(pairs, lam, factors)
    result = solve(solver, Problem(data.features, loss, FeatureWeighted(L1(), factors), lam), Stop(tol=1e-9))
    assert result.stop == "converged"
    assert result.objective == pytest.approx(best, rel=1e-8)
    np.testing.assert_allclose(result.weights, expected, atol=1e-4)
    assert np.all(result.weights[np.isinf(factors)] == 0.0)
    assert np.all(result.weights[factors == 0.0] != 0.0)


@pytest.mark.parametrize("solver", [FistaFixed(), Subgradient()], ids=lambda s: s.id)
def test_the_slow_solvers_go_the_same_way(
    solver: Solver, data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    lam = 0.05 * lam_max
    _, best = optimum(pairs, lam, RULES)
    problem = Problem(data.features, loss, FeatureWeighted(L1(), RULES), lam)
    result = solve(solver, problem, Stop(tol=1e-9, max_steps=3000))
    start = result.trace[0].objective
    assert best * (1 - 1e-12) <= result.objective < best + 0.05 * (start - best)
    assert result.weights[3] == 0.0


@pytest.mark.parametrize("factors", [COSTS, RULES], ids=["costs", "costs and switches"])
@pytest.mark.parametrize("penalty", NONCONVEX, ids=lambda p: p.title)
@pytest.mark.parametrize("solver", [ProximalNewton(), ReweightedL1(), ReweightedFista()], ids=lambda s: s.id)
def test_a_concave_penalty_ends_where_the_slope_over_explicit_pairs_is_met(
    solver: Solver, penalty: Penalty, factors: np.ndarray, data: RankingData, loss: SquaredHinge, pairs: RankSvm,
    lam_max: float,
) -> None:  # fmt: skip
    """Where w_j is not 0: dL/dw_j = -lam factor_j g'(|w_j|) sign(w_j); where it is, at most lam factor_j g'(0)."""
    lam = 0.02 * lam_max
    result = solve(solver, Problem(data.features, loss, FeatureWeighted(penalty, factors), lam), Stop(tol=1e-7))
    assert result.stop == "converged"
    w, gradient = result.weights, pairs.gradient(result.weights)
    assert 0 < result.nonzero < 15
    for j, factor in enumerate(factors):
        if np.isinf(factor):
            assert w[j] == 0.0
        elif w[j] != 0.0:
            own = penalty.weights(np.abs(w[j : j + 1])).item()
            assert gradient[j] == pytest.approx(-lam * factor * own * np.sign(w[j]), abs=1e-6 * lam)
        elif factor > 0.0 and not isinstance(penalty, Lp):
            assert abs(gradient[j]) <= lam * factor * penalty.weights(np.zeros(1)).item() + 1e-6 * lam
    assert result.objective == pytest.approx(
        pairs.loss(w) + lam * sum(f * penalty.value(w[j : j + 1]) for j, f in enumerate(factors) if w[j] != 0.0)
    )


EXEMPT = {
    "one": np.where(np.arange(15) == 7, 0.0, 1.0),
    "three, one of them useless": np.where(np.isin(np.arange(15), [1, 4, 7]), 0.0, 1.0),
    "with costs and a ban": RULES,
    "all but two": np.where(np.arange(15) < 2, 1.0, 0.0),
}


@pytest.mark.parametrize("factors", EXEMPT.values(), ids=EXEMPT)
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista(), FistaFixed(), Subgradient()], ids=lambda s: s.id)
def test_with_exempt_features_l1_has_a_gap_and_it_holds(
    solver: Solver, factors: np.ndarray, data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    """At every step, against the optimum over explicit pairs."""
    lam = 0.05 * lam_max
    _, best = optimum(pairs, lam, factors)
    problem = Problem(data.features, loss, FeatureWeighted(L1(), factors), lam)
    result = solve(solver, problem, Stop(tol=1e-9, max_steps=300))
    assert {point.certificate.kind for point in result.trace} == {"duality gap"}
    for point in result.trace:
        assert point.certificate.value >= point.objective - best - 1e-11
    if isinstance(solver, ProximalNewton | Fista):
        assert result.stop == "converged"


def test_the_gap_with_exempt_features_is_that_of_the_dual_problem(
    data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    """The dual written out over all pairs: alpha >= 0, its slope 0 where exempt and at most lam elsewhere."""
    lam = 0.05 * lam_max
    factors = EXEMPT["one"]
    result = solve(ProximalNewton(), Problem(data.features, loss, FeatureWeighted(L1(), factors), lam), Stop(tol=1e-10))
    alpha = 2.0 / len(pairs.differences) * np.maximum(0.0, 1.0 - pairs.differences @ result.weights)
    assert np.all(np.abs(pairs.differences.T @ alpha) <= lam * factors + 1e-6 * lam)
    dual = alpha.sum() - len(alpha) / 4.0 * (alpha @ alpha)
    assert result.objective - result.certificate.value <= dual + 1e-6 * result.objective


@pytest.mark.parametrize("kind", ["constant", "twice", "of two units"])
def test_exempt_features_that_are_hard_to_tell_apart_keep_the_gap(
    kind: str, data: RankingData, pairs: RankSvm, lam_max: float
) -> None:
    x = data.features
    further = {
        "constant": np.column_stack([np.full(len(x), 3.7), data.query_of_document * 1.1]),
        "twice": x[:, [7, 7]],
        "of two units": np.column_stack([1e3 * x[:, 7], 1e-2 * x[:, 8]]),
    }[kind]
    wider = data.with_features(np.column_stack([x, further]), [*data.feature_names, "a", "b"])
    factors = np.concatenate([np.ones(15), np.zeros(2)])
    problem = Problem(wider.features, SquaredHinge.of(wider), FeatureWeighted(L1(), factors), 0.05 * lam_max)
    result = solve(ProximalNewton(), problem, Stop(tol=1e-7))
    assert (result.stop, result.certificate.kind) == ("converged", "duality gap")


def test_an_exempt_feature_with_a_sign_keeps_the_gap(
    data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float
) -> None:
    lam, factors = 0.05 * lam_max, EXEMPT["three, one of them useless"]
    for signs in np.where(np.arange(15) == 7, 1.0, 0.0), np.where(np.arange(15) == 7, -1.0, 0.0):
        _, best = optimum(pairs, lam, factors, signs)
        penalty = Signed(FeatureWeighted(L1(), factors), signs)
        result = solve(ProximalNewton(), Problem(data.features, loss, penalty, lam), Stop(tol=1e-9))
        assert (result.stop, result.certificate.kind) == ("converged", "duality gap")
        assert result.objective == pytest.approx(best, rel=1e-8)
        assert all(p.certificate.value >= p.objective - best - 1e-11 for p in result.trace)
