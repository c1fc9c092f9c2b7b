"""What moves with C: every picture's places are within its axes, and the browser is told the very numbers.

What lights up of a feature: every curve that enters, with the C of its entry.
"""

import base64
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays

from core.analysis.evaluation import Judgement
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.path_views import with_as_many_features
from core.figures.browser.drawing_code import sent_drag
from core.figures.drag.drag import Along, Dot, Drag, Hand, Mark, along, lit_curves, still
from core.figures.features.selection import SelectionDrags, along_c_figure
from core.figures.fit.picture import WeightsPicture
from core.figures.lab.lab_drag import LabDrags
from core.figures.path.lines import path_drag
from core.figures.path.path import PathPanel, Reference
from core.figures.path.picture import Paths, PathsPicture
from core.figures.picture import Words
from core.figures.top.lists_picture import lists_along
from core.figures.tradeoff.picture import TradeoffPicture
from core.models import Model, ModelPath
from core.solvers import Certificate
from tests.figures.samples.sample import fold, hand, short_path

FINITE = some.floats(allow_nan=False, allow_infinity=False)


def unpacked(packed: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=f"<{packed['dtype']}").astype(float)


def told(drag: Drag) -> dict[str, Any]:
    """What the browser reads; JSON knows no NaN and no infinity."""
    return json.loads(json.dumps(sent_drag(drag), allow_nan=False))


def frame(ratio: float, *weights: float) -> Frame:
    judged = Judgement({"train": {"MAP": 0.5}})
    return Frame(ratio, ratio, 1.0 / ratio, np.array(weights), judged, Certificate("stationarity", 0.0, 0.0, among=""))


def drags_and_figures() -> Iterator[tuple[Drag, go.Figure]]:
    points, held = short_path().points, hand()
    panel = PathPanel("ℓ1", points, points[3], points[4])
    for view in ("lambda", "features"):
        picture = PathsPicture([ModelPath(points, fold(), "standard")], across=view, ratio=held.now.ratio)
        figure = picture.drawing(Paths([panel], [0, 1], Reference("a feature", 0.5)), Words(""))
        yield path_drag([held], [0, 1], "MAP", view, "a path", names=points[0].fit.feature_names), figure
    model = Model(points[4].fit, fold(), points[4].judgement, "standard")
    weights = WeightsPicture(model, along=points, most=14, measure="MAP")
    yield weights.moves(weights.found, held), weights.figure
    yield SelectionDrags(held, [0, 1], "test", "NDCG@10").in_strip(), along_c_figure(points, "NDCG@10", title="")


def reach(figure: go.Figure, name: str) -> tuple[float, float]:
    axis = figure.layout[name]
    low, high = sorted(10.0**end if axis.type == "log" else end for end in axis.range)
    return low, high


def test_the_line_and_every_bar_stay_within_their_axes() -> None:
    for drag, figure in drags_and_figures():
        ends = [(mark.x, mark.across) for mark in drag.marks] + [(bar.x, bar.length) for bar in drag.bars]
        for name, value in ends:
            low, high = reach(figure, name)
            # The strip of Features leaves out a hair at both ends.
            room = 1.1 if figure.layout[name].type == "log" else 1.0
            assert (value.at >= low / room).all() if low > 0 else (value.at >= low).all()
            assert (value.at <= high * room).all()


def test_the_words_beside_the_line_are_the_size_of_the_frame() -> None:
    held = hand()
    fitted = {one.c: one.size for one in held.frames if one.fewest is None}
    assert fitted == {point.fit.c: str(point.fit.result.nonzero) for point in short_path().points}
    labels = path_drag([held], [], "MAP", "lambda", "a path").label.at
    assert [words.partition(" · ")[2].split()[0] for words in labels] == [one.size for one in held.frames]


def test_between_two_models_every_picture_by_size_stands_between_their_numbers_of_features() -> None:
    """The features of either are more than each has; a place among counts is a claim to know it."""
    held = hand()
    tradeoff = TradeoffPicture([ModelPath(short_path().points, fold(), "standard")])
    by_size = path_drag([held], [], "MAP", "features", "a path").marks[0].across
    lab = LabDrags(held, [], "test", "MAP", fold().train.feature_names).in_tradeoff({}).dots[0].across
    found = [by_size, tradeoff.moves(tradeoff.found, held).marks[0].across, lab]
    fitted = [k for k, one in enumerate(held.frames) if one.ends is None]
    wider = 0
    for left, right in pairwise(fitted):
        sizes = sorted(np.count_nonzero(held.frames[k].weights) for k in (left, right))
        for across in found:
            places = np.asarray(across.at)[left : right + 1]
            assert (places >= sizes[0]).all()
            assert (places <= sizes[1]).all()
        wider += held.frames[left + 1].most > sizes[1]
    assert wider, "the union is larger than both somewhere on this path"


def test_lists_beside_a_model_between_two_are_compared_at_a_size_between_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = hand()
    asked: list[int] = []

    def as_many(path: Any, size: int) -> PathPoint:
        asked.append(size)
        return with_as_many_features(path, size)

    monkeypatch.setattr("core.figures.top.lists_picture.with_as_many_features", as_many)
    k = next(
        k
        for k, one in enumerate(held.frames)
        if one.ends is not None and one.most > max(map(np.count_nonzero, one.ends))
    )
    lists_along("l1", held.frames[k : k + 1], {"log": short_path().points}, fold().test)
    ends = sorted(map(np.count_nonzero, held.frames[k].ends or ()))
    assert ends[0] <= asked[0] <= ends[1]


def test_the_browser_is_told_the_numbers_themselves() -> None:
    for drag, _ in drags_and_figures():
        read = told(drag)
        assert unpacked(read["c"]).tolist() == [one.c for one in drag.hand.frames]
        for kind, numbers in (("marks", ("across",)), ("dots", ("across", "up")), ("bars", ("length",))):
            for part, drawn in zip(read[kind], getattr(drag, kind), strict=True):
                for name in numbers:
                    value: Along = getattr(drawn, name)
                    assert part[name]["now"] == value.now
                    assert unpacked(part[name]["at"]) == pytest.approx(value.at, rel=1e-6)
        assert read["spoken"]["at"] == list(drag.spoken.at)
        assert read["readings"]["kept"]["at"] == [one.size for one in drag.hand.frames]


@given(arrays(np.float64, 3, elements=FINITE), FINITE)
def test_any_finite_number_round_trips(values: np.ndarray, now: float) -> None:
    """Also one that single precision has not: it would be infinite there, or 0."""
    hand = Hand([frame(1.0), frame(0.5), frame(0.25)], frame(0.5), "red")
    (mark,) = told(Drag(hand=hand, picture="", marks=[Mark(across=along(values, now))], measure="MAP"))["marks"]
    assert mark["across"]["now"] == now
    read = unpacked(mark["across"]["at"])
    assert np.isfinite(read).all()
    assert read == pytest.approx(values, rel=1e-6, abs=0.0)


def test_numbers_that_are_not_finite_are_refused_where_they_arise_and_so_are_fewer_than_frames() -> None:
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="finite"):
            still(wrong)
        with pytest.raises(ValueError, match="finite"):
            along([0.0, wrong], 0.0)
    hand = Hand([frame(1.0), frame(0.5)], frame(0.5), "red")
    with pytest.raises(ValueError, match=r"\[3\] frames, of 2"):
        Drag(hand=hand, picture="a picture", dots=[Dot(across=still(1.0), up=along([1, 2, 3], 1), colour="red")])


def test_pictures_of_one_path_move_together_and_only_those_with_a_line_have_the_handle() -> None:
    frames = [frame(1.0), frame(0.5)]
    hand, other = Hand(frames, frames[0], "red", "one"), Hand(frames, frames[0], "red", "another")
    across = hand.along(lambda one: one.ratio)
    leads = told(Drag(hand=hand, picture="a", marks=[Mark(across=across)], measure="MAP"))
    follows = told(Drag(hand=hand, picture="b", dots=[Dot(across=across, up=across, colour="red")]))
    assert leads["link"] == follows["link"] != told(Drag(hand=other, picture="a"))["link"]
    assert leads["id"] != follows["id"]
    assert (follows["label"], follows["spoken"], follows["readings"]) == (None, None, {})

    def drag(now: Frame, colour: str) -> Drag:
        hand = Hand(frames, now, colour, "a path")
        return Drag(hand=hand, picture="a", dots=[Dot(across=across, up=across, colour=colour)])

    assert drag(frames[0], "red").identity == drag(frames[1], "red").identity, "at another C it is moved"
    assert drag(frames[0], "red").identity != drag(frames[0], "blue").identity, "in another colour drawn anew"


def test_a_curve_for_every_feature_that_enters() -> None:
    frames = [frame(1.0, 0.0, 0.0, 0.0), frame(0.5, 0.0, 1.0, 0.0), frame(0.25, 0.0, 1.5, -2.0)]
    panel = lit_curves(frames, along([1.0, 0.5, 0.25], 0.5))
    curves = {j: weights.tolist() for j, weights in panel.curves.items()}
    assert curves == {2: [0.0, 0.0, -2.0], 1: [0.0, 1.0, 1.5]}
    assert panel.across.tolist() == [1.0, 0.5, 0.25]
    assert panel.entries == {2: "enters at C 4", 1: "enters at C 2"}
