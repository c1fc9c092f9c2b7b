"""Choosing on the validation part in the app finds what ``fit --tune`` finds, and puts it into the sidebar."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.fitting import Fitting, OnValidation, tune
from core.analysis.path import PathPoint, path_points
from core.analysis.tuning.tuning import best_on_validation
from core.data import open_dataset
from core.methods import get_method
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, at_rest, control, press, until
from tests.says import assert_says


def tuned(app: AppTest) -> AppTest:
    """Press the button, wait for the end and look again."""
    press(app, "tune")
    until(at_rest)
    app.run()
    assert_fine(app)
    return app


def best(**given: float) -> PathPoint:
    dataset, method = open_dataset("planted"), get_method("fs-rank")
    how = Fitting.on(dataset.fold(1), method, given, dataset.convention)
    return best_on_validation(list(path_points(how.tuning_fits(method.grid(how.training)), how.judge)))


def test_k_is_chosen_with_c_and_one_click_takes_both(open_app: Open) -> None:
    expected = best().fit
    app = tuned(open_app("fit", dataset="planted", method="fs-rank"))
    assert app.button(key="use_c").label.startswith(f"Use k = {expected.parameters['k']:g}, C = ")
    press(app, "use_c")
    assert_fine(app)
    assert app.number_input(key="fs-rank.k").value == expected.parameters["k"]
    assert float(control(app.text_input, "C").value) == pytest.approx(expected.c)
    assert app.button(key="use_c") is not None  # the curve stays: what it has chosen does not make it another


def test_switched_off_k_stays_as_the_sidebar_has_it(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="fs-rank", **{"fs-rank.k": "7"})
    app.toggle(key="tune_tried").set_value(False).run()
    tuned(app)
    assert app.button(key="use_c").label.startswith("Use C = ")
    press(app, "use_c")
    assert app.number_input(key="fs-rank.k").value == 7.0
    assert float(control(app.text_input, "C").value) == pytest.approx(best(k=7.0).fit.c)


def test_another_rule_takes_another_c_and_the_panel_says_how_much_is_the_draw_of_the_queries(open_app: Open) -> None:
    dataset, method = open_dataset("planted"), get_method("l1")
    how = Fitting.on(dataset.fold(1), method, {}, dataset.convention)
    app = open_app("fit", dataset="planted", method="l1", tune_rule="one-se")
    assert "tune_tried" not in {toggle.key for toggle in app.toggle}, "it has no other parameter to choose"
    assert app.segmented_control(key="tune_rule").value == "one-se"
    tuned(app)
    for rule in ("one-se", "best"):
        app.segmented_control(key="tune_rule").set_value(rule).run()
        assert_fine(app)
        expected = tune(how, OnValidation("MAP", rule))
        noise = expected.choice.noise
        assert noise is not None
        press(app, "use_c")
        assert float(control(app.text_input, "C").value) == pytest.approx(expected.fit.c)
        said = next(markdown.value for markdown in app.markdown if "resampled" in markdown.value)
        kept = f"{noise.n_features.mean:.1f} ± {noise.n_features.deviation:.1f} features"
        reported = f"{noise.reported['MAP'].mean:.4f} ± {noise.reported['MAP'].deviation:.4f}"
        assert_says(said, "validation queries", kept, reported)
