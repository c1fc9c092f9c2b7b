"""Choosing on the validation part in the app finds what ``fit --tune`` finds, and puts it into the sidebar."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint
from core.analysis.tuning import best_on_validation, tuning_path
from core.data import open_dataset
from core.methods import get_method
from pages.shared.jobs import board
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, press, until


def tuned(app: AppTest) -> AppTest:
    """Press the button, wait for the end and look again."""
    press(app, "tune")
    until(lambda: not any(job.active for job in board()._jobs.values()))
    app.run()
    assert_fine(app)
    return app


def best(**given: float) -> PathPoint:
    dataset, method = open_dataset("planted"), get_method("fs-rank")
    judge = FoldJudge(dataset.fold(1), dataset.convention)
    training = method.training(judge.fold.train)
    return best_on_validation(list(tuning_path(method, training, method.grid(training), judge, parameters=given)))


def test_k_is_chosen_with_c_and_one_click_takes_both(open_app: Open) -> None:
    expected = best().fit
    app = tuned(open_app("fit", dataset="planted", method="fs-rank"))
    assert app.button(key="use_c").label.startswith(f"Use k = {expected.parameters['k']:g}, C = ")
    press(app, "use_c")
    assert_fine(app)
    assert app.number_input(key="fs-rank.k").value == expected.parameters["k"]
    assert float(app.text_input(key="C").value) == pytest.approx(expected.c)
    assert app.button(key="use_c") is not None  # the curve stays: what it has chosen does not make it another


def test_switched_off_k_stays_as_the_sidebar_has_it(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="fs-rank", **{"fs-rank.k": "7"})
    app.toggle(key="tune_tried").set_value(False).run()
    tuned(app)
    assert app.button(key="use_c").label.startswith("Use C = ")
    press(app, "use_c")
    assert app.number_input(key="fs-rank.k").value == 7.0
    assert float(app.text_input(key="C").value) == pytest.approx(best(k=7.0).fit.c)


def test_a_method_without_such_a_parameter_has_no_switch(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="l1")
    assert "tune_tried" not in {toggle.key for toggle in app.toggle}
