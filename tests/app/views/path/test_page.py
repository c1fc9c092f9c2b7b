"""The Path page without a browser: sentences, choice of penalties, Play, and data that offers less."""

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.tuning.tuning import best_on_validation
from core.figures.path import path as words
from pages.views.path import page as path_page
from tests.app.conftest import Open
from tests.app.fitting import chosen, control, expected_path, headline_of, press, sent, settled, slider_of_c, title_of
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")


def compared(app: AppTest) -> str:
    """What stands beneath the picture about penalties beside each other."""
    return " ".join(text.value for text in app.main.markdown if " keeps " in text.value)


def test_a_link_that_counts_the_chosen_method_among_four_draws_all_four_under_a_headline_of_one_line(
    open_app: Open,
) -> None:
    app = settled(open_app("path", dataset="planted", method="l1", beside="l1,log,mcp,l0.5"))
    assert len(headline_of(app)) < 115
    assert compared(app).count("features where") == 2, "at the chosen C, and each at its best"
    assert title_of(app, "path").count(" features (") == 4, "the picture says it of each"
    assert not app.main.warning
    control(app.sidebar.selectbox, "method").set_value("scad").run()
    assert app.multiselect(key="beside").value == ["l1", "log", "mcp"]


def test_nothing_is_best_before_paths_are_complete_and_then_its_c_is_one_click_away_until_the_slider_moves(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(path_page, "complete", lambda choice, methods: False)
        app = settled(open_app("path", dataset="planted", method="l1", beside="log,nonsense"))
        assert headline_of(app) == "ℓ1 on planted, Fold1"
        picture = sent(app, "path")
        assert title_of(app, "path") == words.UNFINISHED
        assert "dashed" not in picture["figure"]["layout"]["meta"]["subtitle"]
        assert "dash" not in {shape["line"]["dash"] for shape in picture["figure"]["layout"]["shapes"]}
        assert picture["drag"] is None
        assert app.button(key="take_best").disabled
    settled(app)
    assert sent(app, "path")["drag"]["pauses"]
    assert app.multiselect(key="beside").value == ["log"]
    assert_says(headline_of(app), "ℓ1", "of 60 features")
    assert_says(compared(app), "ℓ1", "log", "best", "validation")
    app.multiselect(key="beside").set_value([]).run()
    assert app.query_params["beside"] in ("", [""])
    assert "against" not in compared(settled(app))

    choice = chosen(app)
    best = best_on_validation(expected_path(choice, "l1"), "NDCG@10")
    assert choice.lam != pytest.approx(best.fit.lam)
    press(app, "take_best")
    assert app.session_state["choice"].lam == pytest.approx(best.fit.lam)

    slider_of_c(app).set_value(20).run()
    choice = chosen(app)
    assert choice.lam == pytest.approx(0.1 * choice.training.lam_max)
