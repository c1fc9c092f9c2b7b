"""A path is a row of single fits at falling lambda, from the empty model on, with the metrics of each.

Frames of a path: every one certified, close together, and true to what it says.
Under rules for features the bound of a plain l1 path proves nothing: no model between two fits is offered.
"""

import json
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import core
from core.analysis.endings import STOP_WORDS
from core.analysis.evaluation import FoldJudge, Judgement
from core.analysis.features.rules import Rules
from core.analysis.fit_records import fit_record
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.path_frames import (
    between,
    can_follow,
    count_features,
    counts_among,
    frames_of,
    refined,
    widest_gap,
)
from core.analysis.path_run import FinerPath
from core.data import Fold
from core.methods import METHODS, Method, Training, get_method
from core.metrics import evaluate_ranking
from core.solvers import Stop
from core.values import plain, rebuilt
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


POINTS = 6


def path(method_id: str, points: int = POINTS) -> tuple[list[PathPoint], Training, FoldJudge]:
    fold = core.Fold("1", train=ranking_problem(1), vali=ranking_problem(2), test=ranking_problem(3))
    found = core.fit_path(fold, method_id, points=points, smallest_ratio=1e-2)
    return list(found.points), get_method(method_id).training(fold.train), FoldJudge(fold, "standard")


def test_an_l1_path_has_certified_frames_between_its_models() -> None:
    points, training, judge = path("l1")
    frames = list(frames_of(points, judge, finer=4))
    assert len(frames) == 4 * (POINTS - 1) + 1
    assert np.allclose(np.diff(np.log([frame.lam for frame in frames])), np.log(1e-2) / (len(frames) - 1))
    assert [frame.c for frame in frames] == pytest.approx([training.c_of(frame.lam) for frame in frames])
    assert all(frame.weights is point.fit.weights for frame, point in zip(frames[::4], points, strict=True))
    assert list(frames_of([], judge)) == []
    for k, frame in enumerate(frames):
        left, right = points[k // 4].fit, points[min(k // 4 + 1, POINTS - 1)].fit
        assert 0.0 <= frame.certificate.relative <= max(widest_gap(left, right), 1e-9)
        assert frame.most == np.count_nonzero(frame.weights)
        scores = judge.fold.parts()["test"].features @ frame.weights
        said = evaluate_ranking(judge.fold.parts()["test"], scores, "standard")
        assert frame.judgement.metrics["test"]["MAP"] == pytest.approx(said["MAP"])


def test_a_path_that_nothing_is_known_between_has_its_models_only() -> None:
    points, training, judge = path("log")
    frames = list(frames_of(points, judge))
    assert len(frames) == POINTS
    assert refined(points, training, judge) == points


def test_models_are_added_until_nothing_between_is_farther_than_asked() -> None:
    points, training, judge = path("l1")
    assert max(widest_gap(a.fit, b.fit) for a, b in pairwise(points)) > 1e-2
    more = refined(points, training, judge, widest=1e-2)
    assert max(widest_gap(a.fit, b.fit) for a, b in pairwise(more)) <= 1e-2
    assert set(map(id, points)) < set(map(id, more))
    lams = [point.fit.lam for point in more]
    assert lams == sorted(lams, reverse=True)
    assert len(refined(points, training, judge, widest=1e-9, most=5)) == POINTS + 5


def test_between_two_models_the_size_is_a_range_that_holds_the_size_of_the_optimum() -> None:
    """What a person reads while the hand is between two models, letting go must not correct."""
    points, training, judge = path("l1")
    ranges = 0
    for frame in frames_of(points, judge):
        fewest, _, most = frame.size.partition("–")
        kept = get_method("l1").fit(training, frame.lam, stop=Stop(tol=1e-10)).result.nonzero
        assert int(fewest) <= kept <= int(most or fewest), frame.size
        ranges += bool(most)
    assert ranges > 0


def test_between_two_models_a_place_by_size_lies_between_theirs_and_nearer_to_the_fits_than_their_union() -> None:
    """The union of two models' features is more than either has, and than what a fit between them has."""
    points, training, judge = path("l1")
    off, union_off = [], []
    for k, frame in enumerate(frames_of(points, judge, finer=4)):
        sizes = [points[j].fit.result.nonzero for j in (k // 4, min(-(-k // 4), POINTS - 1))]
        place = frame.placed(count_features)
        assert min(sizes) <= place <= max(sizes)
        kept = get_method("l1").fit(training, frame.lam, stop=Stop(tol=1e-10)).result.nonzero
        off.append(abs(place - kept))
        union_off.append(abs(frame.most - kept))
    assert sum(off) < 0.8 * sum(union_off)


def test_between_two_models_the_number_of_some_features_is_a_range() -> None:
    points, training, judge = path("l1")
    frames = list(frames_of(points, judge, finer=4))
    columns = list(range(0, training.data.n_features, 2))
    told = counts_among(frames, columns)
    for k, frame in enumerate(frames):
        ends = [points[j].fit.weights[columns] != 0.0 for j in (k // 4, min(-(-k // 4), POINTS - 1))]
        low, high = int((ends[0] & ends[1]).sum()), int((ends[0] | ends[1]).sum())
        assert told[frame.c] == (str(low) if low == high else f"{low}–{high}")
    assert any("–" in words for words in told.values())
    assert counts_among([], columns) == {}


DATA = ranking_problem(3)
RULES = {
    "costs": Rules.of(15, costs=np.linspace(0.2, 3.0, 15)),
    "signs": Rules.of(15, helps=[0, 1]),
    "exempt": Rules.of(15, forced=[0]),
}


def path_under(rules: Rules | None, method_id: str = "l1") -> tuple[list[PathPoint], Training, FoldJudge]:
    judge = FoldJudge(Fold("1", train=DATA, vali=ranking_problem(2)), "standard")
    plain = get_method(method_id)
    training = plain.training(DATA)
    method = plain if rules is None else rules.applied(plain)
    return list(regularization_path(method, training, lambda_grid(training.lam_max, 8, 1e-2), judge)), training, judge


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_path_under_rules_has_its_fitted_models_only(rules: Rules) -> None:
    points, training, judge = path_under(rules)
    assert not any(can_follow(point.fit) for point in points)
    assert refined(points, training, judge, widest=1e-6) == points
    frames = list(frames_of(points, judge))
    assert all(frame.weights is point.fit.weights for frame, point in zip(frames, points, strict=True))
    with pytest.raises(ValueError, match="rules for features"):
        between(points[2].fit, points[3].fit, float(np.sqrt(points[2].fit.lam * points[3].fit.lam)))


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_model_of_the_plain_method_is_filled_into_a_path_under_rules(rules: Rules) -> None:
    points, training, judge = path_under(rules, "log")
    finer = FinerPath(points, training, judge)
    assert finer.total == 0
    assert list(finer.whole) == points
    assert FinerPath(path_under(None, "log")[0], training, judge).total > 0


def test_a_record_of_a_model_says_whether_there_were_rules() -> None:
    for rules in (None, RULES["costs"]):
        point = path_under(rules)[0][2]
        again = rebuilt(PathPoint, json.loads(json.dumps(plain(point))))
        assert again.fit.under_rules is (rules is not None)
        assert can_follow(again.fit) is (rules is None)
