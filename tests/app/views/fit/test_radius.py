"""Which radius belongs to the chosen C is shown where a method has a ball, and nowhere else."""

from __future__ import annotations

import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.radii import BallRadii
from core.data import open_dataset
from core.methods import get_method
from core.solvers import Stop
from pages.shared.work.board import board
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, fit

pytestmark = pytest.mark.usefixtures("all_unfolded")


def titles(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_the_ball_of_the_chosen_c_is_named(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="fenchelrank", ratio="0.1")
    fit(app)
    deadline = time.monotonic() + 120
    while "is the ball" not in titles(app) and time.monotonic() < deadline:
        time.sleep(0.2)
        app.run()
    assert_fine(app)
    training = get_method("l1").training(open_dataset("planted").fold(1).train)
    weights = get_method("l1").fit(training, training.lam_at(0.1), stop=Stop(tol=1e-10)).weights
    assert f"is the ball ‖w‖₁ ≤ {np.abs(weights).sum():.3g}" in titles(app)
    table = next(frame.value for frame in app.dataframe if "radius" in frame.value.columns)
    assert table.loc[table["published"], "radius"].tolist() == pytest.approx([1, 2, 4, 8, 16, 32, 64, 128, 256])


def test_a_penalty_has_no_ball(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="l1")
    fit(app)
    assert not [job for job in board().jobs if job.key.startswith(BallRadii.__name__)]
    assert "is the ball" not in titles(app)
