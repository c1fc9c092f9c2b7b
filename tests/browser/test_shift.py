"""Nothing moves once it is shown: the browser's own log of what has moved without a touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from pages.shared.frame import PAGES
from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.cases import sweep

MOST = 0.1  # share of the window, summed: "good" in the terms of web vitals
_NOTE_SHIFTS = """(() => {
  window.shifts = [];
  const named = node => {
    const met = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const key = met?.closest('[class*="st-key-"]')?.className.match(/st-key-\\S+/)?.[0] ?? "";
    return `${key} ${met?.tagName} ${met?.dataset.testid ?? ""} "${met?.textContent.slice(0, 40)}"`;
  };
  const told = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver(list => {
    for (const { startTime, value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = one => `${named(one.node)}: ${told(one.previousRect)} to ${told(one.currentRect)}`;
      shifts.push([value, `${Math.round(startTime)} ms, ${value.toFixed(3)}:`, ...sources.map(moved)]);
    }
  }).observe({type: "layout-shift", buffered: true});
})()"""


def shifts(lab: Lab, name: str) -> list[list[float | str]]:
    """What moves while a page is loaded and computed: value, time, and the elements."""
    lab.open("" if name == "start" else name)
    found: list[list[float | str]] = lab.page.evaluate("shifts")
    return found


@pytest.mark.parametrize(("width", "height"), sweep([(1366, 768), (390, 844)]))
@pytest.mark.parametrize("group", PAGES)
def test_nothing_moves_while_a_page_is_loaded_and_computed(
    browser: Browser, server: Server, group: str, width: int, height: int
) -> None:
    """In a browser that is new: what it loads comes late."""
    with browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce") as context:
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.add_init_script(_NOTE_SHIFTS)
        lab = Lab(page, server.address)
        for name in PAGES[group]:
            found = shifts(lab, name)
            told = "\n  ".join(str(words) for shift in found for words in shift[1:])
            assert sum(float(shift[0]) for shift in found) <= MOST, f"{name}:\n  {told}"
