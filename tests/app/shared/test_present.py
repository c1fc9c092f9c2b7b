"""Presentation: large pictures, by a link or a key, and back."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.figures.look.large import SCALE
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, press, sent


def styled(app: AppTest) -> bool:
    return any("font-size: max(16px" in block.proto.body for block in app.get("html"))


def test_a_link_presents_and_the_key_leads_back_with_the_same_choice(open_app: Open) -> None:
    app = open_app("fit", dataset="planted", method="log", present="1")
    assert_fine(app)
    assert sent(app, "weights")["scale"] == SCALE
    large = sent(app, "weights")["figure"]["layout"]["margin"]["r"]
    assert styled(app)
    choice = app.session_state["choice"]
    press(app, "present_switch")
    assert sent(app, "weights")["scale"] == 1
    assert sent(app, "weights")["figure"]["layout"]["margin"]["r"] == pytest.approx(large / SCALE)
    assert not styled(app)
    assert "present" not in app.query_params
    assert app.session_state["choice"].key == choice.key


def test_a_presentation_goes_on_from_page_to_page_and_is_in_the_address(open_app: Open) -> None:
    app = open_app("data", dataset="planted")
    assert "present" not in app.query_params
    press(app, "present_switch")
    app.switch_page("pages/features.py").run()
    assert_fine(app)
    assert styled(app)
    assert app.query_params["present"] in ("1", ["1"])
    assert app.selectbox(key="dataset").value == "planted", "what is out of sight is drawn all the same"
