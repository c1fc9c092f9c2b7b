"""A path filled in: coarse to fine, by the rule of every path, and complete levels only."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.finer_path import FinerPath, levels
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.path_run import PathRun
from core.data import Fold
from core.methods import METHODS, Training, get_method
from tests.oracles import ranking_problem

POINTS = 5


def path(method_id: str, points: int = POINTS) -> tuple[list[PathPoint], Training, FoldJudge]:
    fold = Fold("1", train=ranking_problem(1), vali=ranking_problem(2), test=ranking_problem(3))
    judge = FoldJudge(fold, "standard")
    method = get_method(method_id)
    training = method.training(fold.train)
    return (
        list(regularization_path(method, training, lambda_grid(training.lam_max, points, 1e-2), judge)),
        training,
        judge,
    )


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
    points, training, judge = path(method_id)
    finer = FinerPath(points, training, judge, most=4 * POINTS - 3)
    while not finer.done:
        finer.advance()
    at_once = path(method_id, 4 * POINTS - 3)[0]
    assert len(finer.whole) == len(at_once)
    for filled, wanted in zip(finer.whole, at_once, strict=True):
        assert filled.fit.lam == pytest.approx(wanted.fit.lam)
        assert filled.fit.weights == pytest.approx(wanted.fit.weights, abs=1e-3)
        assert filled.metrics.keys() == wanted.metrics.keys()


def test_a_path_is_the_same_object_until_it_has_more_models() -> None:
    """Its digest is then found once (`core.content.Series`)."""
    points, training, judge = path("log")
    finer, run = FinerPath(points, training, judge, most=4 * POINTS - 3), PathRun(iter(points), POINTS)
    for work, known in ((finer, lambda: finer.whole), (run, lambda: run.points)):
        seen = [known()]
        while not work.done:
            work.advance()
            assert (known() is seen[-1]) == (len(known()) == len(seen[-1]))
            assert known() is known()
            seen.append(known())
        assert len(seen[-1]) > len(seen[0])
        assert not {"_series", "_whole"} & vars(work.snapshot()).keys(), "a snapshot sends its models once"


def test_no_answer_depends_on_which_models_of_the_path_are_known() -> None:
    """Only a convex method may start from the model before."""
    assert all(method.convex for method in METHODS if method.path_start == "previous")


def test_a_level_is_shown_once_it_is_complete() -> None:
    points, training, judge = path("log")
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
    points, training, judge = path("log")
    pace = float(np.mean([point.fit.result.seconds for point in points]))
    finer = FinerPath(points, training, judge, most=17, level_seconds=5 * pace)
    assert finer.total == 4
    assert FinerPath([], training, judge).done
