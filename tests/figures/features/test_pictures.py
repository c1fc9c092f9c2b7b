"""Pictures of labels and of a feature's values draw shares of the documents that they name.

The heat map of similarity: every cell is the similarity of the two features that its row and column name.
The dot plot of single features draws the numbers it is given, in their order, against chance.
The picture of stability selection, alike in a notebook and on the page.
The pictures of kept features move together with C, by the same frames; what is said of those that have no row.
"""

import json
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

import core
from core.analysis.dataset.distribution import feature_distribution
from core.analysis.features.random_ranking import Band, DrawnValues
from core.analysis.features.similarity import Similarity, pearson
from core.analysis.features.single_feature import SingleFeatureScore, single_feature_scores
from core.api import pictures
from core.data import RankingData
from core.figures.drag.drag import Hand
from core.figures.features.distributions import level_colours
from core.figures.features.selection import SelectionDrags, along_c_figure, rowless_words
from core.figures.features.similarity import similarity_figure
from core.figures.picture import Words
from core.metrics.measures import MeasureName
from tests.figures.samples.sample import fold, named, short_path
from tests.figures.samples.sample import hand as short_path_hand
from tests.says import assert_says

VALUES = np.array([0.0, 0.0, 0.5, 1.0, 0.5, 1.0])
DATA = RankingData.build(VALUES[:, None], [0, 0, 0, 0, 2, 2], [0, 6], feature_names=["BM25"])


def test_bars_are_shares_of_all_documents_and_say_how_many():
    card = SimpleNamespace(levels=[(0, 1500), (1, 400), (4, 100)])
    (bars,) = pictures.relevance_levels(DATA).drawing(card, Words("")).data
    assert list(bars.x) == [75.0, 20.0, 5.0]
    assert list(bars.y) == ["0", "1", "4"]
    assert list(bars.text) == ["1,500", "400", "100"]


def test_a_cumulative_curve_rises_from_the_lowest_to_the_highest_value():
    low, high = pictures.feature_values(DATA, 1).figure.data
    assert (low.name, high.name) == ("relevance 0 (4)", "relevance 2 (2)")
    assert list(low.x) == [0.0, 0.0, 0.5, 1.0]
    assert list(high.x) == [0.5, 1.0]
    assert (low.y[0], low.y[-1]) == (0.0, 100.0)
    assert (low.line.color, low.line.dash) != (high.line.color, high.line.dash)
    assert len(set(level_colours(5))) == 5


def test_the_outline_of_a_histogram_encloses_all_documents_of_its_level():
    picture = pictures.feature_values(DATA, 1, shape="histogram")
    figure = picture.drawing(feature_distribution(DATA, 0, n_bins=4), Words(""))
    for line in figure.data:
        # Up, along, down: every bin is drawn by two points of the same height between the zeros at the ends.
        assert sum(line.y[1:-1:2]) == pytest.approx(100.0)
        assert (line.y[0], line.y[-1]) == (0.0, 0.0)
    assert list(figure.data[0].x[::2]) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert list(figure.data[0].y[1:-1:2]) == [50.0, 0.0, 25.0, 25.0]


def features(n: int) -> Similarity:
    rng = np.random.default_rng(1)
    return pearson(RankingData.build(rng.normal(size=(60, n)) + rng.normal(size=(60, 1)), np.arange(60) % 2, [0, 60]))


def test_cells_are_named_by_the_features_they_compare():
    found = features(9)
    names = [f"f{j}" for j in range(8)] + ["f0"]  # a name that comes twice
    (heat,) = similarity_figure(found, names).data
    assert list(heat.x) == list(heat.y)
    assert sorted(heat.x) == sorted(f"{j + 1} {name}" for j, name in enumerate(names))
    numbers = [int(label.split()[0]) - 1 for label in heat.y]
    assert heat.z == pytest.approx(found.values[np.ix_(numbers, numbers)], abs=1e-6)
    assert (heat.zmin, heat.zmax) == (-1.0, 1.0)
    opacities = [(stop, float(colour.rstrip(")").split(",")[-1])) for stop, colour in heat.colorscale]
    assert opacities == [(0.0, 1.0), (0.5, 0.0), (0.5, 0.0), (1.0, 1.0)], "as strong for -1 as for 1"


def test_many_features_make_a_picture_of_bounded_size_and_one_for_a_window_names_every_second() -> None:
    figure = similarity_figure(features(700), [f"f{j}" for j in range(700)])
    assert figure.layout.height < 1000
    assert not figure.layout.yaxis.showticklabels
    assert len(json.dumps(figure.to_plotly_json(), default=lambda array: array.tobytes().hex())) < 8_000_000
    small, whole = (similarity_figure(features(54), list("f" * 54), every_name=every) for every in (False, True))
    assert len(whole.layout.yaxis.ticktext) == 54
    assert list(small.layout.yaxis.ticktext) == list(whole.layout.yaxis.ticktext)[::2]
    assert small.layout.height < whole.layout.height
    assert small.data[0].z.shape == (54, 54)


BAND = Band(expected=0.3, low=0.25, high=0.35)
WEIGHTS = DrawnValues(mean=0.45, low=0.4, high=0.5)
SCORES = [
    SingleFeatureScore(1, "length", 0.2, 0.25, 0.5, 0.4, 0.2, 0.25),
    SingleFeatureScore(2, "BM25", 0.6, 0.55, 0.1, 0.15, 0.6, 0.55),
    SingleFeatureScore(3, "TF", 0.4, 0.57, 0.2, 0.12, 0.4, 0.57),
    SingleFeatureScore(4, "nothing", 0.9, 0.9, 0.9, 0.9, 0.9, 0.9),
]


def alone(
    scores: list[SingleFeatureScore], measure: MeasureName = "NDCG@10", constant: Collection[int] = (), most: int = 30
) -> go.Figure:
    order, weights = (SimpleNamespace(of=lambda _, chance=chance: chance) for chance in (BAND, WEIGHTS))
    found = SimpleNamespace(scores=scores, order=order, weights=weights, cannot_rank=constant)
    return pictures.single_features(DATA, measure=measure, most=most).drawing(found, Words(""))


@pytest.mark.parametrize(
    ("measure", "order", "values"),
    [("NDCG@10", ["4", "2", "3", "1"], (0.9, 0.6, 0.4, 0.2)), ("MAP", ["4", "3", "2", "1"], (0.9, 0.57, 0.55, 0.25))],
)
def test_dots_are_sorted_by_the_measure_best_on_top(measure, order, values):
    figure = alone(SCORES, measure, constant={4})
    dots = named(figure, "larger is better")
    assert list(dots.y) == order
    assert tuple(dots.x) == values
    assert list(figure.layout.yaxis.categoryarray) == order
    bottom, top = figure.layout.yaxis.range
    assert bottom > top, "the first row is on top"
    assert list(named(alone(SCORES, measure, most=2), "larger is better").y) == order[:2]


def test_beside_both_kinds_of_chance_and_the_best_some_are_better_in_reverse_and_a_constant_one_is_hollow():
    figure = alone(SCORES, constant={4})
    assert list(named(figure, "larger is better").marker.symbol) == ["circle-open", "circle", "circle", "circle"]
    marks = named(figure, "smaller is better")
    assert (list(marks.y), list(marks.x)) == (["1"], [0.5])
    assert [(shape.type, shape.x0, shape.x1) for shape in figure.layout.shapes] == [
        ("rect", 0.25, 0.35), ("line", 0.3, 0.3), ("line", 0.45, 0.45), ("line", 0.6, 0.6),
    ]  # fmt: skip
    chance = ["random order 0.3000", "random weights 0.4500"]
    assert [note.text.strip() for note in figure.layout.annotations] == [*chance, "best 0.6000"]
    turned = alone(SCORES[:1]).layout.annotations
    assert [note.text.strip() for note in turned] == [*chance, "best 0.5000"], "the best may be one in reverse"


def test_the_title_names_the_method_and_the_subtitle_where_features_are_counted() -> None:
    fold = core.open_dataset("planted").fold(1)
    model = core.fit(fold, "log", lambda_ratio=0.2)
    picture = pictures.stability(fold, "log", lambda_ratio=0.2, samples=3)
    words, table = picture.words(picture.found), picture.table
    stable = ((table["weight"] != 0.0) & (table["share of resamples"] >= 0.8)).sum()
    assert_says(words.title, f"{len(model.features)}", "log", f"{stable}")
    assert_says(words.subtitle, "80%", "3", "bootstrap", "0.2 λ_max", "one standard error")
    along = pictures.stability(fold, "log", lambda_ratio=0.2, samples=3, points=4)
    assert "down to the chosen C" in along.words(along.found).subtitle


def test_a_session_finds_the_samples_of_another_by_what_they_are_drawn_from() -> None:
    one, other = (pictures.stability(core.open_dataset("planted").fold(1), "l1", seed=3) for _ in range(2))
    assert one.counts["samples"].key == other.counts["samples"].key
    others = [{"seed": 4}, {"sampling": "halves"}, {"points": 2}, {"off": [1]}, {"C": 0.1}, {"tol": 1e-2}]
    keys = {pictures.stability(one.fold, "l1", **({"seed": 3} | change)).counts["samples"].key for change in others}
    assert len(keys | {one.counts["samples"].key}) == len(others) + 1


ROWS = [2, 0, 5]


def drags() -> SelectionDrags:
    frames = short_path_hand().frames
    hand = Hand(frames, frames[3], "#123456", "one path", best=0.1)
    return SelectionDrags(hand, ROWS, "test", "NDCG@10")


def test_bars_have_the_weights_of_every_frame_in_their_rows() -> None:
    frames = short_path_hand().frames
    drag = drags().in_weights()
    assert [bar.row for bar in drag.bars] == [0.0, 1.0, 2.0]
    for bar, j in zip(drag.bars, ROWS, strict=True):
        assert bar.length.at.tolist() == [frame.weights[j] for frame in frames]
        assert bar.length.now == frames[3].weights[j]
    low, high = drags().reach
    drawn = np.array([frame.weights[ROWS] for frame in frames])
    assert (low, high) == (min(drawn.min(), 0.0), drawn.max())
    still = SelectionDrags(Hand([], frames[3], "#123456"), ROWS, "test", "NDCG@10").in_weights()
    assert [bar.length.now for bar in still.bars] == [frames[3].weights[j] for j in ROWS]
    assert len(still.bars[0].length.at) == 0, "without frames nothing moves"


def test_a_feature_is_filled_at_the_frames_that_keep_it_and_the_model_stands_at_its_measure() -> None:
    frames, scores = short_path_hand().frames, single_feature_scores(fold().test, "standard")
    together, *features = drags().in_single_features(scores).dots
    assert together.across.at.tolist() == [frame.judgement.metrics["test"]["NDCG@10"] for frame in frames]
    for row, (dot, j) in enumerate(zip(features, ROWS, strict=True)):
        assert list(dot.shown.at.astype(bool)) == [bool(frame.weights[j]) for frame in frames]
        assert (dot.across.now, dot.up.now) == (scores[j].ndcg_at_10, row)


def test_the_handle_stands_in_the_strip() -> None:
    points, frames = short_path().points, short_path_hand().frames
    strip = drags().in_strip()
    (line,) = strip.marks
    assert (line.x, line.y) == ("xaxis", "yaxis")
    assert line.across.at.tolist() == [frame.ratio for frame in frames]
    figure = along_c_figure(points, "NDCG@10", title="")
    assert [list(line.x) for line in figure.data] == [[point.fit.lam / point.fit.lam_max for point in points]] * 3


def frame(c: float, *weights: float) -> Any:
    return SimpleNamespace(c=c, weights=np.array(weights), fewest=None)


def hand() -> Any:
    return SimpleNamespace(now=frame(1.5, 0.0, 2.0, 3.0), frames=[frame(1.0, 0.0, 0.0, 0.0), frame(2.0, 1.0, 2.0, 3.0)])


def test_they_are_counted_at_the_chosen_c_and_at_every_frame() -> None:
    of = hand()
    words = rowless_words(of, [1])
    assert words(of.now) == "1 more kept feature has no row here"
    assert [words(one) for one in of.frames] == ["", "2 more kept features have no row here"]
