"""Readable in both themes, on a wide screen and on a phone."""

from __future__ import annotations

import re

import pytest

from tests.browser.lab import Lab
from tests.contrast import Colour, contrast

PHONE = {"width": 400, "height": 800}

# What is drawn of a chart's texts, and what lies behind them.
_TEXTS = """() => [...document.querySelectorAll(".js-plotly-plot")].map(chart =>
  [...chart.querySelectorAll(".gtitle, .xtitle, .xtick text, .ytick text")].map(text => getComputedStyle(text).fill))"""
_BACKGROUND = """() => getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor"""
_WIDTHS = """() => [document.scrollingElement, document.querySelector('[data-testid="stMain"]')]
  .map(part => part.scrollWidth - part.clientWidth)"""


def colour(computed: str) -> Colour:
    red, green, blue = map(float, re.findall(r"[\d.]+", computed)[:3])
    return red, green, blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_texts_of_charts_stand_out_from_the_theme(lab: Lab, scheme: str) -> None:
    lab.page.emulate_media(color_scheme=scheme)
    lab.open("fit", dataset="planted")
    lab.press("fit")
    lab.says("Converged")
    lab.wait()
    background = colour(lab.page.evaluate(_BACKGROUND))
    assert (sum(background) > 3 * 128) == (scheme == "light")
    charts = lab.page.evaluate(_TEXTS)
    assert len(charts) >= 2
    for texts in charts:
        assert len(texts) > 5
        assert min(contrast(colour(text), background) for text in texts) >= 3.0


def test_a_phone_shows_the_button_and_everything_else_by_scrolling_down_only(lab: Lab) -> None:
    lab.page.set_viewport_size(PHONE)
    lab.open("fit", dataset="planted")
    box = lab.button("fit").bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= PHONE["width"] - box["width"]
    assert box["y"] + box["height"] <= PHONE["height"]
    lab.press("fit")
    lab.says("Converged")
    lab.wait()
    assert lab.page.evaluate(_WIDTHS) == [0, 0]
    for chart in ("convergence", "weights"):
        drawn = lab.at(f"chart_{chart}").bounding_box()
        assert drawn is not None
        assert drawn["width"] <= PHONE["width"]
