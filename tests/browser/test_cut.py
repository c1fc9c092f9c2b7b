"""A connection that is cut for a while: what was under way goes on, and the page finds it again by itself.

``CUT_SECONDS`` says for how long; the server keeps a visitor's session for two minutes.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.browser.test_stop_and_continue import start, stop

SECONDS = float(os.environ.get("CUT_SECONDS", "4"))


class Line:
    """All connections between a browser and the server, which can be cut."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._server = (place.hostname or "", place.port or 0)
        self._open: list[socket.socket] = []
        self._whole = True
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every connection, and every new one."""
        with self._lock:
            self._whole = False
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._open.clear()

    def mend(self) -> None:
        """Let the browser through again."""
        self._whole = True

    def close(self) -> None:
        """For good."""
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):  # it has been closed
            while True:
                near, _ = self._listening.accept()
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(self._server)
                with self._lock:
                    self._open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while said := one.recv(65536):
                other.sendall(said)
            other.shutdown(socket.SHUT_WR)


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    made = Line(server.address)
    yield made
    made.close()
    server.assert_quiet()


@pytest.mark.more
def test_a_fit_goes_on_while_the_connection_is_cut(browser: Browser, line: Line) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})  # its console tells of the lost connection
    context.set_default_timeout(120_000)
    lab = Lab(context.new_page(), line.address)
    start(lab, C="0.0123")
    before = lab.steps_beyond(0)
    line.cut()
    lab.page.wait_for_timeout(1000 * SECONDS)
    line.mend()
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
