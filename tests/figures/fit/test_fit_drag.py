"""Dragging C over the weights: bars, words and readings at a frame are those of the model of that frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, regularization_path
from core.analysis.path_frames import fitted_frame, frames_of
from core.data import Reading
from core.figures.drag.hand import Hand
from core.figures.fit.fit_drag import certificate_drag, last_place, weights_drag
from core.figures.fit.weights_along import rows_of, weights_along_figure
from core.figures.path.path_drag import path_drag
from core.methods import get_method

DATASET = Reading().open("planted")
FOLD = DATASET.fold(1)
METHOD = get_method("l1")


@pytest.fixture(scope="module")
def points() -> list[PathPoint]:
    training, judge = METHOD.training(FOLD.train), FoldJudge(FOLD, "standard")
    lams = training.lam_at(1.0) * np.geomspace(1.0, 0.02, 8)
    return list(regularization_path(METHOD, training, lams, judge))


@pytest.fixture(scope="module")
def hand(points: list[PathPoint]) -> Hand:
    frames = list(frames_of(points, FoldJudge(FOLD, "standard")))
    return Hand(frames, fitted_frame(points[4]), "#123456", "a path", readings=lambda frame: {"kept": frame.size})


def test_rows_are_the_models_features_by_size_and_then_those_of_the_path(points: list[PathPoint]) -> None:
    weights = points[4].fit.weights
    rows = rows_of(weights, points, 14)
    kept = np.flatnonzero(weights)
    assert rows[: len(kept)] == kept[np.argsort(-np.abs(weights[kept]))].tolist()[:14]
    assert len(rows) == 14
    assert all(any(point.fit.weights[j] for point in points) for j in rows)
    assert rows_of(weights, points, 3) == rows[:3]


def test_at_every_frame_every_bar_is_that_models_weight(points: list[PathPoint], hand: Hand) -> None:
    rows = rows_of(hand.now.weights, points, 14)
    drag = weights_drag(hand, rows, "NDCG@10")
    figure = weights_along_figure(rows, hand.now, points, hand.colour)
    assert len(drag.bars) == len(rows)
    for bar in drag.bars:
        j = int(figure.data[0].y[int(bar.row)]) - 1
        assert bar.length.now == hand.now.weights[j]
        assert bar.length.at.tolist() == [frame.weights[j] for frame in hand.frames]
    assert drag.marks[0].across.at.tolist() == [frame.c for frame in hand.frames]
    assert hand.texts()["kept"].at == tuple(frame.size for frame in hand.frames)
    assert all("NDCG@10" in words for words in drag.spoken.at)


def test_no_model_of_the_path_leaves_the_axis_of_the_bars(points: list[PathPoint], hand: Hand) -> None:
    rows = rows_of(hand.now.weights, points, 14)
    low, high = weights_along_figure(rows, hand.now, points, hand.colour).layout.xaxis.range
    for frame in hand.frames:
        assert low <= frame.weights[rows].min() <= frame.weights[rows].max() <= high


def test_play_pauses_where_validation_is_best(points: list[PathPoint], hand: Hand) -> None:
    best = points[5].fit
    rows = rows_of(hand.now.weights, points, 14)
    (pause,) = weights_drag(replace(hand, best=best.lam / best.lam_max), rows, "MAP").pauses
    assert hand.frames[pause].c == pytest.approx(best.c)


def test_in_the_convergence_picture_the_certificate_of_the_model_under_the_handle_is_seen_while_it_moves(
    points: list[PathPoint], hand: Hand
) -> None:
    last = METHOD.fit(METHOD.training(FOLD.train), points[4].fit.lam).result.trace[-1]
    drag = certificate_drag(hand, last_place(last, "seconds"))
    (dot,) = drag.dots
    assert (dot.across.now, dot.across.at) == (last.seconds, None)
    assert dot.up.at.tolist() == [max(frame.certificate.relative, 1e-12) for frame in hand.frames]
    assert dot.shown == "dragged"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("c", "ratio", "place"), [(1e308, 1e-320, -1), (1e-320, 1e308, 0)])
def test_a_chosen_c_far_beyond_the_path_stands_at_its_end(hand: Hand, c: float, ratio: float, place: int) -> None:
    far = replace(hand, now=replace(hand.now, c=c, ratio=ratio), best=ratio)
    end = range(len(hand.frames))[place]
    assert far.nearest(far.now.ratio) == end
    assert weights_drag(far, [0, 1], "NDCG@10").pauses == [end]


def test_the_handle_stands_over_the_panel_of_the_method_whose_model_it_names(hand: Hand) -> None:
    beside = replace(hand, frames=hand.frames[::2], now=hand.frames[2], colour="#654321")
    for lead in (0, 1, 2):
        hands = [beside, beside, beside]
        hands[lead] = hand
        drag = path_drag(hands, [], "NDCG@10", "lambda", "paths", lead=lead)
        assert drag.marks[0].x == ("xaxis", "xaxis3", "xaxis5")[lead]
        assert drag.marks[0].across.now == hand.now.ratio
        assert drag.hand is hand
