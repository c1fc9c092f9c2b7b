"""The curve that choosing C leaves: a measure of every part along a path.

The cloud of choices: every disc a model that some choice takes, the cross their mean.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

import core
from core.analysis.evaluation import FoldJudge, Judgement
from core.analysis.path import PathPoint
from core.analysis.path_views import ratio_of
from core.analysis.tuning.choice_noise import NoisyPath, PathNoise, path_choice
from core.data import Fold
from core.figures.path.choice_noise_picture import LARGEST_MARK, ChoiceNoisePicture, Noisy
from core.figures.path.tuning_picture import TunedChoice, TuningPicture
from core.figures.picture import Words
from tests.figures.samples.sample import path
from tests.oracles import ranking_problem
from tests.says import assert_says

FOLD = Fold("1", ranking_problem(0), ranking_problem(9), ranking_problem(4))


def curves(
    points: Sequence[PathPoint],
    best: PathPoint | None = None,
    others: Sequence[PathPoint] = (),
    noise: PathNoise | None = None,
) -> go.Figure:
    found = TunedChoice([*points, *others], best or points[0], complete=True, told=best is not None, noise=noise)
    return TuningPicture(FOLD, "log").drawing(found, Words(""))


@pytest.fixture(scope="module")
def points() -> list[PathPoint]:
    fitted = core.fit_path(ranking_problem(), "log", points=5, smallest_ratio=0.01).points
    return [
        PathPoint(point.fit, Judgement({part: {"MAP": k / 10 + s} for part, s in (("train", 0.2), ("vali", 0.1))}))
        for k, point in enumerate(fitted)
    ]


def test_every_part_is_a_line_over_lambda_named_at_its_end_with_the_best_point_marked(points: list[PathPoint]) -> None:
    figure = curves(points)
    assert [line.name for line in figure.data] == ["train", "validation"]
    for line, shift in zip(figure.data, (0.2, 0.1), strict=True):
        assert list(line.x) == pytest.approx([1.0, 10**-0.5, 0.1, 10**-1.5, 0.01])
        assert list(line.y) == [k / 10 + shift for k in range(5)]
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.xaxis.autorange == "reversed"
    ends = {note.text.strip(): note.y for note in figure.layout.annotations}
    assert ends == {"train": points[-1].metrics["train"]["MAP"], "validation": points[-1].metrics["vali"]["MAP"]}
    assert not figure.layout.shapes
    (best,) = curves(points, best=points[2]).layout.shapes
    assert best.x0 == best.x1 == pytest.approx(0.1)


def test_other_settings_are_faint_lines_of_the_validation_part_named_by_what_they_are(points: list[PathPoint]) -> None:
    others = [
        replace(one, fit=replace(one.fit, parameters=one.fit.parameters | {"epsilon": 0.5})) for one in points[:3]
    ]
    figure = curves(points, others=others)
    faint, *usual = figure.data
    assert (faint.name, faint.opacity, faint.line.dash) == ("epsilon = 0.5", 0.3, "dash")
    assert list(faint.y) == [point.metrics["vali"]["MAP"] for point in points[:3]]
    assert [line.name for line in usual] == ["train", "validation"]


def test_the_lowest_models_leave_the_picture_only_where_a_path_begins_with_next_to_nothing() -> None:
    """A dense path has no empty models; on its wide grid the middle may be the lowest, and it is seen."""
    for method_id, seen in (("l1", False), ("l2", True)):
        fitted = core.fit_path(ranking_problem(), method_id, points=6, smallest_ratio=0.01).points
        drawn = [
            PathPoint(point.fit, Judgement({"vali": {"MAP": value}}))
            for point, value in zip(fitted, (0.1, 0.9, 0.9, 0.9, 0.9, 0.9), strict=True)
        ]
        low, _ = curves(drawn).layout.yaxis.range
        assert (low <= 0.1) is seen


@pytest.fixture(scope="module")
def found() -> NoisyPath:
    points = list(core.fit_path(FOLD, points=12).points)
    noise = path_choice(points, FoldJudge(FOLD, "standard"), "MAP").noise
    assert noise is not None
    return NoisyPath(points, {"best": noise})


def test_every_model_that_is_taken_is_there_as_large_as_its_share(found: NoisyPath) -> None:
    picture = ChoiceNoisePicture([path("l1")])
    discs, cross, chosen = picture.drawing(Noisy({"l1": found}, {}), Words("")).data
    noise = found.noise["best"].noise
    drawn = noise.drawn
    places = sorted({*drawn.tolist(), noise.chosen})
    assert list(discs.x) == [found.points[place].fit.result.nonzero for place in places]
    assert list(discs.y) == [found.points[place].metrics["test"]["MAP"] for place in places]
    shares = [np.mean(drawn == place) for place in places]
    assert [(size / LARGEST_MARK) ** 2 for size in discs.marker.size] == pytest.approx([max(s, 0.002) for s in shares])
    tests = [found.points[place].metrics["test"]["MAP"] for place in drawn]
    assert (cross.y[0], cross.error_y.value) == (pytest.approx(np.mean(tests)), pytest.approx(np.std(tests, ddof=1)))
    sizes = [found.points[place].fit.result.nonzero for place in drawn]
    assert (cross.x[0], cross.error_x.value) == (pytest.approx(np.mean(sizes)), pytest.approx(np.std(sizes, ddof=1)))
    assert (chosen.x[0], chosen.y[0]) == (
        found.points[noise.chosen].fit.result.nonzero,
        found.points[noise.chosen].metrics["test"]["MAP"],
    )


def test_the_tuning_picture_has_a_stem_for_every_value_that_is_chosen_again(found: NoisyPath) -> None:
    noise = found.noise["best"]
    shares = zip(noise.noise.places, noise.noise.shares, strict=True)
    figure = curves(found.points, found.points[noise.noise.chosen], noise=noise)
    dots = next(trace for trace in figure.data if trace.name == "chosen again" and trace.mode == "markers")
    assert dict(zip(dots.x, dots.y, strict=True)) == {ratio_of(found.points[k]): share for k, share in shares if share}
    assert dots.yaxis == "y2"
    assert figure.layout.yaxis2.domain[1] < figure.layout.yaxis.domain[0]
    assert "yaxis2" not in curves(found.points).layout.to_plotly_json()


def test_the_picture_is_over_orders_and_the_official_value_is_on_hover(found: NoisyPath) -> None:
    """The empty model is a random order on every part; LETOR's script prints that of the file."""
    judge = FoldJudge(FOLD, "letor4")
    points = [PathPoint(point.fit, judge.judgement(point.fit.weights)) for point in found.points]
    lines = {trace.name: trace for trace in curves(points).data}
    empty = points[0].judgement
    for part, line in (("vali", lines["validation"]), ("test", lines["test"])):
        assert line.y[0] == empty.metrics[part]["MAP"] != empty.official[part]["MAP"]
        assert_says(line.text[0], f"{empty.official[part]['MAP']:.4f}", "order", "ties")
        assert "ties" not in line.text[-1]
    assert "ties" not in curves(found.points).data[0].text[0], "standard has one number"
