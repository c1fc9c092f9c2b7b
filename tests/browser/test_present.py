"""Presentation: what is on the screen can be read from the last row."""

from playwright.sync_api import expect

from tests.browser.lab import Lab

ROOM = {"width": 1920, "height": 1080}
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
TABLES = {"numbers"}
"""Pages of which a presentation shows a table."""


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
    width, height = ROOM["width"], ROOM["height"]
    lab.page.set_viewport_size({"width": width - 2, "height": height})
    lab.page.keyboard.press("F2")
    lab.page.wait_for_function(_SWITCHED, arg=True)
    lab.wait()
    lab.page.evaluate("window.painted = {}")
    lab.page.set_viewport_size(ROOM)  # tables are painted again


def assert_can_be_read_from_the_last_row(lab: Lab, page: str) -> None:
    picture = ".stDataFrame canvas" if page == "numbers" else ".st-key-picture :is(.main-svg, .doc, canvas)"
    expect(lab.page.locator(picture).first).to_be_attached(timeout=150_000)
    lab.wait()
    assert small(lab) == []
    if page in TABLES:
        lab.page.wait_for_function("() => Object.keys(window.painted).length > 0")
    painted = lab.page.evaluate("window.painted")
    assert {text: size for text, size in painted.items() if size < LEAST} == {}
