"""A path picture shows the path: its numbers, its marks, and the same feature in the same colour everywhere.

The curve that choosing C leaves: a measure of every part along a path.
The cloud of choices: every disc a model that some choice takes, the cross their mean.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

import core
from core.analysis.evaluation import FoldJudge, Judgement
from core.analysis.path import PathPoint
from core.analysis.path_views import most_important, ratio_of, weights_along
from core.analysis.tuning.choice_noise import NoisyPath, PathNoise, path_choice
from core.analysis.tuning.tuning import best_on_validation
from core.data import Fold
from core.figures.path.axes import Across, evenly, path_grid
from core.figures.path.choice_noise_picture import LARGEST_MARK, ChoiceNoisePicture, Noisy
from core.figures.path.lines import entered
from core.figures.path.path import PathPanel, Reference
from core.figures.path.picture import Paths, PathsPicture
from core.figures.path.tuning_picture import TunedChoice, TuningPicture
from core.figures.picture import Words
from core.methods import get_method
from core.models import ModelPath
from tests.figures.samples.sample import path
from tests.oracles import ranking_problem
from tests.says import assert_says

FOLD = core.Fold("1", ranking_problem(0), ranking_problem(1), ranking_problem(2))


def panel(method_id: str) -> PathPanel:
    points = core.fit_path(FOLD, method_id, points=8, smallest_ratio=0.01).points
    return PathPanel(get_method(method_id).title, points, best_on_validation(points, "MAP"), points[3])


PANELS = [panel("l1"), panel("log")]
COLOURED = most_important([p.points for p in PANELS], 4)


def path_figure(
    panels: list[PathPanel], coloured: Sequence[int], ratio: float | None = None, across: Across = "lambda"
) -> go.Figure:
    paths = [ModelPath(tuple(one.points), FOLD, "standard") for one in panels]
    picture = PathsPicture(paths, ratio=ratio, across=across, chosen=[one.chosen for one in panels])
    return picture.drawing(Paths(panels, coloured, Reference("a feature", 0.5)), Words("t"))


def lines_of(figure: go.Figure, name: str) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.name == name]


def feature(j: int) -> str:
    return f"{FOLD.train.feature_names[j]} (feature {j + 1})"


def vertical(figure: go.Figure, dash: str) -> list[float]:
    return [shape.x0 for shape in figure.layout.shapes if shape.x0 == shape.x1 and shape.line.dash == dash]


def test_every_weight_of_every_model_is_drawn_where_the_model_keeps_it() -> None:
    figure = path_figure(PANELS, COLOURED)
    before_it_enters = entered(np.array([0.0, 0.0, 1.0, 2.0, 0.0, 0.0]))
    assert np.array_equal(before_it_enters, [np.nan, 0, 1, 2, 0, np.nan], equal_nan=True)
    drawn = sum(np.count_nonzero(np.nan_to_num(trace.y)) for trace in figure.data if trace.yaxis in ("y", "y3"))
    assert drawn == sum(np.count_nonzero(weights_along(p.points)) for p in PANELS)
    for j in COLOURED:
        for trace in lines_of(figure, feature(j)):
            points = PANELS[0 if trace.yaxis == "y" else 1].points
            assert trace.x == pytest.approx([ratio_of(point) for point in points])
            assert np.nan_to_num(trace.y) == pytest.approx([point.fit.weights[j] for point in points])
            assert trace.customdata == pytest.approx([point.fit.c for point in points])


def test_a_feature_has_one_colour_and_no_dash_in_any_panel() -> None:
    figure = path_figure(PANELS, COLOURED)
    styles = {trace.name: (trace.line.color, trace.line.width) for trace in figure.data if "(feature" in trace.name}
    for trace in figure.data:
        if trace.name in styles:
            assert (trace.line.color, trace.line.width) == styles[trace.name]
            assert trace.line.dash is None, "a dash stands for the validation part"
    assert len(set(styles.values())) == len(styles) == len(COLOURED)


def test_the_measure_is_drawn_on_every_part_beneath() -> None:
    figure = path_figure(PANELS, COLOURED)
    for name, part in (("train", "train"), ("validation", "vali"), ("test", "test")):
        for trace, shown in zip(lines_of(figure, name), PANELS, strict=True):
            assert list(trace.y) == [point.judgement.metrics[part]["MAP"] for point in shown.points]


def test_solid_lines_stand_at_the_chosen_c_and_dashed_ones_where_validation_is_best() -> None:
    figure = path_figure(PANELS, COLOURED, 0.123)
    assert vertical(figure, "solid") == [0.123] * 4
    assert vertical(figure, "dash") == pytest.approx(np.repeat([ratio_of(p.best) for p in PANELS if p.best], 2))
    words = [note.text for note in figure.layout.annotations]
    for shown in PANELS:
        assert shown.chosen is not None
        assert any(w.startswith(f"chosen:<br>{shown.chosen.fit.result.nonzero} feature") for w in words)


def test_axes_are_shared_and_the_model_grows_to_the_right() -> None:
    layout = path_figure(PANELS, COLOURED).layout
    assert [layout.xaxis3.matches, layout.xaxis2.matches, layout.yaxis3.matches, layout.yaxis4.matches] == [
        "x", "x", "y", "y2",
    ]  # fmt: skip
    left, right = layout.xaxis.range
    assert left > 0.0 > math.log10(0.01) > right
    # The axis reaches for a chosen C just beyond the path, but not for a distant one.
    assert path_figure(PANELS, COLOURED, 2e-3).layout.xaxis.range[1] < math.log10(2e-3)
    assert path_figure(PANELS, COLOURED, 1e-9).layout.xaxis.range[1] > -2.1


def test_over_features_every_size_has_one_model() -> None:
    for trace in lines_of(path_figure(PANELS, COLOURED, across="features"), "test"):
        assert np.all(np.diff(trace.x) > 0)


def test_a_zoom_stays_while_c_moves_and_goes_with_the_axis() -> None:
    views: list[tuple[float, Across]] = [(0.1, "lambda"), (0.2, "lambda"), (0.1, "features")]
    here, elsewhere, by_size = (path_figure(PANELS, COLOURED, *view).layout.uirevision for view in views)
    assert here == elsewhere != by_size


def test_one_panel_an_empty_path_and_a_fold_without_other_parts_can_be_drawn() -> None:
    empty = PANELS[0].points[0]
    alone = PathPoint(empty.fit, Judgement({"train": empty.metrics["train"]}))
    figure = path_figure([PathPanel("ℓ1", [alone])], [])
    assert [trace.name for trace in figure.data] == ["train"]
    other = PathPoint(empty.fit, Judgement({"test": empty.metrics["test"]}))
    assert len(path_figure([PathPanel("ℓ1", [other])] * 4, []).data) == 4


def test_numbers_along_the_top_keep_their_distance() -> None:
    assert evenly([0.0], 7) == [0]
    assert len(evenly(list(np.linspace(0, 1, 50)), 7)) == 7
    assert evenly([0.0, 0.49, 0.51, 1.0], 3) in ([0, 1, 3], [0, 2, 3], [1], [1, 3], [2])


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_cells_do_not_overlap(n: int) -> None:
    cells = path_grid(n, 53).cells
    for k, cell in enumerate(cells):
        assert 0.0 <= cell.metric[0] < cell.metric[1] < cell.weights[0] < cell.weights[1] <= 1.0
        assert 0.0 <= cell.left < cell.right <= 1.0 + 1e-12
        for other in cells[k + 1 :]:
            beside = other.left > cell.right
            assert beside or other.weights[1] < cell.metric[0]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_two_rows_fit_a_laptops_window_and_only_the_lowest_has_an_axis(n: int) -> None:
    panels = [*PANELS, *PANELS][:n]
    figure = path_figure(panels, COLOURED)
    assert figure.layout.height < 850, "a picture as high as the window is shrunk to 62 % of this at most"
    across = [figure.layout[f"xaxis{2 * k}"] for k in range(1, n + 1)]
    assert sum(axis.title.text == "← fewer features · λ/λ_max · more →" for axis in across) == min(n, 2)
    assert sum(axis.showticklabels is False for axis in across) == n - min(n, 2)
    assert (figure.layout.yaxis.title.text, figure.layout.yaxis2.title.text[:3]) == ("weight", "MAP")
    assert sum(note.text == "features kept" for note in figure.layout.annotations) == min(n, 2)


TUNED = Fold("1", ranking_problem(0), ranking_problem(9), ranking_problem(4))


def curves(
    points: Sequence[PathPoint],
    best: PathPoint | None = None,
    others: Sequence[PathPoint] = (),
    noise: PathNoise | None = None,
) -> go.Figure:
    found = TunedChoice([*points, *others], best or points[0], complete=True, told=best is not None, noise=noise)
    return TuningPicture(TUNED, "log").drawing(found, Words(""))


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
    points = list(core.fit_path(TUNED, points=12).points)
    noise = path_choice(points, FoldJudge(TUNED, "standard"), "MAP").noise
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
    judge = FoldJudge(TUNED, "letor4")
    points = [PathPoint(point.fit, judge.judgement(point.fit.weights)) for point in found.points]
    lines = {trace.name: trace for trace in curves(points).data}
    empty = points[0].judgement
    for part, line in (("vali", lines["validation"]), ("test", lines["test"])):
        assert line.y[0] == empty.metrics[part]["MAP"] != empty.official[part]["MAP"]
        assert_says(line.text[0], f"{empty.official[part]['MAP']:.4f}", "order", "ties")
        assert "ties" not in line.text[-1]
    assert "ties" not in curves(found.points).data[0].text[0], "standard has one number"
