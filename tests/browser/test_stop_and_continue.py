"""Stop, Continue, a fit that is found again after a reload or a cut connection, and two tabs.

That Stop ends a pause between steps is held by ``tests/app/shared/work/test_board.py``, where the pause is a minute.
``CUT_SECONDS`` says for how long the connection is cut; the server keeps a visitor's session for two minutes.
"""

import os
import re
import time

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.lab import Lab, Line
from tests.browser.server import Server

ENDLESS = {"dataset": "planted", "method": "l1", "solver": "subgradient", "tol": "1e-10"}


def start(lab: Lab, pace: str = "full speed", **own: str) -> float:
    """Press Fit and tell when. The fit takes long: the subgradient method never gets to a gap of 1e-10.

    The fit of a session that has gone changes hands, so what another test of the same problem has left is drawn until
    this one's first steps are; who counts steps from the first asks for a problem of ``own``.
    """
    lab.open("fit", **ENDLESS, **own)
    if pace != "full speed":
        lab.press("fit_more")
        lab.choose("pace", pace)
        lab.page.keyboard.press("Escape")
    pressed = time.monotonic()
    lab.press("fit")
    lab.says("Running")
    return pressed


def stop(lab: Lab) -> int:
    """Stop, and return the step at which it stands."""
    lab.press("stop")
    lab.says("Stopped")
    lab.wait()
    return lab.steps_drawn()


def test_a_fit_grows_on_the_screen_stops_and_goes_on_from_there(lab: Lab) -> None:
    start(lab)
    first = lab.steps_beyond(0)
    lab.steps_beyond(lab.steps_beyond(first))

    stopped = stop(lab)
    assert lab.drawn("convergence")[-1].text == ["stopped"]
    lab.page.wait_for_timeout(700)
    assert lab.steps_drawn() == stopped

    lab.press("continue")
    lab.says("Running")
    smallest = lab.steps_beyond(-1)
    assert smallest >= stopped, "it began again instead of going on"
    lab.steps_beyond(stopped)
    lab.button("stop").dblclick()  # twice does no harm
    lab.says("Stopped")
    lab.wait()
    again = lab.steps_drawn()
    assert again > stopped
    expect(lab.button("stop")).to_be_disabled()
    lab.press("continue")
    assert lab.steps_beyond(again) > again
    stop(lab)


def test_a_slow_fit_is_found_again_after_a_reload_and_stops(lab: Lab) -> None:
    pressed = start(lab, "1 step a second", ratio="0.07")
    reached = lab.steps_beyond(4)
    assert reached <= 1 + time.monotonic() - pressed, "none is drawn before its second, however late"
    lab.reload()
    lab.says("Running")
    assert lab.steps_beyond(-1) >= reached, "it was lost"
    assert {key: lab.query[key] for key in ("dataset", "solver")} == {"dataset": "planted", "solver": "subgradient"}
    stopped = stop(lab)
    lab.page.wait_for_timeout(1500)
    assert lab.steps_drawn() == stopped


@pytest.mark.more
def test_two_tabs_with_different_choices_do_not_disturb_each_other(lab: Lab) -> None:
    other = Lab(lab.page.context.new_page(), lab.address)
    lab.open("fit", **ENDLESS)
    other.open("fit", dataset="planted", method="l2")
    lab.press("fit")
    lab.says("Running")
    other.press("fit")
    other.says("Converged")
    expect(other.page.locator("h1, h2").first).to_have_text(re.compile("ℓ2 keeps"))
    reached = lab.steps_beyond(lab.steps_drawn())
    other.choose("method", "RankSVM SCAD")
    other.says("stationarity")
    assert lab.value("method") == "RankSVM ℓ1"
    lab.steps_beyond(reached)
    lab.press("stop")
    lab.says("Stopped")
    lab.choose("dataset", "breast-cancer")
    expect(lab.at("fold").get_by_role("combobox")).to_have_value("split 1")  # and no longer Fold1


TICKS = 6  # enough for the fit that has been chosen to end, and for the page to be drawn again if they count


def test_a_method_that_is_chosen_while_a_fit_runs_stays_chosen(lab: Lab) -> None:
    """The buttons of the methods still show the one before, and what the page sends says so."""
    line = Line(lab, TICKS)
    lab.open("fit", dataset="planted", method="l1", solver="subgradient", tol="1e-10", ratio="0.09")
    lab.press("fit")
    lab.says("Running")
    line.slow = True
    lab.at("method").get_by_role("combobox").click()
    lab.page.get_by_role("option", name="RankSVM log", exact=True).click()
    lab.says("stationary point", 60)
    lab.wait()
    expect(lab.at("method").get_by_role("combobox")).to_have_value("RankSVM log")
    assert "log keeps" in lab.headline
    assert not line.slow, "no answer was late"


SECONDS = float(os.environ.get("CUT_SECONDS", "4"))


@pytest.mark.more
def test_a_fit_goes_on_while_the_connection_is_cut(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})  # its console tells of the lost connection
    context.set_default_timeout(120_000)
    lab = Lab(context.new_page(), server.address)
    ends: list[WebSocketRoute] = []
    cut = False

    def joined(page: WebSocketRoute) -> None:
        ends.extend([page] if cut else [page, page.connect_to_server()])
        if cut:
            page.close()

    lab.page.route_web_socket("**/_stcore/stream", joined)
    start(lab, C="0.0123")
    before = lab.steps_beyond(0)
    cut = True
    for end in ends:
        end.close()
    lab.page.wait_for_timeout(1000 * SECONDS)
    cut = False
    after = lab.steps_beyond(before)
    assert after > before
    assert lab.query["C"] == "0.0123"
    assert stop(lab) >= after  # the page answers its visitor again, of the same fit
    fault = "() => window.dispatchEvent(new ErrorEvent('error', {message: 'Bad delta path index 5'}))"
    with lab.page.expect_navigation():  # Streamlit has given the page up: it is loaded again, once
        lab.page.evaluate(fault)
    lab.says("Stopped")
    lab.page.evaluate("() => { window.stays = true }")
    lab.page.evaluate(fault)
    lab.page.wait_for_timeout(500)
    assert lab.page.evaluate("() => window.stays")
    context.close()
    server.assert_quiet()
