"""The Path page without a browser: sentences, choice of penalties, Play, and data that offers less."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.path import lambda_grid, regularization_path
from core.analysis.tuning.tuning import best_on_validation
from core.methods import get_method
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen, press, until


def finished(app: AppTest) -> AppTest:
    """Look again until all paths are there."""
    until(lambda: bool(app.run().main.button) and any(b.key == "play" for b in app.main.button))
    assert_fine(app)
    return app


def test_the_headline_compares_the_penalties_at_their_best_c(open_app: Open) -> None:
    app = finished(open_app("path", dataset="planted", method="log"))
    choice = chosen(app)
    bests = []
    for method_id in ("log", "l1"):
        method = get_method(method_id)
        training = method.training(choice.fold.train)
        lams = lambda_grid(training.lam_max, 50)
        bests.append(best_on_validation(list(regularization_path(method, training, lams, choice.judge)), "NDCG@10"))
    log, l1 = bests
    said = app.header[0].value
    assert said.startswith(f"log keeps {log.fit.result.nonzero} of 60 features where ℓ1 keeps {l1.fit.result.nonzero}")
    assert f"{log.metrics['test']['NDCG@10']:.4f}" in said
    assert f"{l1.metrics['test']['NDCG@10']:.4f}" in said


def test_penalties_to_compare_come_from_the_link_and_go_there(open_app: Open) -> None:
    app = finished(open_app("path", dataset="planted", method="l1", beside="log,nonsense"))
    assert app.multiselect(key="beside").value == ["log"]
    assert app.header[0].value.startswith("ℓ1 keeps")
    app.multiselect(key="beside").set_value([]).run()
    assert app.query_params["beside"] in ("", [""])
    assert "where" not in finished(app).header[0].value


def test_taking_the_c_where_play_was_stopped_sets_it_everywhere(open_app: Open) -> None:
    app = finished(open_app("path", dataset="planted", method="l1"))
    before = app.session_state["choice"].lam
    app.select_slider(key="path_slider").set_value(10).run()
    press(app, "take")
    app.run()
    choice = chosen(app)
    assert choice.lam != before
    assert choice.lam == pytest.approx(choice.training.lam_max * 10 ** (-4 * 10 / 49))
    assert_fine(app)


def test_moving_the_slider_of_c_overrules_a_c_that_was_taken(open_app: Open) -> None:
    app = finished(open_app("path", dataset="planted", method="l1", C="0.5"))
    slider = next(s for s in app.sidebar.select_slider if s.label == "C")
    slider.set_value(20).run()
    choice = chosen(app)
    assert choice.lam == pytest.approx(0.1 * choice.training.lam_max)


def test_a_play_starts_at_the_empty_model_and_pauses(open_app: Open) -> None:
    app = finished(open_app("path", dataset="planted", method="l1"))
    press(app, "play")
    assert app.session_state["path_frame"] < 5
    press(app, "pause")
    app.run()
    assert "keeps" in next(c.value for c in app.main.caption if "λ/λ_max" in c.value)
    assert_fine(app)
