"""The bars of a model: its non-zero weights, largest on top, each with its feature's name.

Dragging C over the weights: bars, words and readings at a frame are those of the model of that frame.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest

import core
from core.analysis.fold_models import FoldModel
from core.analysis.path import PathPoint
from core.figures.fit.convergence import across
from core.figures.fit.convergence_picture import certificate_drag
from core.figures.fit.weights_picture import WeightsPicture, rows_of, weights_drag, weights_figure
from core.figures.look.style import METHOD_STYLES, Words
from core.figures.path.lines import path_drag
from core.names.short import LONGEST
from tests.figures.drawn import hand, short_path
from tests.figures.samples.sample import fold

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


def test_the_sign_is_told_by_more_than_the_side() -> None:
    opacity = bars_of(WEIGHTS, NAMES).data[0].marker.opacity
    assert opacity[0] == opacity[1] > opacity[2]


def test_features_of_the_same_name_keep_bars_of_their_own() -> None:
    (bars,) = bars_of(np.array([1.0, 2.0]), ["same", "same"]).data
    assert list(bars.y) == ["1", "2"]


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


def test_an_empty_model_is_an_empty_picture() -> None:
    (bars,) = bars_of(np.zeros(3), ["a", "b", "c"]).data
    assert len(bars.x) == 0


def along(points: Sequence[PathPoint]) -> go.Figure:
    model = FoldModel(points[4].fit, fold(), points[4].judgement, "standard")
    return WeightsPicture(model, along=points, most=14).figure


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
    drag = weights_drag(hand(), rows, "NDCG@10")
    figure = along(short_path().points)
    assert len(drag.bars) == len(rows)
    for bar in drag.bars:
        j = int(figure.data[0].y[int(bar.row)]) - 1
        assert bar.length.now == hand().now.weights[j]
        assert bar.length.at.tolist() == [frame.weights[j] for frame in hand().frames]
    assert drag.marks[0].across.at.tolist() == [frame.c for frame in hand().frames]
    assert hand().texts()["kept"].at == tuple(frame.size for frame in hand().frames)
    assert all("NDCG@10" in words for words in drag.spoken.at)


def test_play_pauses_where_validation_is_best() -> None:
    best = short_path().points[5].fit
    rows = rows_of(hand().now.weights, short_path().points, 14)
    (pause,) = weights_drag(replace(hand(), best=best.lam / best.lam_max), rows, "MAP").pauses
    assert hand().frames[pause].c == pytest.approx(best.c)


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
    assert weights_drag(far, [0, 1], "NDCG@10").pauses == [end]


def test_the_handle_stands_over_the_panel_of_the_method_whose_model_it_names() -> None:
    beside = replace(hand(), frames=hand().frames[::2], now=hand().frames[2], colour="#654321")
    for lead in (0, 1, 2):
        hands = [beside, beside, beside]
        hands[lead] = hand()
        drag = path_drag(hands, [], "NDCG@10", "lambda", "paths", lead=lead)
        assert drag.marks[0].x == ("xaxis", "xaxis3", "xaxis5")[lead]
        assert drag.marks[0].across.now == hand().now.ratio
        assert drag.hand is hand()
