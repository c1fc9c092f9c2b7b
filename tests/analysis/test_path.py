"""A path is a row of single fits at falling lambda, from the empty model on, with the metrics of each."""

import json
from functools import cache

import numpy as np
import pytest

from core.analysis.endings import STOP_WORDS
from core.analysis.evaluation import FoldJudge, Judgement
from core.analysis.fit_records import fit_record
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.data import Fold
from core.methods import METHODS, Method, Training, get_method
from core.solvers import Stop
from tests.cases import some_then_all
from tests.oracles import ranking_problem

FOLD = Fold("Fold1", ranking_problem(0), ranking_problem(0).take_queries([3, 1]), ranking_problem(9))
# Methods with a lambda_max of their own kind, at which nothing is left, and the solvers that end exactly there.
# The best subset has k features at every lambda.
SPARSE = [method for method in METHODS if method.separable and method.id != "best-subset"]
NEARLY_THERE = ("admm", "admm-exact-prox")
ENDS = {"fsmrank": {"converged", "the paper's rule"}}
ENDS |= {method_id: {"converged", "the paper's step limit"} for method_id in ("fenchelrank", "rsrank")}


@cache
def training_of(method: Method) -> Training:
    return method.training(FOLD.train)


def path_of(method: Method, points: int = 8, judge: FoldJudge | None = None, **options: object) -> list[PathPoint]:
    training = training_of(method)
    return list(regularization_path(method, training, lambda_grid(training.lam_max, points, 1e-3), judge, **options))  # type: ignore[arg-type]


def test_the_grid_falls_evenly_in_log_from_exactly_lambda_max() -> None:
    grid = lambda_grid(0.37, 5, 1e-2)
    assert grid[0] == 0.37
    assert grid[-1] == pytest.approx(0.0037)
    np.testing.assert_allclose(grid[1:] / grid[:-1], 10**-0.5)
    assert lambda_grid(0.37, 1).tolist() == [0.37]


@pytest.mark.parametrize(("points", "ratio"), [(0, 0.1), (-1, 0.1), (3, 0.0), (3, 1.0), (3, -2.0)])
def test_a_grid_that_cannot_be_is_refused(points: int, ratio: float) -> None:
    with pytest.raises(ValueError, match=r"path.*at least 1 point"):
        lambda_grid(1.0, points, ratio)


@pytest.mark.parametrize(
    ("method", "solver"),
    [pytest.param(m, s.id, id=f"{m.id} by {s.id}") for m in SPARSE for s in m.solvers if s.id not in NEARLY_THERE],
)
def test_the_path_of_a_sparse_method_begins_with_exactly_nothing(method: Method, solver: str) -> None:
    training = training_of(method)
    (point,) = regularization_path(method, training, lambda_grid(training.lam_max, 1), solver=solver)
    assert not point.fit.weights.any()
    assert point.fit.result.stop == "converged"


@pytest.mark.parametrize("method", some_then_all(METHODS), ids=lambda m: m.id)
def test_every_point_is_the_single_fit_at_its_lambda(method: Method) -> None:
    training = training_of(method)
    points = path_of(method)
    assert [point.fit.lam for point in points] == lambda_grid(training.lam_max, 8, 1e-3).tolist()
    for point in points:
        single = method.fit(training, point.fit.lam)
        assert point.fit.result.objective == pytest.approx(single.result.objective, rel=1e-6)
        assert point.fit.result.stop in ENDS.get(method.id, {"converged"})


def test_a_convex_path_starts_each_fit_where_the_last_one_ended() -> None:
    """Warm starts: fewer steps than fits from zero."""
    method = get_method("l1")
    training = training_of(method)
    points = path_of(method, 30, solver="fista")
    assert {point.fit.solver for point in points} == {"fista"}
    cold = sum(method.fit(training, p.fit.lam, solver="fista").result.steps for p in points)
    assert sum(p.fit.result.steps for p in points) < 0.8 * cold


def test_parameters_hold_along_the_path() -> None:
    assert {p.fit.parameters["epsilon"] for p in path_of(get_method("log"), 3, parameters={"epsilon": 2.0})} == {2.0}


def test_a_path_is_lazy() -> None:
    training = training_of(METHODS[0])
    path = regularization_path(METHODS[0], training, np.array([training.lam_max, -1.0]))
    assert not next(path).fit.weights.any()
    with pytest.raises(ValueError, match=r"lambda.*positive"):
        next(path)


def test_the_sparsity_ratio_leaves_out_features_that_are_zero_in_training() -> None:
    features = FOLD.train.features.copy()
    features[:, :5] = 0.0
    judge = FoldJudge(Fold("1", FOLD.train.with_features(features)), "standard")
    assert judge.sparsity_ratio(np.repeat([0.0, 1.0], [13, 2])) == pytest.approx(0.2)


@pytest.mark.parametrize("method", some_then_all(METHODS), ids=lambda m: m.id)
def test_a_record_of_a_fit_stopped_at_any_step_is_json(method: Method) -> None:
    training, judge = training_of(method), FoldJudge(FOLD, "standard")
    for steps in (0, 1, 50):
        fit = method.fit(training, 0.05, stop=Stop(max_steps=steps))
        record = fit_record(fit, judge.judgement(fit.weights), "standard")
        assert json.loads(json.dumps(record, allow_nan=False)) == record
        assert len(record["trace"]) == len(fit.result.trace)


def test_a_record_names_features_from_one_with_the_largest_first() -> None:
    fit = get_method("l1").fit(training_of(METHODS[0]), 0.2)
    record = fit_record(fit, Judgement(), "standard", trace=False)
    assert record["nonzero"] == len(record["features"]) > 1
    for entry in record["features"]:
        assert entry["weight"] == fit.weights[entry["index"] - 1] != 0.0
        assert entry["name"] == FOLD.train.feature_names[entry["index"] - 1]
    sizes = [abs(entry["weight"]) for entry in record["features"]]
    assert sizes == sorted(sizes, reverse=True)
    assert record["lambda_ratio"] == pytest.approx(0.2 / record["lambda_max"])
    assert set(record) >= {"method", "solver", "lambda", "C", "objective", "certificate", "stop", "steps", "seconds"}
    assert record["stop"] in STOP_WORDS.values()


def test_a_record_of_data_without_lambda_max_is_json() -> None:
    flat = FOLD.train.with_features(np.ones((240, 2)), ["a", "b"])
    fit = METHODS[0].fit(METHODS[0].training(flat), 0.1)
    record = fit_record(fit, Judgement(), "standard")
    assert record["lambda_ratio"] is None
    json.dumps(record, allow_nan=False)
