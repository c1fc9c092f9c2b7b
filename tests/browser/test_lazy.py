"""What a page unfolds in the browser: it is there at once, stays while the page changes, and reaches what it is for."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab


def popover(lab: Lab) -> Locator:
    """The content of the popover that is open."""
    return lab.page.get_by_test_id("stPopoverBody").filter(visible=True)


def unfold(lab: Lab, key: str) -> None:
    lab.at(key).locator("button:visible").first.click()


@pytest.mark.more
def test_numbers_of_what_is_under_way_open_stay_open_and_close(lab: Lab) -> None:
    lab.open("features", dataset="python-docs", method="log", features_section="stability")
    more, draw = lab.button("stability_more"), lab.button("stability_draw")
    expect(more.or_(draw)).to_be_visible()  # after a slow first fit nothing begins by itself
    more.or_(draw).click()
    expect(lab.button("stability_stop")).to_be_visible()
    unfold(lab, "keep_stability")
    table = popover(lab).get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    expect(lab.button("stability_stop")).to_have_count(0)
    expect(table).to_be_visible()
    lab.page.keyboard.press("Escape")
    expect(popover(lab)).to_have_count(0)
    lab.wait()
    unfold(lab, "keep_stability")
    expect(table).to_be_visible()
