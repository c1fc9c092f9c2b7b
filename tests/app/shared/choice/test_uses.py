"""The sidebar shows the controls that a page uses, the strip a model in use; the state of all others stays."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import frame, hidden
from pages.shared.choice.choice import step_at
from tests.app.conftest import Open
from tests.app.fitting import control, html_of
from tests.program_pages import EXPECTED, PAGES, ROWS

pytestmark = pytest.mark.usefixtures("coarse_paths")


def hides(styles: str) -> set[str]:
    """Groups of controls at rest that styles put out of sight."""
    return set(re.findall(r"\.st-key-choose_(\w+)", styles))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_the_controls_and_the_strip_that_it_uses(monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    expected = EXPECTED[page]
    monkeypatch.setattr(frame, "at", {}.get)
    assert_hidden(hidden.out_of_sight(ROWS[page].used), page)
    assert (hidden.MODEL in ROWS[page].used) == expected.model
    if expected.hidden_at is not None:
        monkeypatch.setattr(frame, "at", expected.hidden_at[0].get)
        assert hides(hidden.out_of_sight(ROWS[page].used)) == expected.hidden_at[1]


def assert_hidden(styles: str, page: str) -> None:
    unused = EXPECTED[page].hidden
    all_of_it = unused == {"data", "fold", "method", "c"}
    assert hides(styles) == (set() if all_of_it else unused)
    assert ('"stSidebarUserContent"]{display:none' in styles.replace(" ", "")) == all_of_it


def test_what_is_out_of_sight_stays_in_the_session_and_the_address(open_app: Open) -> None:
    app = open_app("queries", dataset="planted", method="log", ratio="0.1")
    app.number_input(key="log.epsilon").set_value(0.2).run()
    before = app.session_state["choice"]
    for page in ("data", "docs", "reproduce", "queries"):
        app.switch_page(f"pages/{page}.py").run()
        assert app.session_state["choice"] == before, page
        assert_hidden(html_of(app), page)
        assert ('class="strip"' in html_of(app)) == EXPECTED[page].model, page
        assert_hidden(html_of(app), page)
        assert app.query_params["method"] in ("log", ["log"])
        assert app.query_params["ratio"] in ("0.1", ["0.1"])


def unusual(app: AppTest) -> str:
    """What the sidebar says of settings under More that are not at their defaults."""
    return " ".join(c.value for c in app.sidebar.caption if c.value.startswith("Not as usual"))


def test_a_setting_under_more_that_changes_numbers_is_named_at_rest(open_app: Open) -> None:
    app = open_app("queries", dataset="planted", method="log")
    assert unusual(app) == ""
    app.number_input(key="log.epsilon").set_value(0.2).run()
    app.selectbox(key="scale").set_value("standard").run()
    control(app.selectbox, "solver").set_value("reweighted-l1").run()
    assert all(word in unusual(app) for word in ("epsilon", "scaling", "solver"))
    app.button(key="reset").click().run()
    assert unusual(app) == ""
    app.selectbox(key="dataset").set_value("breast-cancer").run()
    assert unusual(app) == "", "nor is the usual way of reading a file with classes"
    app.selectbox(key="division").set_value("one split").run()
    assert "parts" in unusual(app)
    assert "scaling" not in unusual(app)


def test_a_c_that_is_typed_or_dragged_to_stands_beneath_the_slider_as_on_the_handle(open_app: Open) -> None:
    app = open_app("queries", dataset="planted", method="l1", C="0.0123")
    assert '<b class="exact-c">0.012</b>' in scale_of_c(app)
    assert any("C = 0.0123, λ/λ_max = " in slider.help for slider in app.select_slider)
    control(app.text_input, "C").set_value("0.02").run()
    assert app.session_state["ratio_step"] == step_at(app.session_state["choice"].regularization.ratio)
    control(app.text_input, "C").set_value("").run()
    assert scale_of_c(app)
    assert "exact-c" not in scale_of_c(app)


def scale_of_c(app: AppTest) -> str:
    return next((html.proto.body for html in app.get("html") if "scale-of-c" in html.proto.body), "")
