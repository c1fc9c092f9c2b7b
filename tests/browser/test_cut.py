"""A connection that is cut for a while: what was under way goes on, and the page finds it again by itself.

``CUT_SECONDS`` says for how long; the server keeps a visitor's session for two minutes.
"""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.browser.test_stop_and_continue import start, stop

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
