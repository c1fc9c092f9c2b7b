"""The curve that choosing C leaves: a measure of every part along a path."""

from __future__ import annotations

import pytest

from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.figures.path.tuning import metric_path_figure
from core.methods import get_method
from tests.oracles import ranking_problem


@pytest.fixture(scope="module")
def points() -> list[PathPoint]:
    method = get_method("log")
    training = method.training(ranking_problem())
    fitted = regularization_path(method, training, lambda_grid(training.lam_max, 5, 0.01))
    return [
        PathPoint(point.fit, {part: {"MAP": k / 10 + shift} for part, shift in (("train", 0.2), ("vali", 0.1))})
        for k, point in enumerate(fitted)
    ]


def test_every_part_is_a_line_over_the_share_of_lambda_max(points: list[PathPoint]) -> None:
    figure = metric_path_figure(points, "MAP")
    assert [line.name for line in figure.data] == ["train", "validation"]
    for line, shift in zip(figure.data, (0.2, 0.1), strict=True):
        assert list(line.x) == pytest.approx([1.0, 10**-0.5, 0.1, 10**-1.5, 0.01])
        assert list(line.y) == [k / 10 + shift for k in range(5)]
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.xaxis.autorange == "reversed"


def test_every_line_is_named_where_it_ends(points: list[PathPoint]) -> None:
    labels = {note.text.strip(): note.y for note in metric_path_figure(points, "MAP").layout.annotations}
    assert labels == {"train": points[-1].metrics["train"]["MAP"], "validation": points[-1].metrics["vali"]["MAP"]}


def test_the_best_point_is_marked(points: list[PathPoint]) -> None:
    assert not metric_path_figure(points, "MAP").layout.shapes
    (mark,) = metric_path_figure(points, "MAP", best=points[2]).layout.shapes
    assert mark.x0 == mark.x1 == pytest.approx(0.1)


def test_other_settings_are_faint_lines_of_the_validation_part_named_by_what_they_are(points: list[PathPoint]) -> None:
    figure = metric_path_figure(points, "MAP", others=[points[:3]])
    faint, *usual = figure.data
    assert (faint.name, faint.opacity, faint.line.dash) == ("epsilon = 0.1", 0.3, "dash")
    assert list(faint.y) == [point.metrics["vali"]["MAP"] for point in points[:3]]
    assert [line.name for line in usual] == ["train", "validation"]


def test_the_lowest_models_leave_the_picture_only_where_a_path_begins_with_next_to_nothing() -> None:
    """A dense path has no empty models; on its wide grid the middle may be the lowest, and it is seen."""
    for method_id, seen in (("l1", False), ("l2", True)):
        method = get_method(method_id)
        training = method.training(ranking_problem())
        fitted = regularization_path(method, training, lambda_grid(training.lam_max, 6, 0.01))
        drawn = [
            PathPoint(point.fit, {"vali": {"MAP": value}})
            for point, value in zip(fitted, (0.1, 0.9, 0.9, 0.9, 0.9, 0.9), strict=True)
        ]
        low, _ = metric_path_figure(drawn, "MAP").layout.yaxis.range
        assert (low <= 0.1) is seen
