"""The handle over the weights: bars, words and readings at a frame are those of the model of that frame."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint, regularization_path
from core.analysis.path_frames import Frame, fitted_frame, frames_of
from core.data import Reading
from core.figures.fit.handle import certificate_follower, rows_of, weights_along_figure, weights_handle
from core.figures.path.handle import HandlePanel, path_handle
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
def panel(points: list[PathPoint]) -> HandlePanel:
    frames = list(frames_of(points, FoldJudge(FOLD, "standard")))
    return HandlePanel(frames, fitted_frame(points[4]), "#123456")


def numbers(packed: dict[str, Any]) -> list[float]:
    kind = "<f8" if packed["dtype"] == "f8" else "<f4"
    return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=kind).tolist()


def readings(frame: Frame) -> dict[str, str]:
    return {"kept": str(frame.kept)}


def test_rows_are_the_models_features_by_size_and_then_those_of_the_path(points: list[PathPoint]) -> None:
    weights = points[4].fit.weights
    rows = rows_of(weights, points, 14)
    kept = np.flatnonzero(weights)
    assert rows[: len(kept)] == kept[np.argsort(-np.abs(weights[kept]))].tolist()[:14]
    assert len(rows) == 14
    assert all(any(point.fit.weights[j] for point in points) for j in rows)
    assert rows_of(weights, points, 3) == rows[:3]


def test_at_every_frame_every_bar_is_that_models_weight(points: list[PathPoint], panel: HandlePanel) -> None:
    rows = rows_of(panel.now.weights, points, 14)
    spec = weights_handle(panel, rows, "NDCG@10", readings, "a path")
    figure = weights_along_figure(rows, panel.now, points, panel.colour)
    assert len(spec["bars"]) == len(rows)
    for bar in spec["bars"]:
        j = int(figure.data[0].y[bar["row"]]) - 1
        assert bar["now"] == panel.now.weights[j]
        assert numbers(bar["at"]) == pytest.approx([frame.weights[j] for frame in panel.frames], rel=1e-6)
    assert numbers(spec["c"]) == [frame.c for frame in panel.frames]
    assert numbers(spec["marks"][0]["at"]) == pytest.approx([frame.c for frame in panel.frames], rel=1e-6)
    assert spec["readings"]["kept"]["at"] == [str(frame.kept) for frame in panel.frames]
    assert all("NDCG@10" in words for words in spec["told"]["at"])


def test_no_model_of_the_path_leaves_the_axis_of_the_bars(points: list[PathPoint], panel: HandlePanel) -> None:
    rows = rows_of(panel.now.weights, points, 14)
    low, high = weights_along_figure(rows, panel.now, points, panel.colour).layout.xaxis.range
    for frame in panel.frames:
        assert low <= frame.weights[rows].min() <= frame.weights[rows].max() <= high


def test_play_pauses_where_validation_is_best(points: list[PathPoint], panel: HandlePanel) -> None:
    rows = rows_of(panel.now.weights, points, 14)
    (pause,) = weights_handle(panel, rows, "MAP", readings, "a path", best=points[5].fit.c)["pauses"]
    assert panel.frames[pause].c == pytest.approx(points[5].fit.c)


def test_in_the_convergence_picture_the_certificate_of_the_hands_model_is_seen_while_it_moves(
    points: list[PathPoint], panel: HandlePanel
) -> None:
    last = METHOD.fit(METHOD.training(FOLD.train), points[4].fit.lam).result.trace[-1]
    spec = certificate_follower(panel, last, "seconds", "a path")
    (dot,) = spec["dots"]
    assert dot["across"] == {"now": last.seconds}
    expected = [max(frame.certificate.relative, 1e-12) for frame in panel.frames]
    assert numbers(dot["at"]) == pytest.approx(expected, rel=1e-6)
    assert (dot["seen"]["now"], set(numbers(dot["seen"]["at"]))) == (0.0, {1.0})
    rows = rows_of(panel.now.weights, points, 14)
    assert spec["link"] == weights_handle(panel, rows, "MAP", readings, "a path")["link"], "they move together"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("c", "ratio", "place"), [(1e308, 1e-320, -1), (1e-320, 1e308, 0)])
def test_a_chosen_c_far_beyond_the_path_stands_at_its_end(
    points: list[PathPoint], panel: HandlePanel, c: float, ratio: float, place: int
) -> None:
    far = HandlePanel(panel.frames, replace(panel.now, c=c, ratio=ratio), panel.colour)
    rows = rows_of(far.now.weights, points, 14)
    end = range(len(panel.frames))[place]
    assert weights_handle(far, rows, "NDCG@10", readings, "a path", best=c)["nearest"] == end
    assert path_handle([far], [], "NDCG@10", "lambda", readings, "a path", best=ratio)["nearest"] == end


def test_the_words_stand_over_the_panel_of_the_method_whose_model_they_name(panel: HandlePanel) -> None:
    beside = HandlePanel(panel.frames[::2], panel.frames[2], "#654321")
    for lead in (0, 1, 2):
        panels = [beside, beside, beside]
        panels[lead] = panel
        spec = path_handle(panels, [], "NDCG@10", "lambda", readings, "paths", lead=lead)
        assert spec["marks"][0]["x"] == ("xaxis", "xaxis3", "xaxis5")[lead]
        assert spec["marks"][0]["now"] == panel.now.ratio
