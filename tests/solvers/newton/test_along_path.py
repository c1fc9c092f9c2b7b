"""Fits of a path that share passes: each is as accurate as one alone, and the features are read as often as is said."""

from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks.shapes import Shape, generate
from core.analysis.path import lambda_grid, path_fits
from core.data import RankingData
from core.methods import Fit, MethodRun, get_method
from core.solvers import ProximalNewton, Stop, along_path
from core.solvers.newton import along_path as module
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
