"""The curve that choosing C leaves: a measure of every part along a path.

The cloud of choices: every disc a model that some choice takes, the cross their mean.
"""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, lambda_grid, regularization_path
from core.analysis.tuning.choice_noise import path_choice
from core.data import Fold
from core.figures.path.choice_noise_picture import HEIGHT, LABEL_PIXELS, LARGEST_MARK, NoisyChoice, choice_noise_figure
from core.figures.path.tuning import metric_path_figure
from core.methods import get_method
from tests.oracles import ranking_problem
from tests.says import assert_says


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


@pytest.fixture(scope="module")
def found() -> NoisyChoice:
    fold = Fold("1", ranking_problem(0), ranking_problem(9), ranking_problem(4))
    method, judge = get_method("l1"), FoldJudge(fold, "standard")
    training = method.training(fold.train)
    points = list(regularization_path(method, training, lambda_grid(training.lam_max, 12), judge))
    noise = path_choice(points, judge, "MAP").noise
    assert noise is not None
    return NoisyChoice("ℓ1", points, noise)


def test_every_model_that_is_taken_is_there_as_large_as_its_share(found: NoisyChoice) -> None:
    figure = choice_noise_figure({"l1": found}, "MAP", convention="standard")
    cloud, cross, chosen = figure.data
    drawn = found.noise.noise.drawn
    places = sorted({*drawn.tolist(), found.noise.noise.chosen})
    assert list(cloud.x) == [found.points[place].fit.result.nonzero for place in places]
    assert list(cloud.y) == [found.points[place].metrics["test"]["MAP"] for place in places]
    shares = [np.mean(drawn == place) for place in places]
    assert [(size / LARGEST_MARK) ** 2 for size in cloud.marker.size] == pytest.approx([max(s, 0.002) for s in shares])
    tests = [found.points[place].metrics["test"]["MAP"] for place in drawn]
    assert (cross.y[0], cross.error_y.value) == (pytest.approx(np.mean(tests)), pytest.approx(np.std(tests, ddof=1)))
    sizes = [found.points[place].fit.result.nonzero for place in drawn]
    assert (cross.x[0], cross.error_x.value) == (pytest.approx(np.mean(sizes)), pytest.approx(np.std(sizes, ddof=1)))
    assert (chosen.x[0], chosen.y[0]) == (
        found.points[found.noise.noise.chosen].fit.result.nonzero,
        found.points[found.noise.noise.chosen].metrics["test"]["MAP"],
    )


def test_the_tuning_picture_has_a_stem_for_every_value_that_is_chosen_again(found: NoisyChoice) -> None:
    shares = {1.0: 0.0, 0.1: 0.75, 0.01: 0.25}
    figure = metric_path_figure(found.points, "MAP", chosen_again=shares)
    dots = next(trace for trace in figure.data if trace.name == "chosen again" and trace.mode == "markers")
    assert dict(zip(dots.x, dots.y, strict=True)) == {0.1: 0.75, 0.01: 0.25}
    assert dots.yaxis == "y2"
    assert figure.layout.yaxis2.domain[1] < figure.layout.yaxis.domain[0]
    assert "yaxis2" not in metric_path_figure(found.points, "MAP").layout.to_plotly_json()


def test_the_picture_is_over_orders_and_the_official_value_is_on_hover(found: NoisyChoice) -> None:
    """The empty model is a random order on every part; LETOR's script prints that of the file."""
    judge = FoldJudge(Fold("1", ranking_problem(0), ranking_problem(9), ranking_problem(4)), "letor4")
    points = [PathPoint.of(point.fit, judge.judgement(point.fit.weights)) for point in found.points]
    lines = {trace.name: trace for trace in metric_path_figure(points, "MAP").data}
    empty = points[0].judgement
    for part, line in (("vali", lines["validation"]), ("test", lines["test"])):
        assert line.y[0] == empty.metrics[part]["MAP"] != empty.official[part]["MAP"]
        assert_says(line.text[0], f"{empty.official[part]['MAP']:.4f}", "order", "ties")
        assert "ties" not in line.text[-1]
    assert "ties" not in metric_path_figure(found.points, "MAP").data[0].text[0], "standard has one number"


def test_names_at_the_right_never_cover_each_other(found: NoisyChoice) -> None:
    alike = dict.fromkeys(("l1", "log", "mcp", "l0.5"), found)
    figure = choice_noise_figure(alike, "MAP", convention="standard")
    heights = [y for trace in figure.data for y in trace.y]
    gap = LABEL_PIXELS / HEIGHT * (max(heights) - min(heights))
    places = sorted(note.y for note in figure.layout.annotations if note.xanchor == "left" and note.text == "ℓ1")
    assert len(places) == 4
    assert np.all(np.diff(places) >= gap * (1 - 1e-9))
    assert min(heights) <= places[0] <= places[-1] <= max(heights)
