"""Data that leave the solver little to hold on to: duplicate, constant and zero features, wide data, extreme lambda.

Features of few values, with ties and copies: every solver ends within few steps, at a model or with a reason.
Few values make many scores equal. The rounding errors of their pairs then add up instead of cancelling, and F says less
about a step than its own last bits promise.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy.optimize import linprog

from core.data import RankingData
from core.losses import LossEvaluation, SquaredHinge
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
from tests.cases import sweep
from tests.oracles import RankSvm, all_won, lists_of, optimum, ranking_problem
from tests.solvers.limits import ONE_OF_EACH


def fit(solver: Solver, data: RankingData, lam: float, penalty: Penalty | None = None, tol: float = 1e-9) -> FitResult:
    problem = Problem(data.features, SquaredHinge.of(data), penalty or L1(), lam)
    return solve(solver, problem, Stop(tol=tol, max_steps=20_000))


def largest_slope(data: RankingData) -> float:
    return float(np.abs(data.features.T @ SquaredHinge.of(data).evaluate(np.zeros(data.n_documents)).gradient).max())


@pytest.mark.parametrize("ratio", [1.0 + 1e-12, 1.5, 100.0])
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista(), FistaFixed(), Subgradient()], ids=lambda s: s.id)
def test_from_lambda_max_on_the_l1_model_is_exactly_empty(solver: Solver, ratio: float) -> None:
    result = fit(solver, ranking_problem(), ratio * largest_slope(ranking_problem()))
    assert not result.weights.any()
    assert (result.stop, result.objective) == ("converged", pytest.approx(1.0, rel=1e-12))


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


def test_a_tiny_lambda_on_pairs_that_can_all_be_won() -> None:
    """The loss all but vanishes, and with it its Hessian."""
    data = all_won()
    won = RankSvm.of(data).differences
    for ratio in (1e-3, 1e-6, 1e-9):
        result = fit(ProximalNewton(), data, ratio * largest_slope(data), tol=1e-7)
        assert result.stop == "converged"
        assert result.steps <= 60
    shortest = linprog(np.ones(8), A_ub=-np.hstack([won, -won]), b_ub=-np.ones(len(won)), bounds=(0, None))
    assert result.objective / (1e-9 * largest_slope(data)) == pytest.approx(shortest.fun, rel=1e-6)


def test_where_lambda_is_too_small_for_double_precision_that_is_the_reason() -> None:
    """The weights' last bits, times the features, are not small beside what the pairs lack at the optimum."""
    data = all_won()
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


NEWTON = 60
"""Steps within which a Newton method ends, at whatever it can reach."""
ENOUGH = {
    "proximal-newton": NEWTON, "newton": NEWTON, "newton-on-chosen": NEWTON, "reweighted-l1": 100, "liblinear": 30,
    "fista": 100, "nesterov-nemirovski": 100, "reweighted-l2": 100, "interior-point": 40, "rfe": 40,
    "fully-corrective": 20, "away-steps": 20, "frank-wolfe": 50, "branch-and-bound": 20,
    "fista-fixed": 500, "reweighted-fista": 300, "reweighted-fista-fixed": 1000, "reweighted-interior-point": 400,
}  # fmt: skip
"""Steps within which a solver meets its own stopping rule, by its id; of those in `ROUGHLY` a gap of 5 % is asked."""
ROUGHLY = {
    "subgradient", "truncated-gradient", "truncated-gradient-decaying", "frank-wolfe-short-step", "admm",
    "admm-exact-prox",
}  # fmt: skip
KINDS = {"binary": (2, False), "0 to 5": (6, False), "0 to 5, every document twice": (6, True)}
CASES = [(penalty, seed) for seed in (1, 3, 6) for penalty in (L1(), L2(), Log(), MCP(), Lp(), SCAD())]


def quantised(seed: int, kind: str, *, n_queries: int = 300, n_documents: int = 30, n_features: int = 3) -> RankingData:
    """Random features of few values; the first two of them are there twice."""
    rng = np.random.default_rng(seed)
    values, doubled = KINDS[kind]
    n = n_queries * n_documents
    x = np.clip(np.floor((rng.normal(size=(n, n_features)) + 1.5) * values / 3.0), 0, values - 1)
    if doubled:
        x = np.repeat(x[::2], 2, axis=0)
    x = np.column_stack([x, x[:, :2]])
    truth = np.where(np.arange(n_features + 2) % 3 == 0, rng.choice([-1.0, 1.0], n_features + 2), 0.0)
    liking = x @ truth + rng.normal(size=n)
    labels = np.clip(np.floor((liking - liking.mean()) / liking.std() + 1.0), 0, 2).astype(int)
    return lists_of(labels.reshape(n_queries, n_documents).tolist(), x)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("solver_id", ONE_OF_EACH)
def test_every_solver_ends_within_its_steps(solver_id: str, kind: str) -> None:
    method, solver = ONE_OF_EACH[solver_id]
    training = method.training(quantised(1, kind, n_queries=12, n_documents=10))
    for ratio in (0.3,) if solver_id in ROUGHLY else (0.3, 0.03):
        problem = method.problem(training, training.lam_at(ratio), method.settings())
        if solver_id in ROUGHLY:
            result = solve(solver, problem, Stop(tol=0.05, max_steps=300))
            assert result.stop == "converged"
        else:
            result = solve(solver, problem, replace(method.stop, max_steps=ENOUGH[solver_id]))
            assert result.stop in ("converged", "the paper's rule")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("penalty", "seed"), sweep(CASES, always=6), ids=lambda x: getattr(x, "title", x))
def test_newton_certifies_where_rounding_errors_add_up(penalty: Penalty, seed: int, kind: str) -> None:
    """The residual of every model is computed again from all pairs, one by one."""
    data = quantised(seed, kind)
    loss = SquaredHinge.of(data)
    pairs = RankSvm.of(data)
    solver = Newton() if isinstance(penalty, L2) else ProximalNewton()
    for ratio in np.geomspace(0.7, 1e-4, 12):
        lam = ratio * largest_slope(data)
        result = solve(solver, Problem(data.features, loss, penalty, lam), Stop(tol=1e-6, max_steps=NEWTON))
        assert result.stop == "converged"
        w, slope = result.weights, pairs.gradient(result.weights)
        if not penalty.convex:
            there = w != 0.0
            price = lam * penalty.weights(w)
            assert np.abs(slope[there] + np.sign(w[there]) * price[there]).max(initial=0.0) <= 2e-6 * lam
            assert np.all(np.abs(slope)[~there] <= price[~there] + 2e-6 * lam)


@dataclass(frozen=True)
class Noisy:
    """The loss with an error that changes with the last digits of the scores, as the rounding of long sums does."""

    exact: SquaredHinge
    size: float
    how_often: float

    @property
    def n_terms(self) -> int:
        return self.exact.n_terms

    def evaluate(self, scores: NDArray[np.float64]) -> LossEvaluation:
        found = self.exact.evaluate(scores)
        place = float(scores @ np.random.default_rng(0).normal(size=len(scores)))
        return replace(found, value=found.value + self.size * np.sin(self.how_often * place))

    def hessian(self, scores: NDArray[np.float64], *features: NDArray[np.generic]) -> NDArray[np.float64]:
        return self.exact.hessian(scores, *features)  # type: ignore[arg-type]

    def curvature_product(self, scores: NDArray[np.float64], direction: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.exact.curvature_product(scores, direction)


@pytest.mark.parametrize("how_often", [1e7, 1e9, 1e10])
@pytest.mark.parametrize("penalty", [L2(), Log(), MCP(), Lp()], ids=lambda p: p.title)
def test_newton_does_not_follow_the_rounding_errors_of_f(penalty: Penalty, how_often: float) -> None:
    """It did, downwards, by thousands of steps of 2^-32 each; the gradient shows the way where F no longer does."""
    for seed in range(4):
        data = quantised(seed, "0 to 5", n_queries=20, n_documents=10)
        loss = SquaredHinge.of(data)
        solver = Newton() if isinstance(penalty, L2) else ProximalNewton()
        for size in (1e-13, 1e-12, 1e-11):
            problem = Problem(data.features, Noisy(loss, size, how_often), penalty, 0.02 * largest_slope(data))
            result = solve(solver, problem, Stop(tol=0.0, max_steps=1000))
            assert result.stop in ("no further progress", "converged")
            assert result.steps <= NEWTON
            if size == 1e-13 and not penalty.convex:
                assert result.certificate.relative <= 1e-9
