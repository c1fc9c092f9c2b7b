"""What lights up of a feature: every curve that enters, with the C of its entry."""

from __future__ import annotations

import numpy as np

from core.analysis.evaluation import Judgement
from core.analysis.path_frames import Frame
from core.figures.drag.along import along
from core.figures.drag.lights import lit_curves
from core.solvers import Certificate


def frame(ratio: float, weights: list[float]) -> Frame:
    return Frame(
        ratio, ratio, 1.0 / ratio, np.array(weights), Judgement(), Certificate("stationarity", 0.0, 0.0, among="")
    )


FRAMES = [frame(1.0, [0.0, 0.0, 0.0]), frame(0.5, [0.0, 1.0, 0.0]), frame(0.25, [0.0, 1.5, -2.0])]


def test_a_curve_for_every_feature_that_enters() -> None:
    panel = lit_curves(FRAMES, along([1.0, 0.5, 0.25], 0.5))
    curves = {j: weights.tolist() for j, weights in panel.curves.items()}
    assert curves == {2: [0.0, 0.0, -2.0], 1: [0.0, 1.0, 1.5]}
    assert panel.across.tolist() == [1.0, 0.5, 0.25]
    assert panel.entries == {2: "enters at C 4", 1: "enters at C 2"}
