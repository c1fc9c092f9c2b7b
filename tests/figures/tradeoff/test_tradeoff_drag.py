"""On a trade-off C moves along one method's curve: the line stands at what the models keep and reach."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.path_frames import Frame
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.tradeoff.axes import HORIZONTALS, Across
from core.figures.tradeoff.tradeoff import View
from core.figures.tradeoff.tradeoff_drag import tradeoff_drag
from core.solvers import Certificate


def frame(ratio: float, kept: int, vali: float, test: float) -> Frame:
    weights = np.zeros(8)
    weights[:kept] = 1.0
    values = {"train": {"MAP": 0.9}, "vali": {"MAP": vali}, "test": {"MAP": test}}
    # On validation documents are tied, and LETOR's script prints another number there.
    judged = Judgement(values, {"vali": {"MAP": vali + 0.1}})
    return Frame(ratio, ratio, 1.0 / ratio, weights, judged, Certificate("duality gap", 0.0, 1e-7, among=""))


FRAMES = [frame(1.0, 0, 0.4, 0.3), frame(0.5, 2, 0.5, 0.45), frame(0.2, 2, 0.55, 0.5), frame(0.1, 5, 0.6, 0.48)]


def drag(part: str = "test", horizontal: int = 0) -> Drag:
    view = View(part, "MAP", Across(HORIZONTALS[horizontal], 8, log=True), "standard")
    hand = Hand(FRAMES, FRAMES[2], "#123456", "a path", best=0.2, readings=lambda at: {"kept": str(at.most)})
    return tradeoff_drag(hand, view)


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
    assert found.hand.texts()["kept"].at == ("0", "2", "2", "5")


def test_on_the_choosing_part_it_stands_where_the_curve_does() -> None:
    """The curve is drawn in expectation over ties there."""
    (mark,) = drag("vali").marks
    assert mark.up.at == pytest.approx([0.4, 0.5, 0.55, 0.6])


def test_over_the_sparsity_ratio_it_stands_at_the_share_of_features() -> None:
    (mark,) = drag(horizontal=1).marks
    assert mark.across.at == pytest.approx([0.0, 0.25, 0.25, 0.625])


def test_another_part_or_axis_is_another_picture() -> None:
    assert len({drag().identity, drag("vali").identity, drag(horizontal=1).identity}) == 3
