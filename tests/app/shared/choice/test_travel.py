"""Back and Forward: what pages write to the address follows it, and an address that lags behind is not followed."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import keys
from tests.app.conftest import Open
from tests.app.fitting import Address, chosen, step_to

pytestmark = pytest.mark.usefixtures("all_unfolded")
Changed = tuple[AppTest, Address, float]


@pytest.fixture
def changed(open_app: Open) -> Changed:
    """The app after method, solver, rules and C have been chosen; the address and lambda from before."""
    app = open_app("data", dataset="planted", method="l1", ratio="0.1")
    address, lam = dict(app.query_params), chosen(app).lam
    for key, value in {keys.METHOD: "mcp", keys.OFF: "1,2", keys.C: "0.02"}.items():  # as callbacks leave them
        app.session_state[key] = value
    app.run()
    app.session_state[keys.SOLVER] = chosen(app).method.solvers[-1].id
    app.run()
    assert chosen(app).solver_id != chosen(app).method.solvers[0].id
    assert chosen(app).rules.active
    assert chosen(app).c == pytest.approx(0.02)
    assert "off" in app.query_params
    assert app.query_params["ratio"] != address["ratio"], "the slider follows"
    return app, address, lam


def test_back_brings_method_solver_rules_and_c_and_forward_what_was_chosen(changed: Changed) -> None:
    app, before, lam = changed
    after, now = dict(app.query_params), chosen(app)
    step_to(app, before)
    assert (chosen(app).method_id, chosen(app).solver_id, chosen(app).lam) == ("l1", "proximal-newton", lam)
    assert not chosen(app).rules.active
    assert dict(app.query_params) == before
    step_to(app, after)
    assert chosen(app).key == now.key


@pytest.mark.parametrize("ratio", [None, "soup"])
def test_back_to_an_address_without_a_ratio_leaves_the_slider(changed: Changed, ratio: str | None) -> None:
    app, before, _ = changed
    step = app.session_state[keys.RATIO_STEP]
    kept = {name: value for name, value in before.items() if name != "ratio"}
    step_to(app, kept if ratio is None else kept | {"ratio": [ratio]})
    assert (app.session_state[keys.RATIO_STEP], app.session_state[keys.C]) == (step, "")


def test_an_address_that_lags_behind_is_not_followed(changed: Changed) -> None:
    app, before, _ = changed
    step = app.session_state[keys.RATIO_STEP]
    app.session_state[keys.C] = ""
    app.query_params = before
    app.run()
    assert chosen(app).method_id == "mcp"
    assert chosen(app).rules.active
    assert chosen(app).regularization.step == step
    assert app.query_params["ratio"] != before["ratio"]


def test_what_the_session_keeps_for_itself_is_not_forgotten_for_a_word_in_an_address(changed: Changed) -> None:
    app, before, _ = changed
    app.session_state["quick_fits"] = {"of another choice": None}
    step_to(app, before | {"quick_fits": ["x"], keys.CHOICE: ["x"], "pins": ["x"]})
    assert "of another choice" in app.session_state["quick_fits"]
