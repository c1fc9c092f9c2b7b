"""The real server, a real Chromium, and a watch over both: nothing may go wrong unseen in any browser test."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    WebError,
    expect,
    sync_playwright,
)

from tests.browser.lab import Lab
from tests.browser.server import Server

HERE = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--process-per-site"]
expect.set_options(timeout=150_000)
NAMES = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here are of one kind: each worker has one server and one browser for all of them."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium. A machine without one may skip these tests, one that checks changes may not."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        reason = f"no Chromium: CHROMIUM does not name one, and none of {', '.join(NAMES)} is on the PATH"
        pytest.fail(reason) if "CI" in os.environ else pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Neither the server nor the command line in these tests touches the cache of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARSE_RANK_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("SPARSE_RANK_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session")
def server(chromium: str, own_cache: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server") / "log.txt") as running:
        yield running


@pytest.fixture(scope="session")
def warm(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The browser of a worker's tests: what it has loaded once, scripts above all, it has for the next test as well."""
    # What turns and shimmers while one waits is painted by the processor here, which the pages need.
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light", reduced_motion="reduce")
    opened.set_default_timeout(120_000)
    opened.new_page().goto(f"{server.address}/_stcore/health")  # keeps the process that has compiled the scripts
    yield opened
    opened.close()


@pytest.fixture
def context(warm: BrowserContext) -> Iterator[BrowserContext]:
    """Tabs of a person who is new here; the test fails where any of them reports an error or asks another machine."""
    with Watch(warm) as watch:
        yield warm
        for page in warm.pages[1:]:
            _forget_visit(page)
            page.close()
    warm.clear_cookies()
    warm.clear_permissions()
    watch.assert_quiet()


def _forget_visit(page: Page) -> None:
    address = urlsplit(page.url)
    if address.scheme == "http":
        origin = {"origin": f"{address.scheme}://{address.netloc}", "storageTypes": "local_storage"}
        page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", origin)


@pytest.fixture
def lab(server: Server, context: BrowserContext) -> Iterator[Lab]:
    """The app in one tab, nothing opened yet."""
    yield Lab(context.new_page(), server.address)
    server.assert_quiet()


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
