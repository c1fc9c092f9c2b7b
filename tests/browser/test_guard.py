"""The policy that answers carry, in a browser: pages of another port get nothing.

That all pages work under it every test here shows: a breach is an error on the console, and none lets one pass.
"""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.browser.server import Server

_TRY = """async address => {
  const at = new URL(address);
  const socket = new WebSocket(`ws://${at.host}/_stcore/stream`, ["streamlit"]);
  const opened = await new Promise(done => { socket.onopen = () => done(true); socket.onerror = () => done(false); });
  const frame = document.createElement("iframe");
  const shown = new Promise(done => { frame.onload = done; setTimeout(done, 10000); });
  frame.src = address;
  document.body.append(frame);
  await shown;
  return opened;
}"""


class _Empty(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>other</title><body>")

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def other_port() -> Iterator[str]:
    """A page of another server on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Empty) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_page_of_another_port_opens_no_websocket_and_no_frame(
    browser: Browser, server: Server, other_port: str
) -> None:
    context = browser.new_context()
    try:
        own = context.new_page()
        own.goto(server.address)
        assert own.evaluate(_TRY, server.address)
        assert [urlsplit(frame.url).scheme for frame in own.frames[1:]] == ["http"]
        page = context.new_page()
        page.goto(other_port)
        assert not page.evaluate(_TRY, server.address)
        assert [urlsplit(frame.url).scheme for frame in page.frames[1:]] == ["chrome-error"]
    finally:
        context.close()
