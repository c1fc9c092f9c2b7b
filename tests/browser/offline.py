"""Files in a browser without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Locator, Page

from tests.browser.axe import violations

Scheme = Literal["light", "dark"]


@contextmanager
def opened(
    browser: Browser, file: Path, *, width: int = 1366, scheme: Scheme = "light", policy: bool = True
) -> Iterator[Page]:
    """The page of a file; it fails where the page reports an error, or asks for what is not beside it.

    A script of the test's own, such as axe, needs the page without its policy.
    """
    context = browser.new_context(
        viewport={"width": width, "height": 768}, color_scheme=scheme, offline=True, bypass_csp=not policy
    )
    page, faults = context.new_page(), list[str]()
    inside = (file.parent.as_uri(), "data:", "blob:")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: None if asked.url.startswith(inside) else faults.append(asked.url))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert faults == []


def reading(page: Page, name: str) -> Locator:
    """What a saved page tells by this name."""
    return page.locator(f'dd[data-reading="{name}"]')


def assert_nobody_is_kept_out(page: Page) -> None:
    """By axe, in both themes."""
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("() => ![...document.querySelectorAll('.live-chart')].some(c => c.ariaBusy === 'true')")
        assert violations(page) == {}, scheme
