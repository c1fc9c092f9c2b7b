"""Paths by size, at one lambda, and the features that matter on several of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.path import PathPoint
from core.analysis.path_views import by_size, importance, most_important, nearest_point, ratio_of, weights_along
from core.methods import METHODS
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
