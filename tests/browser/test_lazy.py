"""What a page unfolds in the browser: it is there at once, stays while the page changes, and reaches what it is for."""

from __future__ import annotations

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


def test_numbers_are_there_when_they_are_opened_and_follow_c(lab: Lab) -> None:
    open_path(lab)
    slider = lab.at("c_control").get_by_role("slider")
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
    lab.page.keyboard.press("Control+z")
    expect(script).not_to_have_text(before)
    lab.wait()
    assert lab.query["ratio"] != moved
    expect(popover(lab).get_by_test_id("stDataFrame")).to_be_visible()
    lab.page.keyboard.press("Escape")
    expect(popover(lab)).to_have_count(0)
    lab.wait()
    unfold(lab, "keep_path")
    expect(popover(lab).get_by_test_id("stDataFrame")).to_be_visible()


def test_another_format_for_the_camera_reaches_the_picture_at_once_and_stays(lab: Lab) -> None:
    open_path(lab)
    unfold(lab, "keep_path")
    lab.pick("format_path", "svg")
    expect(lab.at("format_path").get_by_role("radio", name="svg", exact=True)).to_be_checked()
    lab.page.keyboard.press("Escape")
    lab.wait()
    assert _saved(lab) == "path.svg"
    slider = lab.at("c_control").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    lab.wait()
    assert _saved(lab) == "path.svg"
    unfold(lab, "keep_path")
    expect(lab.at("format_path").get_by_role("radio", name="svg", exact=True)).to_be_checked()


def _saved(lab: Lab) -> str:
    """The name of the file that the camera of the picture makes."""
    chart = lab.at("chart_path")
    chart.hover()
    with lab.page.expect_download() as saved:
        chart.locator("[data-title='Download the picture']").click()
    return saved.value.suggested_filename


def test_opening_is_no_step_of_back_and_undo(lab: Lab) -> None:
    open_path(lab)
    before, length = lab.page.url, lab.page.evaluate("history.length")
    unfold(lab, "keep_path")
    expect(popover(lab).get_by_test_id("stDataFrame")).to_be_visible()
    lab.page.keyboard.press("Escape")
    lab.wait()
    assert (lab.page.url, lab.page.evaluate("history.length")) == (before, length)
    expect(lab.button("undo")).to_be_disabled()


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


def test_buttons_of_the_lab_stand_side_by_side(lab: Lab) -> None:
    lab.open(dataset="planted", method="l1")
    tour, more = (lab.at(key).locator("button:visible").first.bounding_box() for key in ("lab_tour", "lab_more"))
    assert tour is not None
    assert more is not None
    assert tour["y"] == more["y"]
    assert 0.0 < more["x"] - tour["x"] - tour["width"] < 30.0


def test_what_is_said_of_saving_is_seen_though_only_the_panel_is_drawn_again(lab: Lab) -> None:
    lab.open("data", dataset="planted", method="l1")
    unfold(lab, "presets")
    lab.press("preset_save")
    expect(lab.page.get_by_test_id("stToast")).to_contain_text("Give the choice a name first.")
