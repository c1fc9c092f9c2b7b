"""The bars of a model: its non-zero weights, largest on top, each with its feature's name.

Dragging C over the weights: bars, words and readings at a frame are those of the model of that frame.
The bound beneath a search's objective never falls, stays beneath it, and is drawn for a search only.
Theory's slopes begin where the curves do and have the steepness that their names say.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest

import core
from core.figures.fit.convergence import Axes, Curve, across, convergence_drawing, guide_slopes
from core.figures.fit.picture import WeightsPicture, certificate_drag, rows_of, weights_figure
from core.figures.look.style import METHOD_STYLES, Words
from core.figures.path.lines import path_drag
from core.methods import get_method
from core.models import Model
from core.names.short import LONGEST
from tests.figures.samples.sample import fold, hand, short_path
from tests.oracles import ranking_problem

WEIGHTS = np.array([0.0, -3.0, 0.5, 0.0, 2.0])
NAMES = ["unused", "price", "age", "colour", "stars"]


def bars_of(weights: np.ndarray, names: Sequence[str], most: int = 40, method: str = "l1") -> go.Figure:
    fit = SimpleNamespace(weights=weights, feature_names=names, method=method)
    return weights_figure(fit, Words("", "weights"), most)


def test_non_zero_weights_are_drawn_from_the_bottom_up_by_size() -> None:
    figure = bars_of(WEIGHTS, NAMES, method="mcp")
    (bars,) = figure.data
    assert list(bars.x) == [0.5, 2.0, -3.0]
    assert list(bars.y) == ["3", "5", "2"]
    assert [name.strip() for name in figure.layout.yaxis.ticktext] == ["age", "stars", "price"]
    assert bars.marker.color == METHOD_STYLES["mcp"].colour
    opacity = bars.marker.opacity
    assert opacity[0] == opacity[1] > opacity[2], "the sign is told by more than the side"
    (same,) = bars_of(np.array([1.0, 2.0]), ["same", "same"]).data
    assert list(same.y) == ["1", "2"]
    (empty,) = bars_of(np.zeros(3), ["a", "b", "c"]).data
    assert len(empty.x) == 0


def test_of_many_features_the_largest_are_drawn_and_the_rest_counted() -> None:
    figure = bars_of(np.arange(1.0, 11.0), [f"f{k}" for k in range(10)], 4)
    assert list(figure.data[0].x) == [7.0, 8.0, 9.0, 10.0]
    assert "the table below has 6 smaller weights" in figure.layout.title.text


def test_a_long_name_is_cut_on_the_axis_and_whole_on_hover() -> None:
    name = "covered terms of the module's documentation, summary left out"
    figure = bars_of(np.array([1.0]), [name])
    (tick,) = figure.layout.yaxis.ticktext
    assert len(tick) <= LONGEST + 1
    shown = re.findall(r"\w+", tick)
    assert shown == [word for word in re.findall(r"\w+", name) if word in shown]
    assert "…" in tick
    assert figure.data[0].customdata[0][0] == name


def along(measure: str = "NDCG@10") -> WeightsPicture:
    points = short_path().points
    model = Model(points[4].fit, fold(), points[4].judgement, "standard")
    return WeightsPicture(model, along=points, most=14, measure=measure)


def test_rows_are_the_models_features_by_size_and_then_those_of_the_path() -> None:
    weights = short_path().points[4].fit.weights
    rows = rows_of(weights, short_path().points, 14)
    kept = np.flatnonzero(weights)
    assert rows[: len(kept)] == kept[np.argsort(-np.abs(weights[kept]))].tolist()[:14]
    assert len(rows) == 14
    assert all(any(point.fit.weights[j] for point in short_path().points) for j in rows)
    assert rows_of(weights, short_path().points, 3) == rows[:3]


def test_at_every_frame_every_bar_is_that_models_weight() -> None:
    rows = rows_of(hand().now.weights, short_path().points, 14)
    picture = along()
    drag, figure = picture.moves(picture.found, hand()), picture.figure
    assert len(drag.bars) == len(rows)
    for bar in drag.bars:
        j = int(figure.data[0].y[int(bar.row)]) - 1
        assert bar.length.now == hand().now.weights[j]
        assert bar.length.at.tolist() == [frame.weights[j] for frame in hand().frames]
    assert drag.marks[0].across.at.tolist() == [frame.c for frame in hand().frames]
    assert all("NDCG@10" in words for words in drag.spoken.at)
    best = short_path().points[5].fit
    (pause,) = along("MAP").moves(0, replace(hand(), best=best.lam / best.lam_max)).pauses
    assert hand().frames[pause].c == pytest.approx(best.c), "Play pauses where validation is best"


def test_in_the_convergence_picture_the_certificate_of_the_model_under_the_handle_is_seen_while_it_moves() -> None:
    last = core.fit(fold(), "l1", C=short_path().points[4].fit.c).fit.result.trace[-1]
    drag = certificate_drag(hand(), across(last, "seconds"))
    (dot,) = drag.dots
    assert (dot.across.now, dot.across.at) == (last.seconds, None)
    assert dot.up.at.tolist() == [max(frame.certificate.relative, 1e-12) for frame in hand().frames]
    assert dot.shown == "dragged"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("c", "ratio", "place"), [(1e308, 1e-320, -1), (1e-320, 1e308, 0)])
def test_a_chosen_c_far_beyond_the_path_stands_at_its_end(c: float, ratio: float, place: int) -> None:
    far = replace(hand(), now=replace(hand().now, c=c, ratio=ratio), best=ratio)
    end = range(len(hand().frames))[place]
    assert far.nearest(far.now.ratio) == end
    assert along().moves(0, far).pauses == [end]


def test_the_handle_stands_over_the_panel_of_the_method_whose_model_it_names() -> None:
    beside = replace(hand(), frames=hand().frames[::2], now=hand().frames[2], colour="#654321")
    for lead in (0, 1, 2):
        hands = [beside, beside, beside]
        hands[lead] = hand()
        drag = path_drag(hands, [], "NDCG@10", "lambda", "paths", lead=lead)
        assert drag.marks[0].x == ("xaxis", "xaxis3", "xaxis5")[lead]
        assert drag.marks[0].across.now == hand().now.ratio
        assert drag.hand is hand()


DATA = ranking_problem(6, n_queries=8, n_features=9)


def drawn(method: str, y: str = "objective") -> go.Figure:
    chosen = get_method(method)
    training = chosen.training(DATA)
    result = chosen.fit(training, training.lam_at(0.01)).result
    return convergence_drawing([Curve(method, method, result.trace)], Axes(y, log_y=y != "objective")).figure()


def test_it_rises_to_the_objective_at_the_end() -> None:
    figure = drawn("best-subset")
    traces = {(trace.name or "").partition(":")[0]: trace for trace in figure.data}
    bound = np.array(traces["lower bound"].y, dtype=float)
    above = np.array(traces["objective above it"].y, dtype=float)
    assert len(bound) > 1
    assert np.all(np.diff(bound) >= 0.0)
    assert np.all(bound <= above * (1.0 + 1e-12))
    assert bound[0] > 0.0
    assert bound[-1] == pytest.approx(above[-1], rel=2e-5)
    low, high = figure.layout.yaxis.range
    assert low < bound[0] < above[0] < high < 1.0, "the empty model leaves the room to what is between"


@pytest.mark.parametrize(("method", "y"), [("l1", "objective"), ("best-subset", "certificate")])
def test_other_curves_have_none(method: str, y: str) -> None:
    assert not any(trace.name and trace.name.startswith("lower bound") for trace in drawn(method, y).data)


CURVES = [([1.0, 10.0, 100.0], [1.0, 0.1, 1e-6]), ([0.0, 4.0], [0.5, 0.2])]


def test_powers_are_straight_on_two_log_axes_and_linear_on_one_within_the_curves() -> None:
    powers = guide_slopes(CURVES)
    assert [line["name"] for line in powers] == ["1/k", "1/k²", "linear"]
    for line, steepness in zip(powers, (-1.0, -2.0), strict=False):
        assert np.polyfit(np.log(line["x"]), np.log(line["y"]), 1)[0] == pytest.approx(steepness)
    steps = np.diff(np.log(powers[2]["y"])) / np.diff(powers[2]["x"])
    assert steps == pytest.approx(np.full(len(steps), steps[0]))
    for line in powers:
        assert (line["x"][0], line["y"][0]) == (1.0, 1.0)
        assert max(line["x"]) <= 100.0
        assert min(line["y"]) >= 1e-6 * (1 - 1e-6)
        assert (line["text"][-1], set(line["text"][:-1])) == (line["name"], {""})
    for nothing_spanned in ([], [([0.0], [1.0])], [([1.0, 2.0], [1.0, 1.0])]):
        assert guide_slopes(nothing_spanned) == []
