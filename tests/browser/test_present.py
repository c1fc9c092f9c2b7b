"""Presentation: what is on the screen can be read from the last row."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.lab import Lab

LEAST = 20.0  # pixels on a screen of 1920 x 1080
# The sizes of all letters in sight, with what they say.
_LETTERS = """() => [...document.querySelectorAll('[data-testid="stApp"] *')].flatMap(element => {
  const texts = [...element.childNodes].filter(node => node.nodeType === 3);
  const said = texts.map(node => node.textContent).join("").trim();
  const {width, height, top} = element.getBoundingClientRect();
  const seen = element.checkVisibility({visibilityProperty: true}) && width && height && top < innerHeight;
  return said && seen ? [[parseFloat(getComputedStyle(element).fontSize), said]] : [];
})"""


def small(lab: Lab) -> list[list[object]]:
    return [letter for letter in lab.page.evaluate(_LETTERS) if letter[0] < LEAST]


def test_a_presentation_has_large_letters_and_no_controls_and_the_key_leads_back(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1920, "height": 1080})
    lab.open("", dataset="planted", method="l1", present="1")
    knob = lab.at("chart_lab_path").get_by_role("slider", name="C", exact=True)
    expect(knob).to_be_visible(timeout=150_000)
    lab.wait()
    assert small(lab) == []
    sidebar, opened = lab.page.get_by_test_id("stSidebar"), lab.page.get_by_test_id("stPageLink")
    for hidden in (sidebar, lab.at("lab_tools"), opened.first):
        expect(hidden).to_be_hidden()
    expect(lab.button("present_switch")).to_be_visible()
    knob.press("Home")
    expect(lab.page.locator("[data-reading=kept]")).to_have_text("0 of 60")
    lab.go_to("Path")
    expect(lab.at("chart_path").get_by_role("slider", name="C", exact=True)).to_be_visible(timeout=150_000)
    lab.wait()
    assert small(lab) == []
    lab.page.keyboard.press("F2")
    expect(sidebar).to_be_visible()
    lab.wait()
    assert small(lab) != []
    assert "present" not in lab.query
