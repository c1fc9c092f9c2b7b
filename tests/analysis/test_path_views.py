"""Paths by size, at one lambda, and the features that matter on several of them.

A path over k proves every model, and says at every moment between what and what its objective is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.analysis.path import PathPoint
from core.analysis.path_over_k import PathOverK, bound_of
from core.analysis.path_views import by_size, importance, most_important, nearest_point, ratio_of, weights_along
from core.data import Fold
from core.methods import METHODS, get_method
from core.solvers import Stop
from tests.oracles import ranking_problem

TRAINING = METHODS[0].training(ranking_problem(0))
FIT = METHODS[0].fit(TRAINING, 0.1)


def point(lam: float, *weights: float) -> PathPoint:
    w = np.array(weights)
    return PathPoint(replace(FIT, lam=lam, result=replace(FIT.result, weights=w)), {})


def test_of_models_with_equally_many_features_the_least_shrunk_stands_for_the_size() -> None:
    path = [point(0.8, 0, 0), point(0.4, 1, 0), point(0.2, 2, 1), point(0.1, 0, 3)]
    assert by_size(path) == [path[0], path[3], path[2]]
    assert by_size(path[::-1]) == by_size(path)


def test_the_nearest_model_is_nearest_in_log_lambda() -> None:
    path = [point(1.0, 0), point(0.1, 1), point(0.01, 2)]
    assert nearest_point(path, 0.4) is path[0]  # 0.1 is nearer on a linear scale
    assert nearest_point(path, 0.3) is path[1]
    assert nearest_point(path, 1e-9) is path[2]
    with pytest.raises(ValueError, match="nearest"):
        nearest_point([], 1.0)


def test_every_path_has_the_same_say_in_what_is_important() -> None:
    shrunk = [point(1.0, 0, 0, 0), point(0.5, 0.01, 0, 0)]
    large = [point(1.0, 0, 0, 0), point(0.5, 0, -100, 50)]
    assert importance([shrunk, large]) == pytest.approx([1.0, 1.0, 0.5])
    assert importance([shrunk, large, shrunk]) == pytest.approx([2.0, 1.0, 0.5])


def test_only_features_that_enter_are_important_and_early_ones_come_first() -> None:
    path = [point(1.0, 0, 0, 0), point(0.5, 0, 0, -1), point(0.2, 0, 1, -1)]
    assert most_important([path], 8) == [2, 1]
    assert most_important([path], 1) == [2]
    assert most_important([path[:1]], 8) == []
    with pytest.raises(ValueError, match="no path"):
        importance([])


def test_weights_along_a_path_are_a_row_a_model() -> None:
    assert weights_along([point(1.0, 0, 0), point(0.5, 3, -1)]).tolist() == [[0, 0], [3, -1]]
    with pytest.raises(ValueError, match="without points"):
        weights_along([])


def test_the_ratio_is_of_lambda_to_lambda_max() -> None:
    fit = METHODS[0].fit(TRAINING, TRAINING.lam_at(0.25))
    assert ratio_of(PathPoint(fit, {})) == pytest.approx(0.25)


DATA = ranking_problem(4, n_queries=12, n_features=10)
METHOD = get_method("best-subset")
TRAINING_OVER_K = METHOD.training(DATA)
LAM = TRAINING_OVER_K.lam_at(0.003)
SIZES = range(1, 7)


def optimum(k: int) -> float:
    return METHOD.fit(TRAINING_OVER_K, LAM, parameters={"k": float(k)}).result.objective


def test_every_model_is_the_best_of_its_size_and_every_band_holds_it() -> None:
    path = PathOverK(METHOD, TRAINING_OVER_K, LAM, SIZES)
    best = [optimum(k) for k in SIZES]
    seen = 0
    lowest = np.full(len(SIZES), -np.inf)
    while not path.done:
        path.advance()
        bounds = [bound_of(point.fit) for point in path.points]
        reached = [point.fit.result.objective for point in path.points]
        assert len(reached) >= seen
        seen = len(reached)
        for bound, objective, known in zip(bounds, reached, best, strict=False):
            assert bound is not None
            assert bound <= known * (1.0 + 1e-5)
            assert objective >= known * (1.0 - 1e-5)
        assert np.all(np.diff(reached) <= 0.0)
        assert np.all(np.diff(np.array(bounds, dtype=float)) <= 1e-15)
        assert np.all(np.array(bounds, dtype=float) >= lowest[:seen] - 1e-12)
        lowest[:seen] = np.array(bounds, dtype=float)
    assert [point.fit.parameters["k"] for point in path.points] == list(SIZES)
    assert [point.fit.result.objective for point in path.points] == pytest.approx(best, rel=1e-5)
    assert {point.fit.result.stop for point in path.points} == {"converged"}
    assert path.share == 1.0


def test_a_band_stands_over_every_k_before_the_first_search() -> None:
    path = PathOverK(METHOD, TRAINING_OVER_K, LAM, SIZES)
    for _ in SIZES:
        path.advance()
    assert len(path.points) == len(SIZES)
    assert {point.fit.result.stop for point in path.points} <= {"stopped", "converged"}
    for point in path.points:
        assert point.fit.result.certificate.relative < 0.6
        assert point.fit.result.nonzero <= point.fit.parameters["k"]


def test_searches_that_a_limit_has_ended_go_on() -> None:
    path = PathOverK(METHOD, TRAINING_OVER_K, LAM, SIZES, stop=Stop(tol=1e-5, max_steps=2))
    while not path.done:
        path.advance()
    assert "step limit" in {point.fit.result.stop for point in path.points}
    while any(point.fit.result.stop == "step limit" for point in path.points):
        path.extend()
        assert not path.done
        while not path.done:
            path.advance()
    objectives = [point.fit.result.objective for point in path.points]
    assert objectives == pytest.approx([optimum(k) for k in SIZES], rel=1e-5)


def test_it_measures_each_model_and_keeps_to_rules() -> None:
    judge = FoldJudge(Fold("Fold1", DATA), "standard")
    under = Rules.of(10, off=[0], forced=[3], helps=[5]).applied(METHOD)
    path = PathOverK(under, TRAINING_OVER_K, LAM, (1, 3), judge)
    while not path.done:
        path.advance()
    for point in path.points:
        assert point.fit.weights[0] == 0.0
        assert point.fit.weights[5] >= 0.0
        assert point.fit.result.nonzero <= point.fit.parameters["k"] + 1
        assert point.metrics["train"] == judge.metrics(point.fit.weights)["train"]


def test_selections_by_hand_have_a_path_over_k_too_and_others_say_that_they_have_none() -> None:
    path = PathOverK(get_method("forward"), TRAINING_OVER_K, LAM, (1, 2, 4))
    while not path.done:
        path.advance()
    assert [point.fit.result.nonzero for point in path.points] == [1, 2, 4]
    assert path.points[0].fit.result.objective >= optimum(1) * (1.0 - 1e-5)
    with pytest.raises(ValueError, match="no number of features k"):
        PathOverK(get_method("l1"), TRAINING_OVER_K, LAM, (1, 2))
    with pytest.raises(ValueError, match="rising"):
        PathOverK(METHOD, TRAINING_OVER_K, LAM, (2, 2))
