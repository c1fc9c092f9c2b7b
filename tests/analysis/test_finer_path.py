"""A path filled in: coarse to fine, by the rule of every path, and complete levels only.

Models between two neighbours of a path are as near to their optimum as it is said of them.
The method decides where each fit of a grid starts; every caller of a grid gets the same starts.
"""

from itertools import pairwise

import numpy as np
import pytest

from core.analysis.features.what_if import weighted
from core.analysis.path import l1_fit, lambda_grid, path_fits, path_runs
from core.analysis.path_frames import between, interpolates, widest_gap
from core.analysis.path_run import FinerPath, PathRun, levels
from core.methods import METHODS, Fit, Method, Training, get_method
from core.methods.refit import YES
from core.solvers import Stop
from tests.analysis.test_path import path
from tests.oracles import RankSvm, optimum, ranking_problem
from tests.work_contract import finished

POINTS = 5


def test_each_level_lies_half_way_between_all_that_are_known() -> None:
    coarse, *finer = (lambda_grid(2.0, n, 1e-2) for n in (5, 9, 17))
    known = coarse
    for level, wanted in zip(levels(coarse, 17), finer, strict=True):
        known = -np.sort(-np.concatenate([known, level]))
        assert known == pytest.approx(wanted)
    assert [len(level) for level in levels(lambda_grid(1.0, 50), 200)] == [49, 98]
    assert levels(coarse, 8) == []
    assert levels(coarse[:1]) == levels(coarse[:0]) == []


@pytest.mark.parametrize("method_id", ["log", "mcp", "l0.5", "l2", "fsmrank"])
def test_a_model_that_is_filled_in_is_that_of_a_path_with_as_many_models(method_id: str) -> None:
    points, training, judge = path(method_id, POINTS)
    finer = finished(FinerPath(points, training, judge, most=4 * POINTS - 3))
    at_once = path(method_id, 4 * POINTS - 3)[0]
    assert len(finer.whole) == len(at_once)
    for filled, wanted in zip(finer.whole, at_once, strict=True):
        assert filled.fit.lam == pytest.approx(wanted.fit.lam)
        assert filled.fit.weights == pytest.approx(wanted.fit.weights, abs=1e-3)
        assert filled.metrics.keys() == wanted.metrics.keys()


def test_a_path_is_the_same_object_until_it_has_more_models() -> None:
    """Its digest is then found once (`core.content.Series`)."""
    points, training, judge = path("log", POINTS)
    finer, run = FinerPath(points, training, judge, most=4 * POINTS - 3), PathRun(iter(points), POINTS)
    for work, known in ((finer, lambda: finer.whole), (run, lambda: run.points)):
        seen = [known()]
        while not work.done:
            work.advance()
            assert (known() is seen[-1]) == (len(known()) == len(seen[-1]))
            assert known() is known()
            seen.append(known())
        assert len(seen[-1]) > len(seen[0])
        assert not {"_series", "_whole"} & work.__getstate__().keys(), "a snapshot sends its models once"


def test_no_answer_depends_on_which_models_of_the_path_are_known() -> None:
    """Only a convex method may start from the model before."""
    assert all(method.convex for method in METHODS if method.path_start == "previous")


def test_a_level_is_shown_once_it_is_complete() -> None:
    points, training, judge = path("log", POINTS)
    finer = FinerPath(points, training, judge, most=17)
    assert finer.seconds_to_finer == 0.0
    sizes = []
    while not finer.done:
        finer.advance()
        sizes.append(len(finer.whole))
        assert (finer.seconds_to_finer is None) == finer.done
    assert sizes == [5] * 3 + [9] * 8 + [17]
    lams = [point.fit.lam for point in finer.whole]
    assert lams == sorted(lams, reverse=True)
    assert set(map(id, points)) < set(map(id, finer.whole))


def test_what_would_take_too_long_is_not_begun() -> None:
    points, training, judge = path("log", POINTS)
    pace = float(np.mean([point.fit.result.seconds for point in points]))
    finer = FinerPath(points, training, judge, most=17, level_seconds=5 * pace)
    assert finer.total == 4
    assert FinerPath([], training, judge).done


def path_of(method: Method, training: Training, points: int, smallest: float = 1e-2) -> list[Fit]:
    lams = lambda_grid(training.lam_max, points, smallest)
    return list(path_fits(method, training, lams, stop=Stop(tol=1e-9)))


@pytest.mark.parametrize("method", [get_method(name) for name in ("l1", "infinite-push-l1")], ids=lambda m: m.id)
@pytest.mark.parametrize("seed", range(3))
def test_no_model_between_is_farther_from_its_optimum_than_is_said(method: Method, seed: int) -> None:
    training = method.training(ranking_problem(seed))
    fits = path_of(method, training, 7)
    bent = 0
    for left, right in pairwise(fits):
        for share in (0.1, 0.5, 0.8):
            lam = left.lam + share * (right.lam - left.lam)
            weights, bound = between(left, right, lam)
            best = method.fit(training, lam, stop=Stop(tol=1e-10)).result
            reached = method.run(training, lam).steps.problem
            value = reached.loss.evaluate(reached.scores(weights)).value + lam * np.abs(weights).sum()
            above = (value - best.objective) / value
            assert above <= bound.relative + 1e-9
            assert bound.relative <= widest_gap(left, right) + 1e-12
            bent += above > 1e-6
    assert bent, "every one of these models is optimal: nothing has been tried"


def test_the_objective_is_that_of_explicit_pairs() -> None:
    """The other test takes loss and solver on trust; this one takes neither."""
    data = ranking_problem(3)
    method = get_method("l1")
    training = method.training(data)
    left, right = path_of(method, training, 4)[1:3]
    lam = 0.4 * left.lam + 0.6 * right.lam
    weights, bound = between(left, right, lam)
    pairs = RankSvm.of(data)
    value = pairs.loss(weights) + lam * np.abs(weights).sum()
    _, best = optimum(pairs, lam, np.ones(data.n_features))
    assert 0.0 < value - best <= bound.relative * value


@pytest.mark.parametrize(
    ("method_id", "places", "share", "said"),
    [("l1", (1, 2), -1.0, "does not lie between"), ("l1", (2, 1), 1.0, "does not lie between"),
     ("log", (1, 2), 0.5, r"duality gap.*all models")],
)  # fmt: skip
def test_a_model_that_does_not_lie_between_and_one_with_a_residual_are_refused(method_id, places, share, said) -> None:
    method = get_method(method_id)
    fits = path_of(method, method.training(ranking_problem(1)), 4)
    left, right = (fits[place] for place in places)
    with pytest.raises(ValueError, match=said):
        between(left, right, left.lam + share * (right.lam - left.lam))


def test_only_l1_with_a_convex_loss_is_interpolated() -> None:
    interpolated = {m.id for m in METHODS if interpolates(m, m.settings())}
    assert interpolated == {"l1", "liblinear-l1", "tgrank", "infinite-push-l1"}
    assert not interpolates(get_method("l1"), {"refit": YES})


DATA = ranking_problem(3, n_queries=8, n_features=7)


@pytest.mark.parametrize("method_id", ["l1", "log", "fenchelrank"])
def test_a_convex_method_starts_where_it_has_been_reweighting_at_its_own_l1_model_and_others_at_nothing(method_id):
    method = get_method(method_id)
    training = method.training(DATA)
    lams = np.array([training.lam_at(0.3), training.lam_at(0.2)])
    runs = path_runs(method, training, lams, solver=None, parameters=None, stop=method.stop)
    first, cost = next(runs)
    start = first.steps.weights
    ended = first.finish().weights
    later = next(runs)[0].steps.weights
    assert (cost is not None) == (method_id == "log")
    if method_id == "log":
        assert np.array_equal(start, l1_fit(training, lams[0], np.zeros(7)).weights)
        assert np.array_equal(later, l1_fit(training, lams[1], start).weights)
    else:
        assert not start.any()
        assert np.array_equal(later, ended if method_id == "l1" else start)


def test_a_path_under_rules_is_warm_started_under_the_same_rules():
    """A start with the wrong signs has an infinite objective, from which nothing descends."""
    method = weighted(get_method("log"), np.ones(7), np.ones(7))
    training = method.training(DATA)
    lams = np.array([training.lam_at(ratio) for ratio in (0.5, 0.2, 0.05)])
    fits = list(path_fits(method, training, lams))
    assert any(np.any(fit.weights) for fit in fits)
    for fit, lam in zip(fits, lams, strict=True):
        assert np.all(fit.weights >= 0.0)
        assert np.isfinite(fit.result.objective)
        alone = method.fit(training, lam)
        assert fit.result.objective == pytest.approx(alone.result.objective, rel=1e-6)
