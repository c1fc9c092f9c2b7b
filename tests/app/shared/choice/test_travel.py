"""Back and Forward: controls that the pages themselves write to the address follow it, and only then."""

from __future__ import annotations

from functools import partial

import pytest
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.shared import keys
from tests.app.conftest import Open
from tests.app.fitting import assert_fine, chosen

pytestmark = pytest.mark.usefixtures("all_unfolded")

Address = dict[str, list[str]]


def go_to(app: AppTest, address: Address, monkeypatch: pytest.MonkeyPatch, *, back: bool = True) -> None:
    app.query_params = address
    with monkeypatch.context() as browser:
        browser.setattr(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=back))
        app.run()
    assert_fine(app)


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


def test_back_brings_method_solver_and_rules(changed: tuple[AppTest, Address], monkeypatch: pytest.MonkeyPatch) -> None:
    app, before = changed
    after, now = dict(app.query_params), chosen(app)
    go_to(app, before, monkeypatch)
    assert (chosen(app).method_id, chosen(app).solver_id) == ("l1", "proximal-newton")
    assert not chosen(app).rules.active
    assert dict(app.query_params) == before
    go_to(app, after, monkeypatch)
    assert chosen(app).key == now.key


def test_an_address_that_lags_behind_is_not_followed(
    changed: tuple[AppTest, Address], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, before = changed
    go_to(app, before, monkeypatch, back=False)
    assert chosen(app).method_id == "mcp"
    assert chosen(app).rules.active


def test_what_the_session_keeps_for_itself_is_not_forgotten_for_a_word_in_an_address(
    changed: tuple[AppTest, Address], monkeypatch: pytest.MonkeyPatch
) -> None:
    app, before = changed
    states = list(app.session_state["history"].states)
    go_to(app, before | {"history": ["x"], keys.CHOICE: ["x"], "pins": ["x"]}, monkeypatch)
    assert app.session_state["history"].states[: len(states)] == states
