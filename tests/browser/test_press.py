"""What is pressed is what stood there, and paper has nothing to press."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.program_pages import TEXT

_ADD = """() => {
  document.body.insertAdjacentHTML("beforeend", `<div style="position:fixed; left:300px; top:300px; z-index:1e6">
    <div id="above"></div><button id="one">one</button></div>`);
  window.pressed = [];
  document.getElementById("one").addEventListener("click", () => pressed.push("one"));
}"""
_SETTLED = "() => new Promise(go => setTimeout(go, 300))"
_MOVE = "document.getElementById('above').style.height = '6px'"
_REWORD = "document.getElementById('one').textContent = 'two'"
_AS_BEFORE = f"{_MOVE.replace('6px', '0')}; {_REWORD.replace('two', 'one')}"
_EVERY_FRAME = """() => {
  let k = 0;
  const go = () => { k += 1; CHANGE; window.going = requestAnimationFrame(go); };
  go();
}"""


def spot(lab: Lab) -> tuple[float, float]:
    box = lab.page.locator("#one").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_what_moves_or_changes_under_the_pointer_is_not_pressed_but_what_is_steady_and_by_a_key(lab: Lab) -> None:
    lab.open(TEXT)
    lab.page.evaluate(_ADD)
    for change in ("", _MOVE, _REWORD):
        lab.page.evaluate(f"pressed = []; {_AS_BEFORE}")
        lab.page.evaluate(_SETTLED)
        lab.page.mouse.move(*spot(lab))
        lab.page.mouse.down()
        lab.page.evaluate(change)
        lab.page.mouse.up()
        assert lab.page.evaluate("pressed") == ([] if change else ["one"])
        lab.page.evaluate(_SETTLED)
        lab.page.mouse.click(*spot(lab))
        assert lab.page.evaluate("pressed").pop() == "one", "the next press meets what stands there"

    lab.page.evaluate("window.addEventListener('press-refused', () => pressed.push('refused'))")
    for change in (_MOVE.replace("'6px'", "`${k % 2 * 6}px`"), _REWORD.replace("'two'", "k")):
        lab.page.evaluate(f"pressed = []; {_AS_BEFORE}")
        lab.page.evaluate(_SETTLED)
        lab.page.evaluate(_EVERY_FRAME.replace("CHANGE", change))
        lab.page.evaluate(_SETTLED)
        clicks = 0
        while "refused" not in lab.page.evaluate("pressed") and clicks < 20:  # on a busy machine a frame may stand long
            lab.page.mouse.click(*spot(lab))
            clicks += 1
        assert lab.page.evaluate("pressed") == ["one"] * (clicks - 1) + ["refused"]
        lab.page.locator("#one").focus()
        lab.page.keyboard.press("Enter")
        assert lab.page.evaluate("pressed").pop() == "one"
        lab.page.evaluate("cancelAnimationFrame(window.going)")
    what_moves_behind_a_dialog_hinders_no_press(lab)


def what_moves_behind_a_dialog_hinders_no_press(lab: Lab) -> None:
    lab.page.evaluate(f"pressed = []; {_AS_BEFORE}")
    lab.page.evaluate("""() => {
      document.getElementById("one").parentElement.setAttribute("role", "dialog");
      document.body.insertAdjacentHTML("beforeend", `<div style="position:fixed; z-index:-1; left:250px; top:250px">
        <div id="behind"></div><div style="width:200px; height:100px; background:gray">behind</div></div>`);
    }""")
    lab.page.evaluate(_SETTLED)
    moves = "document.getElementById('behind').style.height = `${k % 2 * 6}px`"
    lab.page.evaluate(_EVERY_FRAME.replace("CHANGE", moves))
    lab.page.evaluate(_SETTLED)
    for _ in range(5):
        lab.page.mouse.click(*spot(lab))
    assert lab.page.evaluate("pressed") == ["one"] * 5


def test_paper_has_the_picture_in_its_width_and_neither_sidebar_nor_tools(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1040, "height": 720})
    lab.open("data", dataset="planted")
    expect(lab.page.get_by_test_id("stDataFrame").first).to_be_visible()
    lab.page.emulate_media(media="print")
    lab.wait()
    expect(lab.page.locator(".st-key-picture .js-plotly-plot").first).to_be_visible()
    for hidden in ("stSidebar", "stHeader"):
        expect(lab.page.get_by_test_id(hidden)).to_be_hidden()
    expect(lab.page.locator("button:visible")).to_have_count(0)
    assert lab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert lab.page.evaluate("document.documentElement.scrollHeight > innerHeight"), "it does not scroll in a box"
    told = """() => getComputedStyle([...document.querySelectorAll('[data-testid="stElementContainer"]')]
      .find(box => box.querySelector('[data-testid="stDataFrame"]')), "::after").content"""
    assert "Download" in lab.page.evaluate(told), "what paper leaves out of a table that scrolls"
    lab.page.emulate_media(media="screen")


def popover(lab: Lab) -> Locator:
    """The content of the popover that is open."""
    return lab.page.get_by_test_id("stPopoverBody").filter(visible=True)


def unfold(lab: Lab, key: str) -> None:
    lab.at(key).locator("button:visible").first.click()


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
