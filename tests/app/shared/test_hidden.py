"""``hide=`` in an address: controls and parts out of sight, on every page until all is shown again.

The sidebar shows the controls that a page uses, the strip a model in use; the state of all others stays.
"""

import re

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from core.lessons.addresses import PARTS_OF_A_PAGE, to_hide
from pages.shared import frame, hidden
from pages.shared.choice.choice import step_at
from tests.app.conftest import Open
from tests.app.fitting import APP, at_rest, control, html_of, press, sent, until
from tests.program_pages import EXAMPLE, EXPECTED, PAGES, ROWS
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")


def out_of_sight(app: AppTest) -> set[str]:
    """Keys of what the style of ``hide`` puts out of sight."""
    return {
        key
        for rule in re.findall(r":is\(([^{]*)\) \{ display: none !important", html_of(app))
        for key in re.findall(r"st-key-(\w+)", rule)
    }


def test_controls_stay_hidden_from_page_to_page_until_everything_is_shown(open_app: Open) -> None:
    app = open_app("path", dataset="planted", method="log", hide="method,path_by")
    assert {"choose_method", "path_by"} <= out_of_sight(app)
    assert app.session_state["choice"].method_id == "log", "what is hidden goes on to hold"
    app.switch_page("pages/features.py").run()
    assert {"choose_method", "path_by"} <= out_of_sight(app)
    assert app.query_params["hide"] in ("method,path_by", ["method,path_by"])
    press(app, "show_everything")
    assert "choose_method" not in out_of_sight(app)
    assert "hide" not in app.query_params


def test_a_hidden_handle_is_not_sent_nor_are_hidden_numbers(open_app: Open) -> None:
    for hide, shown in (("", True), ("table", False)):
        boxes = open_app("data", dataset="planted", hide=hide).get("popover")
        assert any(box.proto.id.endswith("-keep_labels") for box in boxes) is shown
    fit = open_app("fit", dataset="planted", method="l1")
    until(lambda: at_rest() and sent(fit.run(), "weights")["drag"] is not None)
    fit.session_state["hide"] = "handle"
    assert sent(fit.run(), "weights")["drag"] is None


def test_a_name_that_there_is_not_is_said_in_one_sentence(open_app: Open) -> None:
    app = open_app("data", dataset="planted", hide="method,<b>no*such</b>")
    assert_says(app.warning[0].value, "no\\*such")
    assert "choose_method" in out_of_sight(app)


def test_every_name_has_a_place_in_the_app() -> None:
    """The registry is a plain list: a control that is renamed must not stay on it."""
    places = (APP.parent / "pages", APP.parent / "core" / "figures")  # which declare the options of pictures
    code = "\n".join(path.read_text(encoding="utf-8") for place in places for path in place.rglob("*.py"))
    controls = to_hide() - set(PARTS_OF_A_PAGE)
    assert not [name for name in controls if f'"{name}"' not in code]
    assert all(hidden._place(name) for name in to_hide())


def test_a_screen_reader_is_told_no_more_than_the_picture_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = go.Figure([go.Scatter(name="log"), go.Scatter(name="<b>ℓ1</b>, refitted")])

    def told(*hide: str) -> str:
        monkeypatch.setattr(hidden, "names", lambda: frozenset(hide))
        return hidden.description(figure, "log keeps 3")

    assert told() == told("legend") == "log keeps 3"
    assert_says(told("title"), "hidden", "log", "ℓ1, refitted")
    assert "keeps 3" not in told("title")


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
    app = open_app(EXAMPLE, dataset="planted", method="log", ratio="0.1")
    app.number_input(key="log.epsilon").set_value(0.2).run()
    before = app.session_state["choice"]
    one_of_each = {row.hidden: page for page, row in reversed(EXPECTED.items()) if "method" in row.hidden}
    for page in (*one_of_each.values(), EXAMPLE):
        app.switch_page(f"pages/{page}.py").run()
        assert app.session_state["choice"] == before, page
        assert_hidden(html_of(app), page)
        assert ('class="strip"' in html_of(app)) == EXPECTED[page].model, page
        assert app.query_params["method"] in ("log", ["log"])
        assert app.query_params["ratio"] in ("0.1", ["0.1"])


def unusual(app: AppTest) -> str:
    """What the sidebar says of settings under More that are not at their defaults."""
    return " ".join(c.value for c in app.sidebar.caption if c.value.startswith("Not as usual"))


def test_a_setting_under_more_that_changes_numbers_is_named_at_rest(open_app: Open) -> None:
    app = open_app(EXAMPLE, dataset="planted", method="log", missing="drop")
    assert unusual(app) == ""
    app.number_input(key="log.epsilon").set_value(0.2).run()
    app.selectbox(key="scale").set_value("standard").run()
    control(app.selectbox, "solver").set_value("reweighted-l1").run()
    assert all(word in unusual(app) for word in ("epsilon", "scaling", "solver"))
    app.button(key="reset").click().run()
    assert unusual(app) == ""
    assert "missing" not in app.query_params, "nor does the address keep what no control shows"
    app.selectbox(key="dataset").set_value("breast-cancer").run()
    assert unusual(app) == "", "nor is the usual way of reading a file with classes"
    app.selectbox(key="division").set_value("one split").run()
    assert "parts" in unusual(app)
    assert "scaling" not in unusual(app)


def test_a_c_that_is_typed_or_dragged_to_stands_beneath_the_slider_as_on_the_handle(open_app: Open) -> None:
    app = open_app(EXAMPLE, dataset="planted", method="l1", C="0.0123")
    assert '<b class="exact-c">0.012</b>' in scale_of_c(app)
    assert any("C = 0.0123, λ/λ_max = " in slider.help for slider in app.select_slider)
    control(app.text_input, "C").set_value("0.02").run()
    assert app.session_state["ratio_step"] == step_at(app.session_state["choice"].regularization.ratio)
    control(app.text_input, "C").set_value("").run()
    assert scale_of_c(app)
    assert "exact-c" not in scale_of_c(app)


def scale_of_c(app: AppTest) -> str:
    return next((html.proto.body for html in app.get("html") if "scale-of-c" in html.proto.body), "")
