"""The pictures of kept features move together with C: by the same frames, with the numbers of each.

What is said of kept features that have no row.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.analysis.features.single_feature import single_feature_scores
from core.figures.drag.hand import Hand
from core.figures.features import features_drag
from core.figures.features.features_drag import SelectionDrags, along_c_figure, rowless_words
from tests.figures.drawn import hand as short_path_hand
from tests.figures.drawn import short_path
from tests.figures.samples.sample import fold

ROWS = [2, 0, 5]


@pytest.fixture(scope="module")
def planted():
    return fold(), short_path().points, short_path_hand().frames


def drags(frames) -> SelectionDrags:
    hand = Hand(frames, frames[3], "#123456", "one path", best=0.1, readings=lambda frame: {"kept": frame.size})
    return SelectionDrags(hand, ROWS, "test", "NDCG@10")


def test_bars_have_the_weights_of_every_frame_in_their_rows(planted) -> None:
    _, _, frames = planted
    drag = drags(frames).in_weights()
    assert [bar.row for bar in drag.bars] == [0.0, 1.0, 2.0]
    for bar, j in zip(drag.bars, ROWS, strict=True):
        assert bar.length.at.tolist() == [frame.weights[j] for frame in frames]
        assert bar.length.now == frames[3].weights[j]
    low, high = drags(frames).reach
    drawn = np.array([frame.weights[ROWS] for frame in frames])
    assert (low, high) == (min(drawn.min(), 0.0), drawn.max())


def test_a_feature_is_filled_at_the_frames_that_keep_it_and_the_model_stands_at_its_measure(planted) -> None:
    fold, _, frames = planted
    scores = single_feature_scores(fold.test, "standard")
    together, *features = drags(frames).in_single_features(scores).dots
    assert together.across.at.tolist() == [frame.judgement.metrics["test"]["NDCG@10"] for frame in frames]
    for dot, j in zip(features, ROWS, strict=True):
        assert list(dot.shown.at.astype(bool)) == [bool(frame.weights[j]) for frame in frames]
        assert dot.across.now == scores[j].ndcg_at_10


def test_the_handle_stands_in_the_strip_and_all_three_move_together(planted) -> None:
    fold, points, frames = planted
    held = drags(frames)
    strip = held.in_strip()
    followers = [held.in_weights(), held.in_single_features(single_feature_scores(fold.test, "standard"))]
    assert {drag.hand.link for drag in (strip, *followers)} == {strip.hand.link}
    assert len({drag.identity for drag in (strip, *followers)}) == 3
    (line,) = strip.marks
    assert (line.x, line.y) == ("xaxis", "yaxis")
    assert line.across.at.tolist() == [frame.ratio for frame in frames]
    assert strip.hand.texts()["kept"].at == tuple(frame.size for frame in frames)
    assert not any(drag.marks for drag in followers)
    figure = along_c_figure(points, "NDCG@10", title="")
    assert [list(line.x) for line in figure.data] == [[point.fit.lam / point.fit.lam_max for point in points]] * 3


def test_without_frames_the_model_at_the_chosen_c_is_drawn_and_nothing_moves(planted) -> None:
    _, _, frames = planted
    still = SelectionDrags(Hand([], frames[3], "#123456"), ROWS, "test", "NDCG@10").in_weights()
    assert [bar.length.now for bar in still.bars] == [frames[3].weights[j] for j in ROWS]
    assert len(still.bars[0].length.at) == 0


def frame(c: float, *weights: float) -> Any:
    return SimpleNamespace(c=c, weights=np.array(weights), fewest=None)


def hand() -> Any:
    return SimpleNamespace(now=frame(1.5, 0.0, 2.0, 3.0), frames=[frame(1.0, 0.0, 0.0, 0.0), frame(2.0, 1.0, 2.0, 3.0)])


def test_they_are_counted_at_the_chosen_c_and_at_every_frame() -> None:
    of = hand()
    words = rowless_words(of, [1])
    assert words(of.now) == "1 more kept feature has no row here"
    assert [words(one) for one in of.frames] == ["", "2 more kept features have no row here"]


def test_frames_are_counted_once_and_only_where_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[object] = []
    count = features_drag.counts_among
    monkeypatch.setattr(features_drag, "counts_among", lambda *asked: counted.append(asked) or count(*asked))
    of = hand()
    words = rowless_words(of, [1])
    words(of.now)
    assert not counted
    for one in of.frames:
        words(one)
    assert len(counted) == 1
