"""Back and Forward: controls that the pages themselves write to the address follow it, and only then."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import keys
from tests.app.conftest import Open
from tests.app.fitting import Address, chosen, step_to

pytestmark = pytest.mark.usefixtures("all_unfolded")


@pytest.fixture
def changed(open_app: Open) -> tuple[AppTest, Address]:
    """The app after method, solver and rules have been chosen, and the address from before."""
    app = open_app("data", dataset="planted", method="l1", ratio="0.1")
    address = dict(app.query_params)
    app.session_state[keys.METHOD] = "mcp"
    app.session_state[keys.OFF] = "1,2"
    app.run()
    app.session_state[keys.SOLVER] = chosen(app).method.solvers[-1].id
    app.run()
    assert chosen(app).solver_id != chosen(app).method.solvers[0].id
    assert chosen(app).rules.active
    assert "off" in app.query_params
    return app, address


def test_back_brings_method_solver_and_rules(changed: tuple[AppTest, Address]) -> None:
    app, before = changed
    after, now = dict(app.query_params), chosen(app)
    step_to(app, before)
    assert (chosen(app).method_id, chosen(app).solver_id) == ("l1", "proximal-newton")
    assert not chosen(app).rules.active
    assert dict(app.query_params) == before
    step_to(app, after)
    assert chosen(app).key == now.key


def test_an_address_that_lags_behind_is_not_followed(changed: tuple[AppTest, Address]) -> None:
    app, before = changed
    app.query_params = before
    app.run()
    assert chosen(app).method_id == "mcp"
    assert chosen(app).rules.active


def test_what_the_session_keeps_for_itself_is_not_forgotten_for_a_word_in_an_address(
    changed: tuple[AppTest, Address],
) -> None:
    app, before = changed
    app.session_state["quick_fits"] = {"of another choice": None}
    step_to(app, before | {"quick_fits": ["x"], keys.CHOICE: ["x"], "pins": ["x"]})
    assert "of another choice" in app.session_state["quick_fits"]
