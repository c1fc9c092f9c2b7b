"""Every page for everybody: axe finds nothing that is ours, in both themes, and letters of pictures stand out.

Opening a page is what takes time, so what else is measured of each stands in the same visit: its first screen, titles
of its charts, and its presentation.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from tests.browser.axe import AT_FULL, in_theme, pale_letters, violations
from tests.browser.lab import Lab
from tests.browser.test_appearance import assert_titles_are_whole_wide_and_narrow
from tests.browser.test_first_screen import (
    PAINTED,
    assert_can_be_read_from_the_last_row,
    assert_the_first_screen_is_whole,
    assert_the_picture_rules_every_screen,
    present,
)
from tests.cases import sweep
from tests.program_pages import EXPECTED, Expected, Query


def _addresses(of: Callable[[Expected], tuple[Query, ...]]) -> list[tuple[str, Query]]:
    return [("" if page == "start" else page, query) for page, one in EXPECTED.items() for query in of(one)]


OPENED = _addresses(lambda expected: expected.opened)
FIRST_SCREENS = _addresses(lambda expected: expected.opened[:1] if expected.share else ())
"""How each page is opened whose first screen is measured."""
PRESENTED = _addresses(lambda expected: expected.presented)
"""What can be read from the last row; the Lab, Path and Fit are presented in ``test_first_screen``."""
STEPS = [(page, query) for page, query in PRESENTED if query and page != "features"]
"""Whose picture rules every screen, as that of each page does; Features asks further beneath its own."""
NARROW = ((683, 384), (320, 640))
"""A laptop at 200 %, and the narrowest window of WCAG 1.4.10."""
# By how much the page is wider than the window, where its picture begins, and formulas wider than their boxes.
_ROOM = """() => {
  const main = document.querySelector('[data-testid="stMain"]'), page = document.scrollingElement;
  const formulas = [...document.querySelectorAll(".katex-display")].filter(one => one.scrollWidth > one.clientWidth);
  const top = document.querySelector(".st-key-picture")?.getBoundingClientRect().top ?? 0;
  const beside = Math.max(main.scrollWidth - main.clientWidth, page.scrollWidth - page.clientWidth);
  return [beside, top, formulas.map(one => one.textContent)];
}"""

# Whether every title of an axis stands within its picture, which is drawn again after the window.
_AXES_WHOLE = """() => [...document.querySelectorAll(".live-chart")].every(chart => {
  const { left, right } = chart.getBoundingClientRect();
  const titles = [...chart.querySelectorAll(".xtitle, .x2title")].filter(one => one.textContent);
  return titles.map(one => one.getBoundingClientRect()).every(one => one.left > left - 1 && one.right < right + 1);
})"""

_PALE_STILL = """() => [document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState,
  ...[...document.querySelectorAll('[data-stale="true"]')].map(one => one.className.slice(0, 90))]"""


def at_full_strength(lab: Lab) -> None:
    """Wait until nothing is pale any more, or say what stays so."""
    try:
        lab.page.wait_for_function(AT_FULL, timeout=60_000)
    except PlaywrightTimeout:
        pytest.fail(f"still pale: {lab.page.evaluate(_PALE_STILL)}")


@pytest.mark.parametrize(("page", "query"), sweep(OPENED))
def test_nothing_that_is_ours_keeps_anybody_out(lab: Lab, page: str, query: dict[str, str]) -> None:
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.page.add_init_script(PAINTED)
    lab.open(page, **{"dataset": "planted", "method": "log", "ratio": "0.01"} | query)
    for work in ("paths", "yardstick", "ten", "alternatives"):  # as long as it can be stopped, the page is drawn again
        expect(lab.at(f"{work}_stop")).to_have_count(0, timeout=150_000)
    lab.wait()
    held = "document.getAnimations().some(one => one.animationName === 'held')"
    lab.page.wait_for_function(f"() => !{held}", timeout=4_000)  # by what has come it would be for ten seconds
    told = lab.page.locator("[class*=st-key-link_notice]")
    assert (told.count() > 0) == ("nobody" in query.values()), "the page names what it cannot use of a link"
    laptops = []
    for scheme in ("light", "dark"):
        in_theme(lab.page, scheme)
        lab.wait()
        at_full_strength(lab)
        assert violations(lab.page) == {}, scheme
        assert pale_letters(lab.page) == [], scheme
        if (page, query) in FIRST_SCREENS:
            laptops.append(assert_the_first_screen_is_whole(lab, page))
    if laptops:
        light, dark = laptops
        assert dark["top"] == pytest.approx(light["top"], abs=1.0)
        assert dark["share"] == pytest.approx(light["share"], abs=0.01)
    if laptops or (page, query) in STEPS:
        assert_the_picture_rules_every_screen(lab, page)
    if page == "fit" and not query:  # on a phone, as the first screen leaves it
        expect(lab.button("fit")).to_be_in_viewport(ratio=1)
    if page == "features" and not query:  # an answer unfolds beneath the first screen
        lab.page.set_viewport_size({"width": 1366, "height": 768})
        lab.click(lab.page.get_by_text("Which enter first"))
        expect(lab.at("chart_entry")).to_be_in_viewport(ratio=0.6)
    keys = lab.page.locator("button kbd").all_inner_texts()
    assert all(len(key) > 1 for key in keys), "who dictates would press a single letter"
    for width, height in NARROW:
        lab.page.set_viewport_size({"width": width, "height": height})
        lab.wait()
        beside, top, cut = lab.page.evaluate(_ROOM)
        assert beside == 0, "the page scrolls down only"
        assert top < height, "the picture begins on the first screen"
        assert cut == [], "formulas"
        lab.page.wait_for_function(_AXES_WHOLE)
    if EXPECTED[page or "start"].titled and not query:
        assert_titles_are_whole_wide_and_narrow(lab)
    if (page, query) in PRESENTED:
        present(lab)
        assert_can_be_read_from_the_last_row(lab, page)
