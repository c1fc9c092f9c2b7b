"""FSMRank's Algorithm 1, against a plain one over explicit pairs, an outside solver, and its own Theorem 2.

FISTA ends also where nothing is left to gain.
Truncated gradient nears the optimum of its problem, as fast as its theory says; RSRank's settles or keeps moving.
"""

import itertools
from itertools import islice

import cvxpy as cp
import numpy as np
import pytest

from core.data import RankingData
from core.losses import ImportanceWeightedHuber, SquaredHinge
from core.penalties import L1, ImportanceSimilarity, WeightedL1, lifted
from core.solvers import (
    Fista,
    ImportanceTruncatedGradient,
    NesterovNemirovski,
    Problem,
    Stop,
    Subgradient,
    TruncatedGradient,
    TruncatedGradientDecaying,
    solve,
)
from core.solvers.first_order.fista import curvature_bound
from tests.oracles import RankSvm, optimum, ranking_problem
from tests.solvers.limits import ALL_PAIRS, LAM_MAX, LOSS, SMALL, Counting

FloatArray = np.ndarray


def scaled(data: RankingData) -> RankingData:
    """Features in [0, 1], as the paper has them."""
    x = data.features
    return data.with_features((x - x.min(axis=0)) / np.ptp(x, axis=0))


DATA = scaled(ranking_problem(2, n_queries=8, n_documents=7, n_features=9))
PAIRS = RankSvm.of(DATA)
SIMILARITY = lifted(np.corrcoef(DATA.features, rowvar=False))
IMPORTANCE = np.abs([np.corrcoef(column, DATA.relevance)[0, 1] for column in DATA.features.T])
SETTINGS = [(0.02, 0.0), (0.02, 0.05), (0.002, 0.01), (0.002, 0.5)]
either = pytest.mark.parametrize(("lam2", "lam1"), SETTINGS)


def problem(lam2: float, lam1: float) -> Problem:
    return Problem(
        DATA.features, SquaredHinge.of(DATA), ImportanceSimilarity(IMPORTANCE, SIMILARITY, lam1 / lam2), lam2
    )


def outside(lam2: float, lam1: float) -> tuple[FloatArray, float]:
    """Eq. 2 as it stands, on 2d non-negative variables and explicit pairs."""
    d = DATA.n_features
    v = cp.Variable(2 * d, nonneg=True)
    doubled = np.hstack([PAIRS.differences, -PAIRS.differences])
    loss = cp.sum_squares(cp.pos(1.0 - doubled @ v)) / len(doubled)
    alike = cp.quad_form(v, cp.psd_wrap(np.kron(np.ones((2, 2)), SIMILARITY)))
    task = cp.Problem(cp.Minimize(loss + 0.5 * lam1 * alike + lam2 * cp.sum(v / np.tile(IMPORTANCE, 2))))
    task.solve(solver=cp.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
    return v.value, float(task.value)


@either
@pytest.mark.parametrize("solver", [NesterovNemirovski(), Fista(), Subgradient()], ids=lambda s: s.id)
def test_the_optimum_is_that_of_an_outside_solver_and_the_gap_is_true_at_every_step(
    solver, lam2: float, lam1: float
) -> None:
    v, best = outside(lam2, lam1)
    slow = isinstance(solver, Subgradient)
    found = solve(solver, problem(lam2, lam1), Stop(tol=1e-8, max_steps=150 if slow else 20_000))
    for point in found.trace:
        assert point.certificate.kind == "duality gap"
        assert point.objective - best <= point.certificate.value + 1e-10
    if not slow:
        assert found.stop == "converged"
        assert found.objective == pytest.approx(best, rel=2e-8)
        np.testing.assert_allclose(found.weights, v[:9] - v[9:], atol=2e-3)


@either
def test_theorem_2_holds_at_every_step(lam2: float, lam1: float) -> None:
    """psi(w_t) - psi* <= 2 L_0 ||w_0 - w*||^2 / (t + 1)^2, with w_0 = 0 and the 2d solution."""
    v, best = outside(lam2, lam1)
    task = problem(lam2, lam1)
    assert curvature_bound(task) == (4.0 + 2.0 * lam1) * 9
    trace = solve(NesterovNemirovski(), task, Stop(tol=0.0, max_steps=400)).trace
    for point in trace[1:]:
        allowed = 2.0 * curvature_bound(task) * float(v @ v) / (point.step + 1) ** 2
        assert point.objective - best <= allowed + 1e-10


def plain_algorithm_1(lam2: float, lam1: float, steps: int) -> list[FloatArray]:
    """Line by line as printed, on 2d variables and explicit pairs."""
    a = np.kron(np.ones((2, 2)), SIMILARITY)
    s = np.tile(IMPORTANCE, 2)
    rows = np.hstack([PAIRS.differences, -PAIRS.differences])

    def phi(v: FloatArray) -> float:
        return float(np.mean(np.maximum(0.0, 1.0 - rows @ v) ** 2) + 0.5 * lam1 * v @ a @ v)

    def slope(v: FloatArray) -> FloatArray:
        return -2.0 / len(rows) * rows.T @ np.maximum(0.0, 1.0 - rows @ v) + lam1 * a @ v

    w = z = np.zeros(18)
    alpha, gamma = 1.0, 2.0
    big_l = (4.0 + 2.0 * lam1) * 9 / gamma**10
    models = []
    for _ in range(steps):
        g = slope(z)
        while True:
            new = np.maximum(0.0, (big_l * z - g - lam2 / s) / big_l)
            if phi(new) <= phi(z) + g @ (new - z) + 0.5 * big_l * (new - z) @ (new - z):
                break
            big_l *= gamma
        later = (1.0 + np.sqrt(1.0 + 4.0 * alpha**2)) / 2.0
        z = new + (alpha - 1.0) / later * (new - w)
        w, alpha = new, later
        models.append(w[:9] - w[9:])
    return models


@either
def test_every_step_is_that_of_the_algorithm_as_printed(lam2: float, lam1: float) -> None:
    ours = [
        iterate.weights for iterate in islice(NesterovNemirovski().iterate(problem(lam2, lam1), np.zeros(9)), 1, 41)
    ]
    np.testing.assert_allclose(ours, plain_algorithm_1(lam2, lam1, 40), rtol=1e-7, atol=1e-9)


@either
def test_an_iteration_takes_at_most_three_loss_evaluations_on_average(lam2: float, lam1: float) -> None:
    counted = Counting.of(DATA)
    task = Problem(DATA.features, counted, problem(lam2, lam1).penalty, lam2)
    found = solve(NesterovNemirovski(), task, Stop(tol=0.0, max_steps=400, change=1e-4))
    assert counted.sweeps <= 3 * found.steps


def test_a_run_may_start_anywhere_and_ends_in_the_same_optimum() -> None:
    start = np.linspace(-1.0, 1.0, 9)
    task = problem(0.002, 0.01)
    runs = [solve(NesterovNemirovski(), task, Stop(tol=1e-8), start=w) for w in (None, start)]
    assert runs[1].trace[0].nonzero == 8
    assert runs[0].objective == pytest.approx(runs[1].objective, rel=2e-8)


def test_backtracking_ends_where_the_loss_is_0_and_no_weight_moves() -> None:
    """Three features without a price win every pair but for rounding, and no step makes the loss fall measurably."""
    data = ranking_problem(3, n_queries=2, n_documents=6, n_features=20)
    beta, start = np.ones(20), np.zeros(20)
    free = [1, 3, 6]
    beta[free], start[free] = 0.0, [-0.6652681175550206, 0.09969301515282228, -1.5226411789022314]
    problem = Problem(data.features, SquaredHinge.of(data), WeightedL1(beta), 0.27915262924574685)
    result = solve(Fista(), problem, Stop(tol=0.0, max_steps=1000), start)
    assert result.objective < 1e-25
    assert result.steps <= 1000


def test_tgrank_approaches_the_l1_optimum_within_the_bound_of_steps_of_constant_length() -> None:
    """F(w_k) - F* <= L ||w*||^2 / (2 k) (Beck & Teboulle 2009, Theorem 3.1), and F never rises."""
    lam = 0.05 * LAM_MAX
    w, best = optimum(ALL_PAIRS, lam, np.ones(15))
    found = solve(TruncatedGradient(), Problem(SMALL.features, LOSS, L1(), lam), Stop(tol=0.0, max_steps=1000))
    assert found.objective == pytest.approx(best, rel=1e-7)
    assert set(np.flatnonzero(found.weights)) == set(np.flatnonzero(np.abs(w) > 1e-6))
    objectives = np.array([point.objective for point in found.trace])
    largest = np.linalg.eigvalsh(2.0 / len(ALL_PAIRS.differences) * ALL_PAIRS.differences.T @ ALL_PAIRS.differences)[-1]
    k = np.arange(1, len(objectives))
    assert np.all(objectives[1:] - best <= 1.05 * largest * (w @ w) / (2 * k) + 1e-12)
    assert np.all(np.diff(objectives) <= 1e-14)


def test_decaying_steps_follow_their_schedule() -> None:
    """Each step recomputed from explicit pairs; its length is that of the first over sqrt(k)."""
    lam = 0.05 * LAM_MAX
    coming = TruncatedGradientDecaying().iterate(Problem(SMALL.features, LOSS, L1(), lam), np.zeros(15))
    seen = [next(coming).weights for _ in range(8)]
    slope = ALL_PAIRS.gradient(seen[0])
    steepest = int(np.argmax(np.abs(slope)))
    first = abs(seen[1][steepest]) / (abs(slope[steepest]) - lam)
    for k, (w, after) in enumerate(itertools.pairwise(seen), start=1):
        eta = first / np.sqrt(k)
        v = w - eta * ALL_PAIRS.gradient(w)
        np.testing.assert_allclose(after, np.sign(v) * np.maximum(np.abs(v) - eta * lam, 0.0), atol=1e-12)


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_where_rsrank_settles_its_model_is_best_for_its_own_importances(share: float) -> None:
    """The convex problem with the importances of the final ranking has no better model, by its duality gap."""
    loss = ImportanceWeightedHuber.of(SMALL)
    lam = share * np.abs(SMALL.features.T @ loss.evaluate(np.zeros(SMALL.n_documents)).gradient).max()
    found = solve(ImportanceTruncatedGradient(), Problem(SMALL.features, loss, L1(), lam), Stop(1e-8, 5000))
    assert found.stop == "converged"
    at = loss.held(SMALL.features @ found.weights).evaluate(SMALL.features @ found.weights)
    bound = L1().dual_bound(at, SMALL.features.T @ at.gradient, lam)
    assert bound is not None
    assert found.objective == pytest.approx(at.value + lam * np.abs(found.weights).sum(), rel=1e-12)
    assert found.objective - bound <= 1e-6 * found.objective
