"""Fits of a path that share passes: each is as accurate as one alone, and the features are read as often as is said.

Where the loss is a quadratic, the models between two ends are known without another look at it.
The first step of proximal Newton on a large X: it goes farther than its model, and only where that lowers F.
A quadratic plus weighted l1 is minimised however flat: by its optimality conditions and by a linear program.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.optimize import linprog

from benchmarks.shapes import Shape, generate
from core.analysis.path import lambda_grid, path_fits
from core.data import RankingData
from core.losses import LossAt, SquaredHinge
from core.methods import Fit, MethodRun, get_method
from core.penalties import L1
from core.solvers import Problem, ProximalNewton, SolverRun, Stop, along_path, solve
from core.solvers.newton import along_path as module
from core.solvers.newton.along_path import BetweenModels
from core.solvers.newton.proximal_newton import minimise_sparse_quadratic
from tests.blocked import in_blocks
from tests.oracles import Pairs, RankSvm, optimum, ranking_problem

SMALL = ranking_problem(1, n_queries=30, n_features=12)
TOL = 1e-4


@pytest.fixture
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small data count as larger than the cache, so that a step reads them once."""
    monkeypatch.setattr("core.solvers.problem.CACHED_BYTES", 0)


def fits_of(
    data: RankingData, method_id: str = "l1", points: int = 30, tol: float = TOL, **options: object
) -> Iterator[Fit]:
    method = get_method(method_id)
    training = method.training(data)
    lams = lambda_grid(training.lam_max, points, 0.01)
    return path_fits(method, training, lams, stop=Stop(tol=tol), **options)  # type: ignore[arg-type]


def gap_by_pairs(data: RankingData, w: np.ndarray, lam: float) -> tuple[float, float]:
    """F(w), and F(w) minus the dual value of the scaled slacks, over pairs that are written out."""
    pairs = Pairs.of(data)
    scores = data.features @ w
    alpha = pairs.alpha(scores)
    steepest = np.abs(pairs.difference(data.features).T @ alpha).max()
    total, squares = alpha.sum(), len(pairs) / 4 * (alpha**2).sum()
    theta = min(lam / steepest, total / (2 * squares))
    objective = pairs.loss(scores) + lam * np.abs(w).sum()
    return objective, objective - (theta * total - theta**2 * squares)


@pytest.mark.parametrize("tol", [1e-4, 1e-6])
@pytest.mark.parametrize("rounds", [0, 1, module.MOST_ROUNDS])
def test_every_model_is_as_near_the_optimum_as_its_own_gap_says(
    rounds: int, tol: float, read_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether rounds of corrections find it, or Newton steps do where too few rounds are allowed."""
    monkeypatch.setattr(module, "MOST_ROUNDS", rounds)
    explicit = RankSvm.of(SMALL)
    fits = list(fits_of(SMALL, points=20, tol=tol))
    assert len(fits) == 20
    for fit in fits:
        found = fit.result
        objective, gap = gap_by_pairs(SMALL, fit.weights, fit.lam)
        _, least = optimum(explicit, fit.lam, np.ones(12))
        assert found.stop == "converged"
        assert found.objective == pytest.approx(objective, rel=1e-12)
        assert found.certificate.relative <= tol
        assert objective - least <= found.certificate.value + 1e-12
        assert found.certificate.value <= gap + 1e-12, "rounds before may have found a higher bound"
        if found.steps == 0:
            assert found.certificate.value == pytest.approx(gap, rel=1e-6, abs=1e-13)
        assert found.trace[-1].certificate == found.certificate


def test_a_path_of_a_hundred_reads_the_features_no_oftener_than_four_fits_at_its_end() -> None:
    """Of 17 MB, by the counts of the traces and by what the blocks count themselves."""
    data = generate(Shape(n_queries=130, documents_per_query=120, n_features=136, relevant_per_query=12))
    blocks = in_blocks(data, 3)
    method = get_method("l1")
    training = method.training(blocks)
    lams = lambda_grid(training.lam_max, 100, 0.01)
    alone = method.fit(training, float(lams[-1]), stop=Stop(tol=TOL)).result
    before = blocks.features.passes
    fits = list(path_fits(method, training, lams, stop=Stop(tol=TOL)))
    passes = blocks.features.passes - before + 1  # that for lambda_max is the path's first
    assert passes == sum(fit.result.passes for fit in fits)
    assert passes <= 4 * alone.passes
    assert all(fit.result.certificate.relative <= TOL for fit in fits)
    in_memory = list(fits_of(data, points=100))
    assert sum(fit.result.passes for fit in in_memory) == passes
    for fit, other in zip(fits, in_memory, strict=True):
        assert fit.result.objective == pytest.approx(other.result.objective, rel=1e-12)


def test_a_path_that_is_left_has_read_no_more_than_the_fits_taken_needed(read_once: None) -> None:
    whole = list(fits_of(SMALL))
    blocks = in_blocks(SMALL, 4)
    fits = fits_of(blocks)
    before = blocks.features.passes
    first = next(fits)
    copies = blocks.features.passes - before - first.result.passes  # which features are copies of others
    for number, expected in enumerate(whole[1:], start=2):
        fit = next(fits)
        assert fit.result.passes == expected.result.passes
        assert blocks.features.passes - before - copies == sum(fit.result.passes for fit in whole[:number])
    assert sum(fit.result.passes == 0 for fit in whole) >= len(whole) / 2


@pytest.mark.parametrize(
    ("method_id", "parameters"), [("log", {}), ("mcp", {}), ("l1", {"refit": 1.0})], ids=["log", "mcp", "refit"]
)
def test_methods_that_begin_with_l1_models_end_where_they_end_alone(
    method_id: str, parameters: dict[str, float], read_once: None
) -> None:
    method = get_method(method_id)
    training = method.training(SMALL)
    for fit in fits_of(SMALL, method_id, 12, 1e-8, parameters=parameters):
        alone = method.fit(training, fit.lam, parameters=parameters, stop=Stop(tol=1e-8))
        assert fit.result.stop == "converged"
        assert np.array_equal(fit.weights != 0.0, alone.weights != 0.0)
        assert fit.result.objective == pytest.approx(alone.result.objective, rel=1e-6)


def test_each_fit_is_ended_by_its_own_run_whose_limits_hold(read_once: None) -> None:
    steps = []

    def finish(run: MethodRun) -> Fit:
        while not run.done:
            run.advance()
        steps.append(run.steps.trace[-1].step)
        return run.fit()

    fits = list(fits_of(SMALL, finish=finish))
    assert steps == [fit.result.steps for fit in fits]
    method = get_method("l1")
    training = method.training(SMALL)
    lams = lambda_grid(training.lam_max, 10, 0.01)
    for limit in (Stop(tol=TOL, max_steps=0), Stop(tol=TOL, max_seconds=0.0)):
        for fit in path_fits(method, training, lams, stop=limit):
            assert fit.result.stop == "converged" or fit.result.stop in ("step limit", "time limit")
            assert (fit.result.certificate.relative <= TOL) == (fit.result.stop == "converged")


def test_a_fit_goes_on_beyond_the_tolerance_of_its_path(read_once: None) -> None:
    method = get_method("l1")
    training = method.training(SMALL)
    lams = lambda_grid(training.lam_max, 10, 0.1)
    solver = along_path(ProximalNewton(), lams, 1e-2)
    for lam in map(float, lams):
        run = method.run(training, lam, solver=solver, stop=Stop(tol=1e-10))
        fit = run.finish()
        assert (fit.solver, fit.result.stop) == ("proximal-newton", "converged")
        assert [point.step for point in fit.result.trace] == list(range(fit.result.steps + 1))
        passes = [point.passes for point in fit.result.trace]
        assert passes == sorted(passes)
        assert passes[-1] == run.steps.problem.counter.passes


def test_a_path_that_begins_above_lambda_max_begins_with_nothing(read_once: None) -> None:
    method = get_method("l1")
    training = method.training(SMALL)
    fits = list(path_fits(method, training, training.lam_max * np.array([3.0, 2.0, 1.5, 0.5]), stop=Stop(tol=TOL)))
    assert [fit.result.stop for fit in fits] == ["converged"] * 4
    assert [bool(fit.weights.any()) for fit in fits] == [False, False, False, True]


RNG = np.random.default_rng(3)
ROWS = RNG.normal(size=(30, 6))
CURVATURE, TARGET = ROWS.T @ ROWS / 30, np.array([2.0, -1.0, 0.5, 0.0, 0.1, 0.0])
LARGEST, SMALLEST = 0.8, 0.1


def gradient(w: np.ndarray) -> np.ndarray:
    return CURVATURE @ (w - TARGET)


def model_at(lam: float) -> np.ndarray:
    zeros = np.zeros(6)
    return minimise_sparse_quadratic(CURVATURE, gradient(zeros), zeros, np.full(6, lam), 1e-13, zeros)


def loss_at(w: np.ndarray, columns: list[int], times: float = 1.0) -> LossAt:
    places = np.array(columns, dtype=np.int64)
    hessian = times * CURVATURE[np.ix_(places, places)]
    sums = dict.fromkeys(("dual_slope", "dual_curvature", "value", "answer", "score_slope"), 0.0)
    return LossAt(**sums, gradient=gradient(w), columns=places, hessian=hessian)


@pytest.fixture
def between() -> BetweenModels:
    """The first end knows the curvature of three features only."""
    first, last = model_at(LARGEST), model_at(SMALLEST)
    assert 0 < np.count_nonzero(first) < np.count_nonzero(last) < 6
    return BetweenModels(first, loss_at(first, [0, 1, 2]), last, loss_at(last, [0, 1, 2, 3, 4, 5]))


@pytest.mark.parametrize("lam", [0.75, 0.4, 0.15])
def test_a_quadratic_has_the_predicted_models(between: BetweenModels, lam: float) -> None:
    share = (lam - SMALLEST) / (LARGEST - SMALLEST)
    found = between.predicted(share, np.full(6, lam), 1e-13)
    slope = gradient(found)
    away = np.where(found == 0.0, np.maximum(np.abs(slope) - lam, 0.0), np.abs(slope + lam * np.sign(found)))
    assert away.max() <= 1e-11


def test_one_correction_finds_the_model_of_a_quadratic_from_anywhere(between: BetweenModels) -> None:
    anywhere = RNG.normal(size=6)
    found = between.corrected(0.3, anywhere, gradient(anywhere), np.full(6, 0.4), 1e-13)
    np.testing.assert_allclose(found, model_at(0.4), atol=1e-11)


def test_curvature_between_the_ends_stays_that_of_a_convex_loss() -> None:
    """The two ends' entries do not fit together: mixed as they are, they would curve downwards."""
    first, last = model_at(LARGEST), model_at(SMALLEST)
    at_first = loss_at(first, [0, 1, 2], times=1e-3)
    between = BetweenModels(first, at_first, last, loss_at(last, [0, 1, 2, 3, 4, 5]))
    mixed = CURVATURE.copy()
    mixed[:3, :3] = at_first.hessian
    assert np.linalg.eigvalsh(mixed)[0] < -0.01
    anywhere = np.ones(6)
    found = between.corrected(1.0, anywhere, gradient(anywhere), np.full(6, SMALLEST), 1e-9)
    assert np.abs(found).max() < 100.0


@pytest.fixture
def problem(monkeypatch: pytest.MonkeyPatch) -> Problem:
    """Three informative features of 40, at an eighth of the lambda at which the first one enters."""
    monkeypatch.setattr("core.solvers.problem.CACHED_BYTES", 0)
    random = np.random.default_rng(5)
    features = random.normal(size=(3000, 40))
    utility = features[:, :3] @ [1.0, -0.7, 0.5] + random.normal(size=3000)
    data = RankingData.build(features, (utility > 1.0).astype(np.int32), np.arange(0, 3001, 60))
    loss = SquaredHinge.of(data)
    zero = loss.at(data.features, np.zeros(40), np.empty(0, dtype=np.int64))
    return Problem(data.features, loss, L1(), float(np.abs(zero.gradient).max()) / 8.0)


def second(problem: Problem) -> float:
    """Return F after one step from zero."""
    run = SolverRun(ProximalNewton(), problem, Stop(tol=1e-9))
    run.advance()
    point = run.advance()
    assert point is not None
    return point.objective


def test_the_first_step_lowers_the_objective_more_than_its_model_does(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, best = second(problem), solve(ProximalNewton(), problem, Stop(tol=1e-12)).objective
    monkeypatch.setattr(SquaredHinge, "step_from_zero", lambda *_: 1.0)
    assert reached - best < 0.5 * (second(problem) - best)


@pytest.mark.parametrize("size", [0.01, 40.0])
def test_a_first_step_of_a_wrong_length_leads_to_the_same_optimum(
    problem: Problem, size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = solve(ProximalNewton(), problem, Stop(tol=1e-10))
    monkeypatch.setattr(SquaredHinge, "step_from_zero", lambda *_: size)
    found = solve(ProximalNewton(), problem, Stop(tol=1e-10))
    assert found.stop == "converged"
    assert found.objective == pytest.approx(best.objective, rel=1e-9)
    assert found.trace[1].objective < found.trace[0].objective


QUADRATIC_RNG = np.random.default_rng(0)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("threshold", [1.0, 1e-3, 1e-9])
@pytest.mark.parametrize("rank", [2, 5, 8])
def test_no_coordinate_can_lower_it_on_its_side(rank: int, threshold: float, signed: bool) -> None:
    """Distance of 0 from the subdifferential, written out; with rank below 8 the quadratic is flat in places."""
    rows = QUADRATIC_RNG.normal(size=(rank, 8))
    hessian, target, start = rows.T @ rows, QUADRATIC_RNG.normal(size=8), QUADRATIC_RNG.normal(size=8)
    signs = QUADRATIC_RNG.integers(-1, 2, 8).astype(np.float64) if signed else np.zeros(8)
    start[signs * start < 0.0] = 0.0
    prices = threshold * QUADRATIC_RNG.uniform(0.5, 2.0, 8)
    u = minimise_sparse_quadratic(hessian, hessian @ (start - target), start, prices, 1e-6 * threshold, signs)
    assert np.all(signs * u >= 0.0)
    slope = hessian @ (u - target)
    steep = np.where(signs == 0.0, np.abs(slope), np.maximum(-signs * slope, 0.0))  # towards where it may go
    away = np.where(u == 0.0, np.maximum(steep - prices, 0.0), np.abs(slope + np.sign(u) * prices))
    assert away.max() <= 1e-4 * threshold + 1e-12


def test_where_only_the_price_decides_it_ends_where_a_linear_program_ends() -> None:
    """With a tiny price: of the minima of the quadratic that of the smallest l1 norm."""
    rows, start = QUADRATIC_RNG.normal(size=(3, 6)), QUADRATIC_RNG.normal(size=6)
    right = rows @ QUADRATIC_RNG.normal(size=6)
    u = minimise_sparse_quadratic(
        rows.T @ rows, rows.T @ (rows @ start - right), start, np.full(6, 1e-8), 1e-14, np.zeros(6)
    )
    shortest = linprog(np.ones(12), A_eq=np.hstack([rows, -rows]), b_eq=right, bounds=(0, None))
    assert np.abs(u).sum() == pytest.approx(shortest.fun, rel=1e-5)
    assert np.count_nonzero(u) <= 3
