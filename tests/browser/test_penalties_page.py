"""The Penalties page: its curves under their parameters, and a picture saved on a phone."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from core.penalties import Log
from tests.browser.lab import Lab, Trace
from tests.says import assert_says


def named(traces: list[Trace], name: str) -> Trace:
    (trace,) = [t for t in traces if t.name.startswith(name)]
    return trace


def slide(lab: Lab, key: str, presses: str, times: int) -> None:
    """Move a slider by its arrow keys."""
    knob = lab.at(key).get_by_role("slider")
    knob.focus()
    for _ in range(times):
        knob.press(presses)
    lab.wait()


@pytest.mark.more
def test_the_curves_follow_their_parameters_and_a_picture_saved_on_a_phone_has_its_title_and_width(lab: Lab) -> None:
    lab.open("penalties", method="log")
    assert_says(lab.headline, "log", "small weights", "10")
    drawn = named(lab.drawn("penalty_curves"), "log")
    np.testing.assert_allclose(drawn.y, Log(0.1).curve(np.abs(drawn.x)), rtol=1e-6, atol=1e-12)
    lab.press("penalties_more")
    slide(lab, "shape_log_epsilon", "ArrowRight", 3)
    assert float(lab.query["shape_log_epsilon"]) == 0.14
    drawn = named(lab.drawn("penalty_curves"), "log")
    np.testing.assert_allclose(drawn.y, Log(0.14).curve(np.abs(drawn.x)), rtol=1e-6, atol=1e-12)

    lab.page.keyboard.press("Escape")
    lab.page.set_viewport_size({"width": 400, "height": 800})
    lab.wait()
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
