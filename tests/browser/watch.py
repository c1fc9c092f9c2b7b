"""What may never happen in a browser, whatever a test looks at: errors, and requests that leave the machine."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

# On a deep link Streamlit's own front end first looks for its server below the page's path.
PROBE = re.compile(r"^/[a-z]+/_stcore/(health|host-config)$")


class Watch:
    """Collects what goes wrong in all tabs of a browser context while it is open."""

    def __init__(self, context: BrowserContext) -> None:
        self._seen: list[str] = []
        self._context = context

    def __enter__(self) -> Watch:
        self._context.on("console", self._console)
        self._context.on("weberror", self._page_error)
        self._context.on("request", self._request)
        return self

    def __exit__(self, *_: object) -> None:
        self._context.remove_listener("console", self._console)
        self._context.remove_listener("weberror", self._page_error)
        self._context.remove_listener("request", self._request)

    def assert_quiet(self) -> None:
        """Nothing has gone wrong so far."""
        assert not self._seen, "\n".join(self._seen)

    def _console(self, message: ConsoleMessage) -> None:
        probed = "404" in message.text and PROBE.match(urlsplit(message.location["url"]).path)
        if message.type == "error" and not probed:
            self._seen.append(f"console: {message.text} ({message.location['url']})")

    def _page_error(self, error: WebError) -> None:
        self._seen.append(f"page error: {error.error}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.hostname not in ("127.0.0.1", "localhost"):
            self._seen.append(f"a request left the machine: {request.url}")
