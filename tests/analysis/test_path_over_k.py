"""A path over k proves every model, and says at every moment between what and what its objective is."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.features.rules import Rules
from core.analysis.path_over_k import PathOverK, bound_of
from core.data import Fold
from core.methods import get_method
from core.solvers import Stop
from tests.oracles import ranking_problem

DATA = ranking_problem(4, n_queries=12, n_features=10)
METHOD = get_method("best-subset")
TRAINING = METHOD.training(DATA)
LAM = TRAINING.lam_at(0.003)
SIZES = range(1, 7)


def optimum(k: int) -> float:
    return METHOD.fit(TRAINING, LAM, parameters={"k": float(k)}).result.objective


def test_every_model_is_the_best_of_its_size_and_every_band_holds_it() -> None:
    path = PathOverK(METHOD, TRAINING, LAM, SIZES)
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
    path = PathOverK(METHOD, TRAINING, LAM, SIZES)
    for _ in SIZES:
        path.advance()
    assert len(path.points) == len(SIZES)
    assert {point.fit.result.stop for point in path.points} <= {"stopped", "converged"}
    for point in path.points:
        assert point.fit.result.certificate.relative < 0.6
        assert point.fit.result.nonzero <= point.fit.parameters["k"]


def test_searches_that_a_limit_has_ended_go_on() -> None:
    path = PathOverK(METHOD, TRAINING, LAM, SIZES, stop=Stop(tol=1e-5, max_steps=2))
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
    path = PathOverK(under, TRAINING, LAM, (1, 3), judge)
    while not path.done:
        path.advance()
    for point in path.points:
        assert point.fit.weights[0] == 0.0
        assert point.fit.weights[5] >= 0.0
        assert point.fit.result.nonzero <= point.fit.parameters["k"] + 1
        assert point.metrics["train"] == judge.metrics(point.fit.weights)["train"]


def test_selections_by_hand_have_a_path_over_k_too_and_others_say_that_they_have_none() -> None:
    path = PathOverK(get_method("forward"), TRAINING, LAM, (1, 2, 4))
    while not path.done:
        path.advance()
    assert [point.fit.result.nonzero for point in path.points] == [1, 2, 4]
    assert path.points[0].fit.result.objective >= optimum(1) * (1.0 - 1e-5)
    with pytest.raises(ValueError, match="no number of features k"):
        PathOverK(get_method("l1"), TRAINING, LAM, (1, 2))
    with pytest.raises(ValueError, match="rising"):
        PathOverK(METHOD, TRAINING, LAM, (2, 2))
