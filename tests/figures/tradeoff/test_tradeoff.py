"""The trade-off as drawn: values of the part shown, chosen on another, each point with the model it stands for.

On a trade-off C moves along one method's curve: the line stands at what the models keep and reach.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.path_frames import Frame
from core.analysis.tradeoff.fold_tradeoff import Spread, by_limit
from core.api import pictures
from core.data import open_dataset
from core.figures.drag.drag import Drag, Hand
from core.figures.look.style import METHOD_STYLES
from core.figures.picture import Words
from core.figures.tradeoff.axes import COST, HORIZONTALS, Across, Curves, View, tradeoff_drawing
from core.figures.tradeoff.over_folds import TradeoffMeans, TradeoffOverFolds
from core.solvers import Certificate
from tests.figures.samples.sample import named, path, sized
from tests.says import assert_says

TITLES = {"l1": "ℓ1", "log": "log"}


L1 = [sized("l1", 2, 0.3, 0.31, 1.0), sized("l1", 5, 0.5, 0.45, 2.0), sized("l1", 9, 0.4, 0.55, 3.0)]
LOG = [sized("log", 1, 0.2, 0.22, 4.0), sized("log", 3, 0.6, 0.58, 5.0)]
CURVES = {"l1": L1, "log": LOG}


def view(part: str = "test", horizontal: Any = "features kept", log: bool = False) -> View:
    return View(part, "MAP", Across(horizontal, 20, log), "standard")


def drawn(curves: Curves, view: View, titles: Mapping[str, str], **how: Any) -> go.Figure:
    return tradeoff_drawing(curves, view, titles, **how).figure()


def test_a_line_goes_through_what_validation_would_choose() -> None:
    line = named(drawn(CURVES, view(), TITLES), "ℓ1")
    assert (list(line.x[:-1]), list(line.y)) == ([2, 5], [0.31, 0.45, 0.45])
    assert (line.line.shape, line.line.color, line.line.dash) == ("hv", METHOD_STYLES["l1"].colour, "solid")
    assert list(named(drawn(CURVES, view("vali"), TITLES), "ℓ1").y) == [0.3, 0.5, 0.5]


def test_every_point_carries_the_model_it_stands_for_and_the_band_its_values() -> None:
    figure = drawn(CURVES, view(), TITLES, star=LOG[1], band=(0.5, 0.6), current=L1[2], limit=4)
    assert [list(data) for data in named(figure, "log").customdata[:-1]] == [["log", 4.0], ["log", 5.0]]
    assert [list(data) for data in named(figure, "picked with at most 4 features").customdata] == [["log", 5.0]]
    assert list(named(figure, "the chosen model").x) == [9]
    (band,) = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert (band.y0, band.y1) == (0.5, 0.6)


@pytest.mark.parametrize("log", [False, True])
def test_against_the_sparsity_ratio_models_limit_and_axis_move_together(log: bool) -> None:
    figure = drawn(CURVES, view("test", "sparsity ratio", log), TITLES, limit=4)
    assert list(named(figure, "ℓ1").x[:-1]) == [0.1, 0.25]
    assert figure.layout.shapes[0].x0 == 0.2
    low, high = figure.layout.xaxis.range
    ends = (10**low, 10**high) if log else (low, high)
    assert ends[0] < 0.05
    assert ends[1] > 0.45  # where the last model of a path is
    assert figure.layout.xaxis.title.text == "sparsity ratio (of 20 features)"


@pytest.mark.parametrize("log", [False, True])
def test_against_the_cost_a_dear_feature_moves_its_models_and_the_picks_are_the_cheapest(log: bool) -> None:
    costs = (1.0, 1.0, 30.0, *[1.0] * 17)  # the third feature is dear: log keeps it, the smallest l1 model does not
    priced = View("test", "MAP", Across("cost of features", 20, log, costs), "standard")
    figure = drawn(CURVES, priced, TITLES, limit=4, current=L1[0])
    assert list(named(figure, "ℓ1").x[:-1]) == [2.0, 34.0]
    assert list(named(figure, "log").x[:-1]) == [1.0, 32.0]
    assert list(named(figure, "the chosen model").x) == [2.0]
    assert not [shape for shape in figure.layout.shapes if shape.type == "line"], "the limit counts features"
    assert_says(named(figure, "log").hovertext[1], "cost of its features", "32", "3 features")


def test_references_are_drawn_across_with_their_value_and_stay_in_sight() -> None:
    figure = drawn(CURVES, view(), TITLES, references={"best single feature": sized("x", 1, 0.1, 0.05)})
    assert set(named(figure, "best single feature").y) == {0.05}
    assert "best single feature: 0.0500" in [note.text for note in figure.layout.annotations]
    assert figure.layout.yaxis.range[0] < 0.05
    assert drawn({"l1": []}, view(), TITLES).layout.xaxis.title.text == "features kept (of 20)"


def test_the_subtitle_calls_the_line_of_the_limit_what_it_is() -> None:
    picture = pictures.tradeoff([path("l1")], limit=4)
    assert_says(picture.words(picture.found).subtitle, "at most 4 features", "thin dotted line")
    assert {shape.line.dash for shape in picture.figure.layout.shapes if shape.x0 == shape.x1} == {"dot"}


def test_without_costs_each_feature_costs_one() -> None:
    counted, priced = (pictures.tradeoff([path("l1")], against=what).figure for what in ("features kept", COST))
    assert list(priced.data[0].x) == list(counted.data[0].x)


def test_one_hopeless_model_does_not_flatten_the_others() -> None:
    many = [sized("l1", k, k / 100, 0.7 + k / 1000) for k in range(2, 22)]
    figure = drawn({"l1": [sized("l1", 1, 0.0, 0.1), *many]}, view(), TITLES)
    low, high = figure.layout.yaxis.range
    assert 0.1 < low < 0.702
    assert high > 0.721


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_where_all_models_rank_alike_the_axis_has_hundredths_not_millionths(value: float) -> None:
    low, high = drawn({"l1": [sized("l1", k, value, value) for k in (1, 2)]}, view(), TITLES).layout.yaxis.range
    assert low < value < high
    assert 0.01 < high - low < 0.5


def over_folds(**how: Any) -> TradeoffOverFolds:
    return pictures.tradeoff_over_folds(open_dataset("planted"), ["l1"], **how)


@pytest.mark.parametrize(("bars", "up", "down"), [("standard error", 0.1, 0.1), ("min–max", 0.1, 0.2), ("none", 0, 0)])
def test_bars_over_folds_reach_from_the_mean(bars: Any, up: float, down: float) -> None:
    folds = [[sized("l1", 2, 0.3, test)] for test in (0.3, 0.6, 0.6)]
    row = by_limit(folds, (2,), "test", "MAP")
    picture = over_folds(bars=bars, here={"l1": [sized("l1", 2, 0.3, 0.3, c=7.5)]})
    figure = picture.drawing(TradeoffMeans({"l1": row}, (), Spread(0.6, 0, 0.6, 0.6), None, []), Words(""))
    trace = named(figure, "ℓ1")
    assert (list(trace.x), list(trace.y)) == ([2.0], [pytest.approx(0.5)])
    assert list(trace.error_y.array) == [pytest.approx(up)]
    assert list(trace.error_y.arrayminus) == [pytest.approx(down)]
    assert trace.error_y.visible is (bars != "none")
    assert [list(data) for data in trace.customdata] == [["l1", 7.5]]
    assert set(named(figure, "all features (ℓ2, C by validation)").y) == {0.6}


def frame(ratio: float, kept: int, vali: float, test: float) -> Frame:
    weights = np.zeros(8)
    weights[:kept] = 1.0
    values = {"train": {"MAP": 0.9}, "vali": {"MAP": vali}, "test": {"MAP": test}}
    # On validation documents are tied, and LETOR's script prints another number there.
    judged = Judgement(values, {"vali": {"MAP": vali + 0.1}})
    return Frame(ratio, ratio, 1.0 / ratio, weights, judged, Certificate("duality gap", 0.0, 1e-7, among=""))


FRAMES = [frame(1.0, 0, 0.4, 0.3), frame(0.5, 2, 0.5, 0.45), frame(0.2, 2, 0.55, 0.5), frame(0.1, 5, 0.6, 0.48)]


def drag(part: str = "test", horizontal: int = 0) -> Drag:
    picture = pictures.tradeoff([path("l1")], part=part, against=HORIZONTALS[horizontal])
    hand = Hand(FRAMES, FRAMES[2], "#123456", "a path", best=0.2)
    return picture.moves(picture.found, hand)


def test_the_line_stands_at_what_is_kept_and_the_dot_at_what_is_reached() -> None:
    found = drag()
    (mark,), (dot,) = found.marks, found.dots
    assert mark.across.at.tolist() == [0.0, 2.0, 2.0, 5.0]
    assert mark.across.now == 2.0
    assert mark.up.at == pytest.approx([0.3, 0.45, 0.5, 0.48])
    assert dot.up.at.tolist() == mark.up.at.tolist()
    assert dot.across.at.tolist() == mark.across.at.tolist()
    assert dot.shown.at.tolist() == [0.0, 1.0, 1.0, 1.0], "the empty model ranks nothing"
    assert found.pauses == [2]
    on_choosing, by_share = drag("vali"), drag(horizontal=1)
    assert on_choosing.marks[0].up.at == pytest.approx([0.4, 0.5, 0.55, 0.6]), "as the curve, in expectation over ties"
    assert by_share.marks[0].across.at == pytest.approx([0.0, 2 / 60, 2 / 60, 5 / 60])
    assert len({found.identity, on_choosing.identity, by_share.identity}) == 3, "each another picture"
