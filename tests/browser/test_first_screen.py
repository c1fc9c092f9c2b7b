"""The first screen of every page belongs to its picture, and the choice everything turns on is in sight.

Presentation: what is on the screen can be read from the last row.
"""

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.program_pages import EXAMPLE, EXPECTED

LAPTOP, LARGE, PHONE = (1366, 768), (1920, 1080), (400, 800)
LARGE_SHARE = 0.60
CHOICE = ("Dataset", "Fold", "Method", "C")

# Left, top, right and bottom of what is drawn of an element inside the window.
_INSIDE = """element => {
  const {left, top, right, bottom} = element.getBoundingClientRect();
  return [left, top, Math.min(right, innerWidth), Math.min(bottom, innerHeight), right];
}"""
_COLOURS = """() => [...document.querySelectorAll(".stApp, .st-key-headline")]
  .map(part => getComputedStyle(part).backgroundColor)"""
# What the Tab key comes to in the toolbars of pictures.
_STOPS = """() => [...document.querySelectorAll(".js-plotly-plot")].map(
  picture => [...picture.querySelectorAll(".modebar-btn")].filter(button => button.tabIndex >= 0).length)"""


def seen(lab: Lab, size: tuple[int, int]) -> dict[str, Any]:
    """Where the picture stands on a screen of this size."""
    width, height = size
    lab.page.set_viewport_size({"width": width, "height": height})
    lab.wait()
    left, top, right, bottom, end = lab.at("picture").evaluate(_INSIDE)
    share = max(right - left, 0) * max(bottom - top, 0) / (width * height)
    return {"left": left, "top": top, "end": end, "share": share}


def assert_the_first_screen_is_whole(lab: Lab, page: str) -> dict[str, Any]:
    """On a laptop, in the theme it has; where the picture stands. The window has not been narrow before."""
    expect(lab.at("picture").locator(".js-plotly-plot .main-svg, .ranked-lists .doc").first).to_be_visible(
        timeout=150_000
    )
    expect(lab.page.get_by_test_id("stProgress")).to_have_count(0, timeout=150_000)  # above the picture, it moves it
    laptop = seen(lab, LAPTOP)
    assert set(lab.page.evaluate(_STOPS)) <= {0, 1}, "a toolbar is one stop of the Tab key"
    for label in CHOICE:
        control = lab.page.get_by_test_id("stSidebar").get_by_label(label, exact=True).first
        if label.casefold().replace("dataset", "data") in EXPECTED[page or "start"].hidden:
            expect(control).to_be_hidden()
            continue
        box = control.bounding_box()
        assert box is not None, label
        assert box["y"] >= 0, label
        assert box["y"] + box["height"] <= LAPTOP[1], label
    colours = lab.page.evaluate(_COLOURS)
    assert len(set(colours)) == 1, "what scrolls beneath the strip must not shine through, nor the strip glare"
    return laptop


def assert_the_picture_rules_every_screen(lab: Lab, page: str) -> None:
    """Of a laptop, a large one and a phone's."""
    expect(lab.at("picture").locator(".js-plotly-plot .main-svg, .ranked-lists .doc, canvas").first).to_be_attached(
        timeout=150_000
    )
    laptop = seen(lab, LAPTOP)
    assert laptop["top"] < 210
    assert laptop["share"] >= EXPECTED[page or "start"].share
    assert seen(lab, LARGE)["share"] >= LARGE_SHARE
    phone = seen(lab, PHONE)
    assert phone["top"] < 420
    assert 0 <= phone["left"] < phone["end"] <= PHONE[0]


# Names of the numbers and words of the strip that are cut off or out of sight.
_CUT = """strip => [strip, ...strip.children, ...strip.querySelectorAll("[data-reading]")].filter(part => {
  const {left, right, width} = part.getBoundingClientRect();
  return part.scrollWidth > part.clientWidth && part.clientWidth || !width || left < 0 || right > innerWidth;
}).map(part => part.dataset.reading ?? part.innerText)"""
_BUTTONS = """() => [...document.querySelectorAll(".st-key-headline button, .strip [data-reading]")]
  .filter(part => part.checkVisibility()).map(part => part.getBoundingClientRect().toJSON())"""


def assert_strip_is_whole(lab: Lab) -> None:
    """On a laptop and on a phone nothing of the strip is cut off, and its buttons lie over no number."""
    for width, height in (LAPTOP, PHONE):
        lab.page.set_viewport_size({"width": width, "height": height})
        assert lab.page.locator(".strip").evaluate(_CUT) == []
        expect(lab.button("pin")).to_be_visible()  # the buttons come after the numbers
        boxes = lab.page.evaluate(_BUTTONS)
        assert len(boxes) > 4
        for k, box in enumerate(boxes):
            for other in boxes[:k]:
                beside = box["left"] >= other["right"] or other["left"] >= box["right"]
                assert beside or box["top"] >= other["bottom"] or other["top"] >= box["bottom"], (box, other)
    lab.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})


@pytest.mark.more
def test_the_strip_of_methods_that_say_most_in_it_is_whole(lab: Lab) -> None:
    for method in ("best-subset", "elimination", "infinite-push-rfe"):
        lab.page.goto(f"{lab.address}/{EXAMPLE}?dataset=planted&method={method}&ratio=0.01")
        strip = lab.page.locator(".strip")
        expect(strip).to_have_attribute("title", re.compile("among models (with at most|on) .* only\\."))
        assert_strip_is_whole(lab)


def assert_strip_stays_while_one_scrolls(lab: Lab) -> None:
    strip = lab.at("headline")
    before = strip.bounding_box()
    lab.page.set_viewport_size({"width": 1280, "height": 500})  # so that there is something to scroll
    lab.wait()
    main = lab.page.get_by_test_id("stMain")
    assert main.evaluate("main => { main.scrollTo(0, main.scrollHeight); return main.scrollTop }") > 50
    after = strip.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 15


@pytest.mark.more
def test_the_strip_stays_and_breaks_where_long_names_rules_and_a_pin_would_be_cut(lab: Lab) -> None:
    random = np.random.default_rng(0)
    rows = random.normal(size=(90, 6))
    relevant = rows[:, 0] + random.normal(size=90) > 0.5
    lines = [",".join([*(f"share_of_days_{k}" for k in range(6)), "class"])]
    lines += [
        ",".join([*(f"{value:.3f}" for value in row), "yes" if yes else "no"])
        for row, yes in zip(rows, relevant, strict=True)
    ]
    lab.open(EXAMPLE)
    lab.drop("patients_with_recurrence_within_five_years_2019-2024.csv", "\n".join(lines).encode())
    assert_strip_is_whole(lab)
    lab.press("pin")
    lab.at("unpin").wait_for()
    lab.choose("method", "RankSVM MCP")
    expect(lab.page.locator(".strip .delta").first).to_be_visible()
    assert_strip_is_whole(lab)
    assert_strip_stays_while_one_scrolls(lab)
    lab.open(EXAMPLE, dataset="python-docs", method="l1", ratio="0.01", off="3,5", forced="7")
    expect(lab.page.locator(".strip")).to_contain_text("2 off, 1 forced in")
    assert_strip_is_whole(lab)


LEAST = 20.0  # pixels on a screen of 1920 x 1080
# The sizes of all letters in sight, with what they say.
_LETTERS = """() => [...document.querySelectorAll('[data-testid="stApp"] *')].flatMap(element => {
  const texts = [...element.childNodes].filter(node => node.nodeType === 3);
  const said = texts.map(node => node.textContent).join("").trim();
  const {width, height, top} = element.getBoundingClientRect();
  const seen = element.checkVisibility({visibilityProperty: true}) && width && height && top < innerHeight;
  return said && seen ? [[parseFloat(getComputedStyle(element).fontSize), said]] : [];
})"""
# The sizes of the letters of tables, which are painted: by what was painted last.
PAINTED = """(() => {
  const paint = CanvasRenderingContext2D.prototype.fillText;
  window.painted = {};
  CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
    if (this.canvas.isConnected) window.painted[text] = parseFloat(/([\\d.]+)px/.exec(this.font)[1]);
    return paint.call(this, text, ...where);
  };
})()"""
_SWITCHED = """presented => Boolean(document.querySelector(".st-key-presented")) === presented"""


def small(lab: Lab) -> list[list[object]]:
    return [letter for letter in lab.page.evaluate(_LETTERS) if letter[0] < LEAST]


def test_a_presentation_has_large_letters_and_no_controls_and_the_key_leads_back(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1920, "height": 1080})
    lab.open("", dataset="planted", method="l1", present="1")
    knob = lab.handle("lab_path")
    assert small(lab) == []
    sidebar, opened = lab.page.get_by_test_id("stSidebar"), lab.page.get_by_test_id("stPageLink")
    for hidden in (sidebar, lab.at("lab_tools"), opened.first):
        expect(hidden).to_be_hidden()
    expect(lab.button("present_switch")).to_be_visible()
    knob.press("Home")
    expect(lab.page.locator("[data-reading=kept]")).to_have_text("0 of 60")
    lab.go_to("Path")
    lab.handle("path")
    assert small(lab) == []
    lab.page.keyboard.press("F2")
    expect(sidebar).to_be_visible()
    lab.wait()
    assert small(lab) != []
    assert "present" not in lab.query


def present(lab: Lab) -> None:
    """Switch to the presentation, in a window of its size; what was painted before is forgotten."""
    width, height = LARGE
    lab.page.set_viewport_size({"width": width - 2, "height": height})
    lab.page.keyboard.press("F2")
    lab.page.wait_for_function(_SWITCHED, arg=True)
    lab.wait()
    lab.page.evaluate("window.painted = {}")
    lab.page.set_viewport_size({"width": width, "height": height})  # tables are painted again


def assert_can_be_read_from_the_last_row(lab: Lab, page: str) -> None:
    picture = ".stDataFrame canvas" if page == "numbers" else ".st-key-picture :is(.main-svg, .doc, canvas)"
    expect(lab.page.locator(picture).first).to_be_attached(timeout=150_000)
    lab.wait()
    assert small(lab) == []
    if page == "numbers":  # it shows a table
        lab.page.wait_for_function("() => Object.keys(window.painted).length > 0")
    painted = lab.page.evaluate("window.painted")
    assert {text: size for text, size in painted.items() if size < LEAST} == {}
