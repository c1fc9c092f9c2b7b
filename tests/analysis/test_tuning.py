"""C is chosen by the validation part alone, and the sparser model wins a tie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.tuning import best_on_validation
from core.data import DataError, Fold
from core.methods import METHODS
from tests.oracles import ranking_problem

TRAIN, VALI = ranking_problem(0), ranking_problem(0).take_queries(range(5))
FIT = METHODS[0].fit(METHODS[0].training(TRAIN), 0.1)


def point(lam: float, vali: float, others: float = 0.0) -> PathPoint:
    metrics = {part: {"MAP": others, "NDCG@10": 1.0 - vali} for part in ("train", "test")}
    return PathPoint(replace(FIT, lam=lam), {**metrics, "vali": {"MAP": vali, "NDCG@10": 1.0 - vali}})


def test_the_best_validation_value_wins_whatever_train_and_test_say() -> None:
    points = [point(0.3, 0.1, 0.9), point(0.2, 0.5, 0.0), point(0.1, 0.4, 1.0)]
    assert best_on_validation(points) is points[1]
    assert best_on_validation(points, "MAP") is points[1]


def test_the_measure_asked_for_decides_in_upper_or_lower_case() -> None:
    points = [point(0.3, 0.1), point(0.2, 0.5)]
    assert best_on_validation(points, "ndcg@10") is best_on_validation(points, "NDCG@10") is points[0]


@pytest.mark.parametrize("order", [1, -1], ids=["falling", "rising"])
def test_among_equals_the_largest_lambda_wins(order: int) -> None:
    points = [point(0.3, 0.2), point(0.2, 0.5), point(0.1, 0.5), point(0.05, 0.5)][::order]
    assert best_on_validation(points).fit.lam == 0.2


def path(fold: Fold) -> list[PathPoint]:
    training = METHODS[0].training(fold.train)
    return list(regularization_path(METHODS[0], training, lambda_grid(training.lam_max, 6), FoldJudge(fold, "letor4")))


def test_on_a_path_it_is_the_best_of_what_was_measured() -> None:
    points = path(Fold("1", TRAIN, VALI))
    chosen = best_on_validation(points, "ndcg@5")
    assert chosen.metrics["vali"]["NDCG@5"] == max(p.metrics["vali"]["NDCG@5"] for p in points)
    assert chosen.fit.weights.any()


def test_without_a_validation_part_there_is_nothing_to_choose_by() -> None:
    with pytest.raises(DataError, match="no validation part to choose C on"):
        best_on_validation(path(Fold("1", TRAIN, None, VALI)))


@pytest.mark.parametrize("measure", ["accuracy", "ndcg", "ndcg@0", ""])
def test_a_measure_that_is_not_there_is_refused(measure: str) -> None:
    with pytest.raises(ValueError, match="no measure"):
        best_on_validation([point(0.1, 0.5)], measure)


def test_a_measure_that_was_not_taken_is_refused_in_a_sentence() -> None:
    """NDCG@50 is a measure, but the points were judged up to rank 10."""
    with pytest.raises(ValueError, match="NDCG@50"):
        best_on_validation([point(0.1, 0.5)], "ndcg@50")


def test_no_points_are_no_choice() -> None:
    with pytest.raises(ValueError, match="point"):
        best_on_validation([])
