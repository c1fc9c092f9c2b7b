"""The Features page as a person uses it: what is kept, what if it were not, and how surely."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.lab import Lab, Trace

LOG = {"dataset": "python-docs", "method": "log", "ratio": "0.002512"}
DRAWN = "name => document.querySelector(`.st-key-chart_${name} .js-plotly-plot`)?._fullData?.length > 0"


# How many bars of weights are wider than nothing.
_BARS = """() => [...document.querySelectorAll(".st-key-chart_matrix .handle rect")]
  .filter(bar => bar.getAttribute("width") > 0.5).length"""


def drawn(lab: Lab, chart: str) -> dict[str, Trace]:
    """The traces of a chart by name, once it is there."""
    lab.page.wait_for_function(DRAWN, arg=chart)
    lab.wait()
    return {trace.name: trace for trace in lab.drawn(chart)}


def refitted(lab: Lab) -> dict[str, Trace]:
    """The traces of What if, once the model without a feature is among them."""
    chart = "document.querySelector('.st-key-chart_what_if .js-plotly-plot')"
    lab.page.wait_for_function(f"() => {chart}?._fullData?.some(trace => trace.name === 'after')")
    lab.wait()  # a run that is under way draws the picture once more
    return drawn(lab, "what_if")


def row_names(lab: Lab, chart: str) -> list[str]:
    ticks = lab.page.evaluate(
        "name => document.querySelector(`.st-key-chart_${name} .js-plotly-plot`).layout.yaxis.ticktext", chart
    )
    return [re.sub(r"</?b>", "", text).strip() for text in ticks]


# Where on the screen the middle of a bar is.
_PLACE = """([name, k]) => {
  const chart = document.querySelector(".st-key-chart_matrix .js-plotly-plot");
  chart.scrollIntoView({block: "start"});
  const trace = chart._fullData.find(trace => trace.name === name), {xaxis, yaxis} = chart._fullLayout;
  const box = chart.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(trace.x[k] / 2), box.y + yaxis._offset + yaxis.d2p(trace.y[k])];
}"""


def _second_weight(lab: Lab) -> tuple[str, tuple[float, float]]:
    """The name of the feature of the second bar, and where on the screen the bar is."""
    expect(lab.at("paths_stop")).to_have_count(0, timeout=150_000)
    lab.wait()  # what comes above the picture moves it
    matrix, rows = drawn(lab, "matrix")["weights of log"], row_names(lab, "matrix")
    x, y = lab.page.evaluate(_PLACE, ["weights of log", 1])
    return rows[matrix.y[1]], (x, y)


def test_a_click_on_a_weight_shows_the_model_without_its_feature(lab: Lab) -> None:
    lab.open("features", **LOG)
    name, place = _second_weight(lab)
    lab.page.mouse.move(*place)
    expect(lab.page.locator(".st-key-chart_matrix .hoverlayer")).to_contain_text(name)  # the bar is there
    lab.page.mouse.down()
    lab.page.mouse.up()
    expect(lab.page.get_by_test_id("stMain").locator("h2")).to_contain_text(f"Without {name}: ")
    lab.page.wait_for_url(lambda address: "features_section=what" in address)
    traces = refitted(lab)
    assert traces["after"].x[row_names(lab, "what_if").index(f"− {name}")] == 0.0


def test_bars_filled_features_and_the_strip_follow_the_hand_and_letting_go_takes_c(lab: Lab) -> None:
    lab.open("features", dataset="planted", method="l1", ratio="0.1")
    knob = lab.handle("along_c")
    lab.count_messages()
    kept = lab.page.locator("[data-reading='kept']")
    before, bars, link = kept.inner_text(), lab.page.evaluate(_BARS), lab.query["ratio"]
    x, y = lab.take_hold(knob)
    for step in range(1, 21):
        lab.page.mouse.move(x + 12 * step, y)
    expect(kept).not_to_have_text(before)
    assert lab.page.evaluate(_BARS) > bars
    assert lab.messages == 0
    reached = (knob.get_attribute("aria-valuetext") or "").split(",")[0]
    lab.page.mouse.up()
    lab.wait()
    expect(knob).to_have_attribute("aria-valuetext", re.compile(re.escape(reached)))
    assert lab.query["ratio"] != link
