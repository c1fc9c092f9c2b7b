"""Dragging C: the line in the picture moves, with all that depends on C; letting go asks the server."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from core.names.numbers import short
from tests.browser.lab import Lab, run_cli
from tests.cases import sweep

# Where the dots on the curves of the measure are, in units of their axis.
_DOTS = """() => {
  const chart = document.querySelector(".st-key-chart_path .js-plotly-plot"), axis = chart._fullLayout.yaxis2;
  return [...chart.querySelectorAll(".handle circle")].filter(dot => dot.style.display !== "none")
    .map(dot => axis.p2d(+dot.getAttribute("cy") - axis._offset));
}"""

# Every place that the handle comes to from now on.
_NOTE_FRAMES = """() => {
  const knob = document.querySelector(".st-key-chart_path .handle-knob");
  window.frames = new Set();
  const note = () => window.frames.add(knob.getAttribute("aria-valuenow"));
  new MutationObserver(note).observe(knob, {attributes: true});
}"""

# Ticks and words of the picture that the handle lies over.
_COVERED = """() => {
  const chart = document.querySelector(".st-key-chart_path");
  const grip = chart.querySelector(".handle-grip").getBoundingClientRect();
  const across = box => box.width && box.left < grip.right && box.right > grip.left;
  const over = box => across(box) && box.top < grip.bottom && box.bottom > grip.top;
  return [...chart.querySelectorAll(".annotation-text, .xtick text, .ytick text")]
    .filter(text => over(text.getBoundingClientRect())).map(text => text.textContent);
}"""
_KNOB_MOVED = """x => document.querySelector(".st-key-chart_path .handle-knob").getBoundingClientRect().x !== x"""
FILLED = "196"  # the last frame of a path of 50 models that has been filled in twice


def open_path(lab: Lab, **query: str) -> Locator:
    lab.open("path", dataset="planted", beside="", **query)
    handle = lab.handle("path")
    lab.count_messages()
    return handle


def told(handle: Locator) -> str:
    return handle.get_attribute("aria-valuetext") or ""


def test_all_that_depends_on_c_follows_the_hand_and_play_pauses_where_validation_is_best(lab: Lab) -> None:
    """Nothing is asked until the reader lets go."""
    handle = open_path(lab, method="l1", ratio="0.1")
    before = lab.reading("kept")
    assert lab.page.evaluate(_COVERED) == []
    x, y = lab.take_hold(handle)
    seen = set()
    for step in range(1, 41):
        lab.page.mouse.move(x + 4 * step, y)
        lab.next_frame()
        seen.add(told(handle))
    lab.next_frame()
    assert len(seen) > 10
    assert lab.messages == 0
    kept, test = lab.reading("kept"), float(lab.reading("NDCG@10-test"))
    assert kept != before
    said = rf"C (\S+), {kept.split()[0]} of 60 features, .*vali NDCG@10 (\S+), test NDCG@10 {test:.4f}"
    under = re.match(said, told(handle))
    assert under is not None, told(handle)
    vali = float(under[2])
    assert any(abs(dot - vali) < 1e-4 for dot in lab.page.evaluate(_DOTS))

    lab.page.mouse.up()
    lab.page.wait_for_function("() => window.messages > 0")
    lab.wait()
    fewest, _, most = kept.split()[0].partition("–")  # between two models, one number otherwise
    sizes = range(int(fewest), int(most or fewest) + 1)
    assert int(lab.reading("kept").split()[0]) in sizes, "letting go corrects nothing"
    taken = lab.value("C")
    assert short(float(taken)) == under[1]
    printed = run_cli("fit", "planted", "--fold", "1", "--method", "l1", "--C", taken, "--json")
    assert printed["nonzero"] in sizes
    assert printed["metrics"]["vali"]["NDCG@10"] == pytest.approx(vali, abs=2e-3)

    lab.count_messages()
    printed = run_cli("path", "planted", "--method", "l1", "--points", "50", "--json")["points"]
    values = [p["expected_over_ties"].get("vali", {}).get("NDCG@10", p["metrics"]["vali"]["NDCG@10"]) for p in printed]
    best = int(np.argmax(np.round(values, 12)))
    lab.page.evaluate(_NOTE_FRAMES)
    lab.at("chart_path").get_by_role("button", name="Play").click()
    expect(lab.at("chart_path").get_by_role("button", name="Pause")).to_be_visible()
    lab.page.wait_for_function("() => window.messages > 0", timeout=150_000)
    lab.wait()
    assert float(lab.value("C")) == pytest.approx(printed[best]["C"], rel=1e-9)
    expect(lab.at("chart_path").get_by_role("button", name="Play")).to_be_visible()
    assert f"{printed[best]['nonzero']} of 60 features" in told(handle)
    frames = lab.page.evaluate("() => [...window.frames].length")
    assert 2 < frames < 20, "who asks for less motion sees steps"
    leaves_the_strip_to_the_server(lab, handle)


def leaves_the_strip_to_the_server(lab: Lab, handle: Locator) -> None:
    """At rest: while other data is read, the strip has its numbers already, beside the picture of the data before."""
    before = lab.reading("kept")
    lab.page.evaluate("() => { document.querySelector('[data-reading=\"kept\"]').textContent = '1 of 60'; }")
    place = handle.bounding_box()
    lab.page.set_viewport_size({"width": 1100, "height": 900})
    lab.page.wait_for_function(_KNOB_MOVED, arg=place["x"] if place else 0)
    assert lab.reading("kept") == "1 of 60"
    handle.press("ArrowRight")
    expect(lab.page.locator("[data-reading='kept']")).not_to_have_text("1 of 60")
    handle.press("ArrowLeft")
    expect(lab.page.locator("[data-reading='kept']")).to_have_text(before)


def plays_with_the_key_where_the_keyboard_is(lab: Lab, handle: Locator) -> None:
    """A letter acts only in the picture that has the focus, and one sees that it has."""
    pause = lab.at("chart_path").get_by_role("button", name="Pause")
    handle.blur()
    lab.page.keyboard.press("p")
    lab.page.wait_for_timeout(300)
    expect(pause).to_have_count(0)
    handle.focus()
    lab.page.keyboard.press("ArrowLeft")
    assert handle.evaluate("knob => getComputedStyle(knob).outlineStyle") == "solid"
    player = lab.at("chart_path").get_by_role("button", name="Play")
    expect(player).to_have_attribute("tabindex", "-1")
    box = player.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    lab.page.keyboard.press("p")
    expect(pause).to_be_visible()
    lab.page.keyboard.press("p")


def test_a_path_of_another_penalty_is_filled_in_behind_the_hand_stops_at_its_own_models_and_follows_the_keyboard(
    lab: Lab,
) -> None:
    lab.open("path", dataset="planted", beside="", method="mcp")
    handle = lab.at("chart_path").get_by_role("slider", name="C", exact=True)
    expect(handle).to_be_visible(timeout=150_000)
    lab.take_hold(handle)
    under_hand = handle.get_attribute("aria-valuemax")
    lab.page.wait_for_timeout(2_500)
    expect(handle).to_have_attribute("aria-valuemax", under_hand or "")
    lab.page.mouse.up()
    expect(handle).to_have_attribute("aria-valuemax", FILLED, timeout=150_000)
    lab.wait()
    handle.focus()
    handle.press("Home")
    for _ in range(8):
        handle.press("PageUp")
    printed = run_cli("path", "planted", "--method", "mcp", "--points", "50", "--json")["points"][20]
    assert f"{printed['nonzero']} of 60 features" in told(handle)
    assert f"test NDCG@10 {printed['metrics']['test']['NDCG@10']:.4f}" in told(handle)
    for key, place in (("Home", 0), ("ArrowRight", 1), ("PageUp", 11), ("+", 12), ("-", 11), ("End", int(FILLED))):
        handle.press(key)
        expect(handle).to_have_attribute("aria-valuenow", str(place))
    lab.wait()
    lab.count_messages()
    handle.press("Home")
    lab.page.wait_for_function("() => window.messages > 0")
    lab.wait()
    assert lab.reading("kept") == "0 of 60"
    plays_with_the_key_where_the_keyboard_is(lab, handle)


@pytest.mark.parametrize(("page", "chart"), sweep([("features", "along_c"), ("tradeoff", "tradeoff")]))
def test_a_key_on_the_handle_of_another_page_takes_c_too(lab: Lab, page: str, chart: str) -> None:
    lab.open(page, dataset="planted", method="l1", ratio="0.1", tradeoff_methods="l1")
    lab.handle(chart).press("PageUp")
    lab.page.wait_for_function("() => new URL(location).searchParams.get('C')")
