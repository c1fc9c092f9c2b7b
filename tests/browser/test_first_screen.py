"""The first screen of every page belongs to its picture, and the choice everything turns on is in sight."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab

LAPTOP, LARGE, PHONE = (1366, 768), (1920, 1080), (400, 800)
SHARES = {
    "": 0.45, "data": 0.35, "fit": 0.45, "path": 0.45, "features": 0.45, "tradeoff": 0.45, "top": 0.45,
    "methods": 0.45, "reproduce": 0.45, "penalties": 0.45,
}  # fmt: skip
"""How much of a laptop's screen the picture of a page fills at least; '' is the front page."""
LARGE_SHARE = 0.60
CHOICE = ("Dataset", "Fold", "Method", "C")
Scheme = Literal["light", "dark"]

# Left, top, right and bottom of what is drawn of an element inside the window.
_INSIDE = """element => {
  const {left, top, right, bottom} = element.getBoundingClientRect();
  return [left, top, Math.min(right, innerWidth), Math.min(bottom, innerHeight), right];
}"""
_COLOURS = """() => [".stApp", ".st-key-headline"]
  .map(part => getComputedStyle(document.querySelector(part)).backgroundColor)"""


def opened(lab: Lab, page: str, size: tuple[int, int], scheme: Scheme = "light") -> dict[str, Any]:
    """The page on a screen of this size; where its picture stands."""
    width, height = size
    lab.page.set_viewport_size({"width": width, "height": height})
    lab.page.emulate_media(color_scheme=scheme)
    lab.open(page)
    picture = lab.at("picture")
    expect(picture.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=60_000)
    lab.wait()
    left, top, right, bottom, end = picture.evaluate(_INSIDE)
    share = max(right - left, 0) * max(bottom - top, 0) / (width * height)
    return {"left": left, "top": top, "end": end, "share": share}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", SHARES)
def test_on_a_laptop_the_picture_rules_and_the_choice_is_in_sight(lab: Lab, page: str, scheme: Scheme) -> None:
    seen = opened(lab, page, LAPTOP, scheme)
    assert seen["top"] < 210
    assert seen["share"] >= SHARES[page]
    for label in CHOICE:
        control = lab.page.get_by_test_id("stSidebar").get_by_label(label, exact=True).first
        box = control.bounding_box()
        assert box is not None, label
        assert box["y"] >= 0, label
        assert box["y"] + box["height"] <= LAPTOP[1], label
    page_colour, strip_colour = lab.page.evaluate(_COLOURS)
    assert strip_colour == page_colour, "what scrolls beneath the strip must not shine through, nor the strip glare"


@pytest.mark.parametrize("page", SHARES)
def test_a_large_screen_is_filled(lab: Lab, page: str) -> None:
    assert opened(lab, page, LARGE)["share"] >= LARGE_SHARE


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", SHARES)
def test_on_a_phone_the_picture_is_seen_at_once_and_fits(lab: Lab, page: str, scheme: Scheme) -> None:
    seen = opened(lab, page, PHONE, scheme)
    assert seen["top"] < 420
    assert 0 <= seen["left"] < seen["end"] <= PHONE[0]


def test_the_strip_stays_while_one_scrolls(lab: Lab) -> None:
    opened(lab, "methods", LAPTOP)
    strip = lab.at("headline")
    before = strip.bounding_box()
    lab.at("card_l1").scroll_into_view_if_needed()
    lab.page.mouse.move(800, 500)
    lab.page.mouse.wheel(0, 1500)
    lab.page.wait_for_timeout(500)
    after = strip.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 15
