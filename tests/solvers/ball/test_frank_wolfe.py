"""FenchelRank and its variants against the paper's formulas on explicit pairs, and against an outside solver."""

import itertools
from functools import cache

import cvxpy
import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L1Ball
from core.solvers import (
    AwaySteps,
    FrankWolfe,
    FrankWolfeShortStep,
    FullyCorrective,
    Iterate,
    Problem,
    Solver,
    Stop,
    solve,
)
from core.solvers.ball.frank_wolfe import quadratic_in_ball
from tests.oracles import FloatArray, RankSvm, ranking_problem

LIST = ranking_problem(5, n_queries=8, n_documents=8, n_features=10)
LOW, HIGH = LIST.features.min(axis=0), LIST.features.max(axis=0)
DATA = LIST.with_features((LIST.features - LOW) / (HIGH - LOW))  # to [0, 1], as the paper's bound needs
K = RankSvm.of(DATA).differences
RADII = (0.5, 2.0, 6.0, 500.0)  # the last one holds nothing back
PUBLISHED = (FrankWolfe(), FrankWolfeShortStep())
FASTER = (AwaySteps(), FullyCorrective())
VARIANTS = (*PUBLISHED, *FASTER)
every_variant = pytest.mark.parametrize("solver", VARIANTS, ids=lambda s: s.id)
every_radius = pytest.mark.parametrize("radius", RADII)


@cache
def outside(radius: float) -> tuple[float, FloatArray]:
    """Optimum and weights by an interior-point code on the explicit pairs."""
    w = cvxpy.Variable(DATA.n_features)
    loss = cvxpy.sum_squares(cvxpy.pos(1 - K @ w)) / len(K)
    problem = cvxpy.Problem(cvxpy.Minimize(loss), [cvxpy.norm1(w) <= radius])
    accuracy = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-11)
    problem.solve(solver=cvxpy.CLARABEL, **accuracy)
    return float(problem.value), np.asarray(w.value)


def problem(radius: float) -> Problem:
    return Problem(DATA.features, SquaredHinge.of(DATA), L1Ball(radius), 1.0)


def iterates(solver: Solver, radius: float, steps: int, start: FloatArray | None = None) -> list[Iterate]:
    coming = solver.iterate(problem(radius), np.zeros(DATA.n_features) if start is None else start)
    return [iterate for iterate, _ in zip(coming, range(steps + 1), strict=False)]


@every_radius
@pytest.mark.parametrize("solver", FASTER, ids=lambda s: s.id)
def test_the_variants_reach_the_optimum_of_an_outside_solver(solver: Solver, radius: float) -> None:
    best, w = outside(radius)
    found = solve(solver, problem(radius), Stop(tol=1e-9, max_steps=3000))
    assert found.stop == "converged"
    assert found.objective == pytest.approx(best, abs=2e-9)
    np.testing.assert_allclose(found.weights, w, atol=1e-3 * max(np.abs(w).sum(), 1.0))


@pytest.mark.parametrize(
    ("solver", "radius"), [*itertools.product(PUBLISHED, RADII[:3]), (PUBLISHED[0], RADII[3])], ids=str
)
def test_the_published_algorithms_come_as_near_as_their_gap_says(solver: Solver, radius: float) -> None:
    best, _ = outside(radius)
    found = solve(solver, problem(radius), Stop(tol=1e-3, max_steps=50_000))
    assert found.stop == "converged"
    assert -1e-9 <= found.objective - best <= found.certificate.value <= 1e-3


@every_radius
@every_variant
def test_every_step_stays_in_the_ball_lowers_the_loss_and_has_a_true_gap(solver: Solver, radius: float) -> None:
    """A step takes at most four passes."""
    best, _ = outside(radius)
    seen = iterates(solver, radius, 200)
    assert all(np.abs(iterate.weights).sum() <= radius * (1.0 + 1e-12) for iterate in seen)
    assert all(iterate.objective - best <= iterate.certificate.value + 1e-9 for iterate in seen)
    objectives = np.array([iterate.objective for iterate in seen])
    assert np.all(np.diff(objectives) <= 1e-14)
    np.testing.assert_allclose(objectives, [RankSvm(K).loss(iterate.weights) for iterate in seen], rtol=1e-11)
    assert np.diff([iterate.passes for iterate in seen]).max(initial=0.0) <= 4.0


@pytest.mark.parametrize("solver", PUBLISHED, ids=lambda s: s.id)
@pytest.mark.parametrize("radius", RADII[:3])
def test_every_published_step_gains_what_equation_33_promises(solver: Solver, radius: float) -> None:
    """eps_t - eps_{t+1} >= eps_t^2 / (16 r^2), for features in [0, 1], where its step lies in [0, 1]."""
    best, _ = outside(radius)
    eps = np.array([iterate.objective for iterate in iterates(solver, radius, 300)]) - best
    eps = eps[eps > 1e-8]  # below it, the outside optimum's own rounding
    assert eps[0] <= 8 * radius**2, "eq. 32 takes the step eps / (8 r^2)"
    assert np.all(eps[:-1] - eps[1:] >= eps[:-1] ** 2 / (16 * radius**2) - 1e-10)
    t = np.arange(1, len(eps) + 1)
    assert np.all(eps <= 16 * radius**2 / (t + 1))  # Theorem 1


@pytest.mark.parametrize("radius", RADII[:3])
def test_the_steps_are_those_of_the_papers_formulas(radius: float) -> None:
    """Equations 12, 16, 18 and 20 written out over explicit pairs, in the paper's w' = r w, with a sorted search."""
    w, p = np.zeros(DATA.n_features), len(K)
    for iterate in iterates(FrankWolfe(), radius, 12):
        np.testing.assert_allclose(iterate.weights, radius * w, atol=1e-6 * radius)
        d = 2 * radius**2 / p * np.maximum(1 / radius - K @ w, 0.0)
        g = d @ K
        assert iterate.certificate.value == pytest.approx(np.abs(g).max() - d @ (K @ w), abs=1e-6)
        assert iterate.certificate.relative == iterate.certificate.value, "the paper's epsilon is absolute"
        j = int(np.argmax(np.abs(g)))
        b = np.sign(g[j]) * np.eye(DATA.n_features)[j] - w
        a, kb = 1 / radius - K @ w, K @ b
        with np.errstate(divide="ignore", invalid="ignore"):
            breaks = a / kb
        edges = np.unique(np.concatenate([[0.0, 1.0], breaks[(breaks > 0) & (breaks < 1)]]))
        candidates = list(edges)
        for low, high in itertools.pairwise(edges):
            on = a - kb * (low + high) / 2 > 0
            candidates.append(np.clip((a[on] @ kb[on]) / max(kb[on] @ kb[on], 1e-300), low, high))
        values = [np.sum(np.maximum(a - kb * mu, 0.0) ** 2) for mu in candidates]
        w = w + candidates[int(np.argmin(values))] * b


@pytest.mark.parametrize("radius", RADII[:3])
def test_the_short_steps_are_the_best_of_equation_28_over_explicit_pairs(radius: float) -> None:
    """mu <d, K b> - (r^2 / p) mu^2 ||K b||^2 is largest at p <d, K b> / (2 r^2 ||K b||^2); never longer than exact."""
    p = len(K)
    seen = iterates(FrankWolfeShortStep(), radius, 30)
    for before, after in itertools.pairwise(seen):
        w = before.weights / radius
        d = 2 * radius**2 / p * np.maximum(1 / radius - K @ w, 0.0)
        g = d @ K
        j = int(np.argmax(np.abs(g)))
        b = np.sign(g[j]) * np.eye(DATA.n_features)[j] - w
        mu = min(p * (d @ (K @ b)) / (2 * radius**2 * np.sum((K @ b) ** 2)), 1.0)
        np.testing.assert_allclose(after.weights, radius * (w + mu * b), atol=1e-9 * radius)
        exact = min((RankSvm(K).loss(radius * (w + length * b)), length) for length in np.linspace(0.0, 1.0, 2001))[1]
        assert mu <= exact + 1e-3


def test_away_steps_drop_features_that_were_a_mistake() -> None:
    start = np.full(DATA.n_features, 0.1)
    best, w = outside(4.0)
    seen = iterates(AwaySteps(), 4.0, 60, start)
    assert np.diff([np.count_nonzero(iterate.weights) for iterate in seen]).min() < 0
    found = solve(AwaySteps(), problem(4.0), Stop(tol=1e-7, max_steps=2000), start)
    assert found.objective == pytest.approx(best, abs=1e-7)
    assert set(np.flatnonzero(found.weights)) == set(np.flatnonzero(np.abs(w) > 1e-5))


@every_variant
def test_a_start_outside_the_ball_is_brought_into_it(solver: Solver) -> None:
    first, *_ = iterates(solver, 1.0, 0, start=np.full(DATA.n_features, 3.0))
    assert np.abs(first.weights).sum() == pytest.approx(1.0)


@every_variant
def test_a_ball_of_radius_zero_holds_the_empty_model_only(solver: Solver) -> None:
    found = solve(solver, problem(0.0))
    assert (found.nonzero, found.objective, found.certificate.value, found.stop) == (0, 1.0, 0.0, "converged")


@pytest.mark.parametrize("seed", range(20))
def test_a_quadratic_in_the_ball_is_lowered_to_the_best_on_the_weights_it_keeps(seed: int) -> None:
    """Never above the start; and on the weights that are left, with their signs, an outside solver finds no better."""
    rng = np.random.default_rng(seed)
    k, radius = 6, float(rng.uniform(0.3, 3.0))
    root = rng.normal(size=(k if seed % 3 else 3, k))  # every third one is singular
    hessian = root.T @ root
    gradient = hessian @ rng.normal(size=k)
    start = L1Ball(radius).prox(rng.normal(size=k) * rng.uniform(0.1, 2.0), 1.0)
    signs = np.where(start == 0.0, -np.sign(gradient), np.sign(start))

    u = quadratic_in_ball(hessian, gradient, start, signs, radius)

    def model(x: FloatArray) -> float:
        return float(gradient @ (x - start) + 0.5 * (x - start) @ hessian @ (x - start))

    assert np.abs(u).sum() <= radius * (1.0 + 1e-9)
    assert np.all(u * signs >= 0.0)
    assert model(u) <= 1e-12
    x = cvxpy.Variable(k)
    objective = gradient @ (x - start) + 0.5 * cvxpy.sum_squares(root @ (x - start))
    kept = [x[u == 0.0] == 0.0] if np.any(u == 0.0) else []
    cvxpy.Problem(cvxpy.Minimize(objective), [cvxpy.multiply(signs, x) >= 0, signs @ x <= radius, *kept]).solve(
        solver=cvxpy.CLARABEL
    )
    assert model(u) == pytest.approx(model(np.asarray(x.value)), abs=1e-6)
