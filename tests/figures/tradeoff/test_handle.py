"""The handle of a trade-off runs along one method's curve: where it stands is what the models keep and reach."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from core.analysis.evaluation import Judgement
from core.analysis.path_frames import Frame
from core.figures.path.handle import HandlePanel
from core.figures.tradeoff.axes import HORIZONTALS, Across
from core.figures.tradeoff.handle import tradeoff_handle
from core.figures.tradeoff.tradeoff import View
from core.solvers import Certificate


def frame(ratio: float, kept: int, vali: float, test: float) -> Frame:
    weights = np.zeros(8)
    weights[:kept] = 1.0
    values = {"train": {"MAP": 0.9}, "vali": {"MAP": vali}, "test": {"MAP": test}}
    # On validation documents are tied, so that what chooses is another number than what is reported there.
    judged = Judgement(values, {"vali": {"MAP": vali - 0.1}})
    return Frame(ratio, ratio, 1.0 / ratio, weights, judged, Certificate("duality gap", 0.0, 1e-7, among=""))


FRAMES = [frame(1.0, 0, 0.4, 0.3), frame(0.5, 2, 0.5, 0.45), frame(0.2, 2, 0.55, 0.5), frame(0.1, 5, 0.6, 0.48)]


def numbers(packed: dict[str, str]) -> list[float]:
    found = np.frombuffer(base64.b64decode(packed["bdata"]), dtype=f"<{packed['dtype']}")
    return [float(value) for value in found]


def spec(part: str = "test", horizontal: int = 0):  # type: ignore[no-untyped-def]
    view = View(part, "MAP", Across(HORIZONTALS[horizontal], 8, log=True), "standard")
    panel = HandlePanel(FRAMES, FRAMES[2], "#123456")
    return tradeoff_handle(panel, view, lambda at: {"kept": str(at.kept)}, "a path", best=0.2)


def test_the_line_stands_at_what_is_kept_and_the_dot_at_what_is_reached() -> None:
    found = spec()
    (mark,), (dot,) = found["marks"], found["dots"]
    assert numbers(mark["at"]) == [0.0, 2.0, 2.0, 5.0]
    assert mark["now"] == 2.0
    assert numbers(mark["up"]) == pytest.approx([0.3, 0.45, 0.5, 0.48])
    assert numbers(dot["at"]) == numbers(mark["up"])
    assert numbers(dot["across"]["at"]) == numbers(mark["at"])
    assert numbers(dot["seen"]["at"]) == [0.0, 1.0, 1.0, 1.0], "the empty model ranks nothing"
    assert numbers(found["c"]) == pytest.approx([1.0, 2.0, 5.0, 10.0])
    assert found["pauses"] == [2]
    assert [reading["at"] for reading in found["readings"].values()] == [["0", "2", "2", "5"]]


def test_on_the_choosing_part_it_stands_where_the_curve_does() -> None:
    """The curve is drawn in expectation over ties there."""
    (mark,) = spec("vali")["marks"]
    assert numbers(mark["up"]) == pytest.approx([0.3, 0.4, 0.45, 0.5])


def test_over_the_sparsity_ratio_it_stands_at_the_share_of_features() -> None:
    (mark,) = spec(horizontal=1)["marks"]
    assert numbers(mark["at"]) == pytest.approx([0.0, 0.25, 0.25, 0.625])


def test_another_part_or_axis_is_another_handle() -> None:
    assert len({spec()["id"], spec("vali")["id"], spec(horizontal=1)["id"]}) == 3
