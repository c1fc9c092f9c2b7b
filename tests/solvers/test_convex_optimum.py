"""Solvers of convex problems reach the optimum, as optimality conditions and another code see it.

The exact line search finds what minimising over explicit pairs finds, in a handful of sweeps.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from core.data import RankingData
from core.losses import LossEvaluation, SquaredHinge
from core.penalties import L1, L2, MCP, Penalty, WeightedL1
from core.solvers import Fista, FistaFixed, Newton, Problem, ProximalNewton, Solver, Stop, Subgradient, solve
from core.solvers.exact_line_search import exact_step
from tests.oracles import FloatArray, Pairs, RankSvm, optimum, optimum_l2, ranking_problem

BETAS = {
    "ℓ1": np.ones(15),
    "weighted": np.linspace(0.2, 3.0, 15),
    "some free, some forbidden": np.array([0.0, np.inf, 1.0] * 5),
}


def penalty_of(beta: np.ndarray) -> Penalty:
    return L1() if np.all(beta == 1.0) else WeightedL1(beta)


@pytest.mark.parametrize("ratio", [0.5, 0.03, 0.0005])
@pytest.mark.parametrize("beta", BETAS.values(), ids=BETAS)
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista()], ids=lambda s: s.id)
def test_the_optimality_conditions_hold(
    solver: Solver,
    beta: np.ndarray,
    ratio: float,
    data: RankingData,
    loss: SquaredHinge,
    pairs: RankSvm,
    lam_max: float,
) -> None:
    """-dL/dw_j = lam beta_j sign(w_j) where w_j is not 0, and at most that in size where it is."""
    lam = ratio * lam_max
    result = solve(solver, Problem(data.features, loss, penalty_of(beta), lam), Stop(tol=1e-11, max_steps=20_000))
    gradient, w = pairs.gradient(result.weights), result.weights
    chosen = w != 0.0
    assert_allclose(-gradient[chosen], lam * beta[chosen] * np.sign(w[chosen]), atol=1e-4 * lam)
    assert np.all(np.abs(gradient[~chosen]) <= (lam * beta)[~chosen] + 1e-4 * lam)
    assert result.stop == "converged"


@pytest.mark.parametrize("ratio", [0.3, 0.01])
@pytest.mark.parametrize("beta", BETAS.values(), ids=BETAS)
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista(), FistaFixed()], ids=lambda s: s.id)
def test_l1_solvers_agree_with_a_general_purpose_code(
    solver: Solver,
    beta: np.ndarray,
    ratio: float,
    data: RankingData,
    loss: SquaredHinge,
    pairs: RankSvm,
    lam_max: float,
) -> None:
    lam = ratio * lam_max
    w, best = optimum(pairs, lam, beta)
    result = solve(solver, Problem(data.features, loss, penalty_of(beta), lam), Stop(tol=1e-9, max_steps=40_000))
    assert result.objective == pytest.approx(best, rel=1e-8)
    assert_allclose(result.weights, w, atol=1e-3)


@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-5])
@pytest.mark.parametrize("solver", [Newton(), Newton(largest_exact=0), Fista()], ids=["exact", "CG", "FISTA"])
def test_l2_solvers_agree_with_a_general_purpose_code(
    solver: Solver, lam: float, data: RankingData, loss: SquaredHinge, pairs: RankSvm
) -> None:
    w, best = optimum_l2(pairs, lam)
    result = solve(solver, Problem(data.features, loss, L2(), lam), Stop(tol=1e-10, max_steps=20_000))
    assert result.stop == "converged"
    assert result.objective == pytest.approx(best, rel=1e-9)
    assert_allclose(result.weights, w, atol=1e-3)


def test_subgradient_descent_comes_near(data: RankingData, loss: SquaredHinge, pairs: RankSvm, lam_max: float) -> None:
    lam = 0.1 * lam_max
    _, best = optimum(pairs, lam, np.ones(15))
    result = solve(Subgradient(), Problem(data.features, loss, L1(), lam), Stop(max_steps=1000))
    start = result.trace[0].objective
    assert result.objective - best < 0.01 * (start - best)


def test_proximal_newton_takes_few_steps(data: RankingData, loss: SquaredHinge, lam_max: float) -> None:
    for ratio in (0.5, 0.1, 0.01, 1e-4):
        result = solve(ProximalNewton(), Problem(data.features, loss, L1(), ratio * lam_max), Stop(tol=1e-10))
        assert result.stop == "converged"
        assert result.steps <= 12


@pytest.mark.parametrize("solver", [Newton(), Newton(largest_exact=0)], ids=["exact", "CG"])
def test_newton_takes_few_steps(solver: Newton, data: RankingData, loss: SquaredHinge) -> None:
    for lam in (1.0, 1e-2, 1e-4, 1e-6):
        result = solve(solver, Problem(data.features, loss, L2(), lam), Stop(tol=1e-9))
        assert result.stop == "converged"
        assert result.steps <= 10


@pytest.mark.parametrize("solver", [ProximalNewton(), Fista(), Newton()], ids=lambda s: s.id)
def test_the_objective_never_rises(solver: Solver, data: RankingData, loss: SquaredHinge, lam_max: float) -> None:
    penalty = L2() if isinstance(solver, Newton) else L1()
    result = solve(solver, Problem(data.features, loss, penalty, 1e-3 * lam_max), Stop(tol=1e-12, max_steps=3000))
    objectives = np.array([point.objective for point in result.trace])
    assert np.all(np.diff(objectives) <= 1e-14 * objectives[:-1])


@pytest.mark.parametrize(
    ("solver", "penalty"),
    [
        (ProximalNewton(), L2()),
        (Newton(), L1()),
        (Fista(), None),
        (FistaFixed(), None),
        (Subgradient(), None),
    ],
    ids=lambda x: getattr(x, "id", ""),
)
def test_a_penalty_that_a_solver_cannot_take_is_refused_in_a_sentence(
    solver: Solver, penalty: Penalty | None, data: RankingData, loss: SquaredHinge
) -> None:
    with pytest.raises(ValueError, match=r"needs|is (only )?for"):
        solve(solver, Problem(data.features, loss, penalty or MCP(), 0.1))


@pytest.mark.parametrize("lam", [0.0, -1.0, np.nan, np.inf])
def test_lambda_must_be_a_positive_number(lam: float, data: RankingData, loss: SquaredHinge) -> None:
    with pytest.raises(ValueError, match=r"\blambda\b.*positive"):
        Problem(data.features, loss, L1(), lam)


DATA = ranking_problem(7)
PAIRS = Pairs.of(DATA)


class Counting(SquaredHinge):
    """The loss, counting its sweeps."""

    def __init__(self) -> None:
        super().__init__(DATA.relevance, DATA.query_offsets)
        self.sweeps = 0

    def evaluate(self, scores: FloatArray) -> LossEvaluation:
        self.sweeps += 1
        return super().evaluate(scores)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [1e-3, 1.0, 50.0])
def test_it_finds_the_minimum_over_explicit_pairs(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=DATA.n_documents)
    along = size * (rng.normal(size=DATA.n_documents) - PAIRS.score_gradient(scores) * len(PAIRS) / 20)
    loss = Counting()
    start = loss.evaluate(scores)

    mu, reached = exact_step(loss, scores, along, start, 1.0)

    found = minimize_scalar(lambda t: PAIRS.loss(scores + t * along), bounds=(0, 1), options={"xatol": 1e-12})
    ends = [PAIRS.loss(scores), PAIRS.loss(scores + along)]
    assert reached.value <= min(found.fun, *ends) * (1.0 + 1e-14)
    assert reached.value == pytest.approx(PAIRS.loss(scores + mu * along), rel=1e-13)
    slope = PAIRS.score_gradient(scores + mu * along) @ along
    assert mu in (0.0, 1.0) or abs(slope) <= 1e-7 * abs(start.gradient @ along)
    assert loss.sweeps <= 12


def test_it_goes_to_the_end_where_the_loss_still_falls_there() -> None:
    loss = Counting()
    scores = np.zeros(DATA.n_documents)
    along = 1e-3 * DATA.relevance.astype(float)
    mu, reached = exact_step(loss, scores, along, loss.evaluate(scores), 0.7)
    assert mu == 0.7
    assert reached.value == pytest.approx(PAIRS.loss(0.7 * along), rel=1e-13)


def test_it_stays_where_the_loss_does_not_fall() -> None:
    loss = Counting()
    scores = np.zeros(DATA.n_documents)
    start = loss.evaluate(scores)
    assert exact_step(loss, scores, -DATA.relevance.astype(float), start, 1.0) == (0.0, start)
    assert exact_step(loss, scores, DATA.relevance.astype(float), start, 0.0) == (0.0, start)


def test_a_flat_end_counts_as_a_minimum() -> None:
    """Beyond a margin of 1 the loss is 0: it stops where it gets there or past it, not before."""
    loss = Counting()
    scores = np.zeros(DATA.n_documents)
    mu, reached = exact_step(loss, scores, DATA.relevance.astype(float), loss.evaluate(scores), 5.0)
    assert reached.value <= 1e-12
    assert 0.99 <= mu <= 5.0


@pytest.mark.parametrize("price", [0.01, 0.3, 5.0])
def test_with_a_price_on_the_way_it_finds_the_minimum_of_both(price: float) -> None:
    scores, along = np.zeros(DATA.n_documents), DATA.relevance.astype(float)
    mu, _ = exact_step(Counting(), scores, along, Counting().evaluate(scores), 2.0, lambda t: price)
    found = minimize_scalar(lambda t: PAIRS.loss(t * along) + price * t, bounds=(0, 2), options={"xatol": 1e-12})
    assert PAIRS.loss(mu * along) + price * mu <= min(found.fun, 1.0) * (1.0 + 1e-14)
