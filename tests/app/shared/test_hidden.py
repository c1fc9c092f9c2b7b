"""``hide=`` in an address: controls and parts out of sight, on every page until all is shown again."""

import re

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from core.lessons.addresses import PARTS_OF_A_PAGE, to_hide
from pages.shared import hidden
from tests.app.conftest import Open
from tests.app.fitting import APP, at_rest, press, sent, until
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("coarse_paths")


def out_of_sight(app: AppTest) -> set[str]:
    """Keys of what the style of ``hide`` puts out of sight."""
    styles = " ".join(block.proto.body for block in app.get("html"))
    return {
        key
        for rule in re.findall(r":is\(([^{]*)\) \{ display: none !important", styles)
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
