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


def open_path(lab: Lab) -> None:
    lab.open("path", dataset="planted", method="l1", beside="l1", ratio="0.1")
    expect(lab.page.get_by_role("slider", name="C", exact=True).last).to_be_visible()
    lab.wait()


@pytest.mark.more
def test_numbers_are_there_when_they_are_opened_follow_c_and_choose_the_format_of_the_camera(lab: Lab) -> None:
    open_path(lab)
    before, length = lab.page.url, lab.page.evaluate("history.length")
    unfold(lab, "keep_path")
    expect(popover(lab).get_by_test_id("stDataFrame")).to_be_visible()
    lab.page.keyboard.press("Escape")
    lab.wait()
    assert (lab.page.url, lab.page.evaluate("history.length")) == (before, length), "no step of Back"

    slider = lab.at("choose_c").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    lab.wait()
    moved = lab.query["ratio"]
    assert moved != "0.1"
    unfold(lab, "keep_path")
    expect(popover(lab).get_by_test_id("stDataFrame")).to_be_visible()
    script = popover(lab).get_by_test_id("stCode")
    expect(script).to_contain_text("paths")
    before = script.inner_text()
    with lab.page.expect_download() as saved:
        popover(lab).get_by_role("button", name="CSV").click()
    assert saved.value.suggested_filename == "path.csv"
    assert saved.value.path().read_text(encoding="utf-8").startswith("penalty,C,")
    # A click outside would close it; this brings another C all the same.
    lab.page.go_back()
    expect(script).not_to_have_text(before)
    lab.wait()
    assert lab.query["ratio"] != moved
    expect(popover(lab).get_by_test_id("stDataFrame")).to_be_visible()
    lab.page.keyboard.press("Escape")
    expect(popover(lab)).to_have_count(0)
    lab.wait()
    unfold(lab, "keep_path")
    expect(popover(lab).get_by_test_id("stDataFrame")).to_be_visible()
    svg = lab.at("format_path").get_by_role("radio", name="svg", exact=True)
    svg.click()
    expect(svg).to_be_checked()
    lab.page.keyboard.press("Escape")
    lab.wait()
    assert _saved(lab) == "path.svg"
    slider.focus()
    slider.press("ArrowRight")
    lab.wait()
    assert _saved(lab) == "path.svg"
    unfold(lab, "keep_path")
    expect(svg).to_be_checked()


def _saved(lab: Lab) -> str:
    """The name of the file that the camera of the picture makes."""
    chart = lab.at("chart_path")
    chart.hover()
    with lab.page.expect_download() as saved:
        chart.locator("[data-title='Download the picture']").click()
    return saved.value.suggested_filename


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
