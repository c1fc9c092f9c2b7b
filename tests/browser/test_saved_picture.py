"""A picture saved on a phone has its title and its width."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.browser.lab import Lab


@pytest.mark.more
def test_a_picture_saved_on_a_phone_has_its_title_and_the_width_of_a_page(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 400, "height": 800})
    lab.open("penalties", method="log")
    title = lab.title("penalty_curves").inner_text()
    lab.at("keep_penalty_curves").locator("button").first.click()
    lab.pick("format_penalty_curves", "svg")
    lab.page.keyboard.press("Escape")
    lab.wait()
    chart = lab.at("chart_penalty_curves")
    chart.hover()
    with lab.page.expect_download() as saved:
        chart.locator("[data-title='Download the picture']").click()
    assert saved.value.suggested_filename == "penalty_curves.svg"
    picture = ElementTree.parse(saved.value.path()).getroot()
    assert title in "".join(picture.itertext())
    assert picture.get("width") == "2000", "1000 pixels, twice as fine"
