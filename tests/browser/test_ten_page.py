"""A file of costs that is still being sent when its box is closed is named, and counts when it is given again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from core.data import open_dataset
from tests.browser.lab import Lab


@pytest.mark.more
def test_costs_that_are_being_sent_when_their_box_is_closed_are_not_lost_without_a_word(lab: Lab) -> None:
    names = open_dataset("planted").fold(1).train.feature_names
    costs = "feature,cost\n" + "".join(f"{name},{1 + j % 7}\n" for j, name in enumerate(names))
    file = {"name": "costs.csv", "mimeType": "text/csv", "buffer": costs.encode()}
    uploader = lab.page.locator('[class*="st-key-costs_file"] input[type=file]')
    lab.open("ten", dataset="planted", ten_step="rules")
    lab.press("costs")
    lab.page.route("**/upload_file/**", lambda route: None)
    lab.wait()
    uploader.set_input_files([file])
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator("#drop-sign")).to_contain_text("costs.csv")
    lab.page.unroute("**/upload_file/**")
    lab.press("costs")
    lab.wait()
    uploader.set_input_files([file])
    expect(lab.page.get_by_test_id("stSidebar")).to_contain_text("costs", timeout=150_000)
