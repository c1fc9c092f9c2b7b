"""Data that leave the solver little to hold on to: duplicate, constant and zero features, wide data, extreme lambda."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1, L2, MCP, SCAD, Log, Lp, Penalty
from core.solvers import (
    Fista,
    FistaFixed,
    FitResult,
    Newton,
    Problem,
    ProximalNewton,
    ReweightedL1,
    Solver,
    Stop,
    Subgradient,
    solve,
)
from tests.oracles import RankSvm, lists_of, optimum, ranking_problem


def fit(solver: Solver, data: RankingData, lam: float, penalty: Penalty | None = None, tol: float = 1e-9) -> FitResult:
    problem = Problem(data.features, SquaredHinge.of(data), penalty or L1(), lam)
    return solve(solver, problem, Stop(tol=tol, max_steps=20_000))


def largest_slope(data: RankingData) -> float:
    return float(np.abs(RankSvm.of(data).gradient(np.zeros(data.n_features))).max())


@pytest.mark.parametrize("ratio", [1.0 + 1e-12, 1.5, 100.0])
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista(), FistaFixed(), Subgradient()], ids=lambda s: s.id)
def test_from_lambda_max_on_the_l1_model_is_exactly_empty(solver: Solver, ratio: float) -> None:
    data = ranking_problem()
    result = fit(solver, data, ratio * largest_slope(data))
    assert_array_equal(result.weights, np.zeros(data.n_features))
    assert result.objective == pytest.approx(1.0, rel=1e-12)
    assert result.stop == "converged"


@pytest.mark.parametrize("penalty", [L1(), Log(), MCP(0.5), Lp(), SCAD()], ids=lambda p: p.title)
def test_features_that_never_differ_within_a_query_get_no_weight(penalty: Penalty) -> None:
    """Zero everywhere, the same everywhere, or one value per query: they cannot rank."""
    data = ranking_problem()
    idle = np.column_stack([np.zeros(240), np.full(240, 3.7), data.query_of_document * 1.1])
    wider = data.with_features(np.column_stack([data.features, idle]), [*data.feature_names, "0", "c", "q"])
    result = fit(ProximalNewton(), wider, 0.02 * largest_slope(data), penalty)
    assert not result.weights[15:].any()
    assert result.objective == pytest.approx(
        fit(ProximalNewton(), data, 0.02 * largest_slope(data), penalty).objective, rel=1e-9
    )


def test_features_none_of_which_differ_leave_the_model_empty() -> None:
    data = lists_of([[1, 0], [2, 0]], np.ones((4, 3)))
    for solver in (ProximalNewton(), Fista(), FistaFixed(), Subgradient()):
        result = fit(solver, data, 1e-6)
        assert_array_equal(result.weights, np.zeros(3))
    assert_array_equal(fit(Newton(), data, 1e-6, L2()).weights, np.zeros(3))


@pytest.mark.parametrize("solver", [ProximalNewton(), Fista()], ids=lambda s: s.id)
def test_more_features_than_documents(solver: Solver) -> None:
    data = ranking_problem(3, n_queries=3, n_documents=8, n_features=80)
    pairs = RankSvm.of(data)
    lam = 0.05 * largest_slope(data)
    result = fit(solver, data, lam)
    assert result.stop == "converged"
    assert result.objective == pytest.approx(optimum(pairs, lam, np.ones(80))[1], rel=1e-7)


@pytest.mark.parametrize("penalty", [Log(), MCP(0.5), Lp(), SCAD()], ids=lambda p: p.title)
def test_more_features_than_documents_without_convexity(penalty: Penalty) -> None:
    data = ranking_problem(3, n_queries=3, n_documents=8, n_features=80)
    lam = 0.05 * largest_slope(data)
    ends = [fit(solver, data, lam, penalty, tol=1e-6) for solver in (ProximalNewton(), ReweightedL1())]
    assert [end.stop for end in ends] == ["converged"] * 2
    assert max(end.nonzero for end in ends) <= 24


def all_won() -> tuple[RankingData, np.ndarray]:
    """Pairs that can all be won, and their differences, shape (n_pairs, 4)."""
    x = np.random.default_rng(0).normal(size=(20, 4))
    data = lists_of([np.digitize(x[:10, 0], [0]).tolist(), np.digitize(x[10:, 0], [0]).tolist()], x)
    return data, RankSvm.of(data).differences


def test_a_tiny_lambda_on_pairs_that_can_all_be_won() -> None:
    """The loss all but vanishes, and with it its Hessian."""
    data, won = all_won()
    for ratio in (1e-3, 1e-6, 1e-9):
        result = fit(ProximalNewton(), data, ratio * largest_slope(data), tol=1e-7)
        assert result.stop == "converged"
        assert result.steps <= 60
    shortest = linprog(np.ones(8), A_ub=-np.hstack([won, -won]), b_ub=-np.ones(len(won)), bounds=(0, None))
    assert result.objective / (1e-9 * largest_slope(data)) == pytest.approx(shortest.fun, rel=1e-6)


def test_where_lambda_is_too_small_for_double_precision_that_is_the_reason() -> None:
    """The weights' last bits, times the features, are not small beside what the pairs lack at the optimum."""
    data, _ = all_won()
    result = fit(ProximalNewton(), data, 1e-14 * largest_slope(data), tol=1e-12)
    assert result.stop == "no further progress"
    assert result.steps <= 60


def test_a_tiny_lambda_on_pairs_that_cannot() -> None:
    data = ranking_problem()
    result = fit(ProximalNewton(), data, 1e-8 * largest_slope(data))
    assert result.stop == "converged"
    assert result.nonzero == data.n_features


@pytest.mark.parametrize("solver", [ProximalNewton(), Fista(), FistaFixed()], ids=lambda s: s.id)
def test_a_start_that_wins_every_pair_is_left_for_the_optimum(solver: Solver) -> None:
    """There the loss is flat: no slope, no curvature, and a weight of ℓ1 to pay for nothing."""
    problem = Problem(np.array([[1.0, 0.3], [0.0, 0.0]]), SquaredHinge(np.array([1, 0]), np.array([0, 2])), L1(), 0.1)
    result = solve(solver, problem, Stop(tol=1e-9), np.array([5.0, 2.0]))
    # F rises by at least the square of the distance from its minimiser, so the gap bounds the distance.
    assert_allclose(result.weights, [0.95, 0.0], atol=np.sqrt(result.certificate.value) + 1e-8)
    assert result.certificate.kind == "duality gap"
