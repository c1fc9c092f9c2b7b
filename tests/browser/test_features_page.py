"""The Features page as a person uses it: what is kept, what if it were not, and how surely."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, Trace, run_cli
from tests.says import assert_says

LOG = {"dataset": "python-docs", "method": "log", "ratio": "0.002512"}
DRAWN = "name => document.querySelector(`.st-key-chart_${name} .js-plotly-plot`)?._fullData?.length > 0"


_COUNT_MESSAGES = """() => {
  window.messages = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) { window.messages += 1; return send.call(this, message); };
}"""
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


def pick_feature(lab: Lab, key: str, name: str) -> None:
    lab.at(key).get_by_role("button").click()
    box = lab.page.locator(f"[class*=st-key-{key.removeprefix('switched_').removesuffix('_in')}_] input").first
    box.click()
    box.fill(name)
    box.press("Enter")
    box.press("Escape")
    lab.wait()


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


_HAS = """([name, trace]) => document.querySelector(`.st-key-chart_${name} .js-plotly-plot`)
  ?._fullData?.some(one => one.name === trace)"""


def test_what_is_drawn_as_kept_is_what_the_command_line_keeps_and_a_click_shows_the_model_without(lab: Lab) -> None:
    lab.open("features", **LOG)
    printed = run_cli("fit", "python-docs", "--method", "log", "--lambda-ratio", "0.0025118864", "--json")
    lab.page.wait_for_function(
        "() => document.querySelector('.st-key-chart_matrix .js-plotly-plot')?._fullData?.length > 0"
    )
    matrix = drawn(lab, "matrix")["weights of log"]
    rows = row_names(lab, "matrix")
    kept = {feature["name"]: feature["weight"] for feature in printed["features"]}
    shown = {rows[y]: float(text.strip().replace("−", "-")) for y, text in zip(matrix.y, matrix.text, strict=True)}
    assert shown == pytest.approx({name: kept[name] for name in shown}, abs=0.006)
    assert len(shown) == min(len(kept), 10)
    assert_says(lab.headline, "log", f"{printed['nonzero']} of 54 features")

    name, place = _second_weight(lab)
    lab.page.mouse.move(*place)
    expect(lab.page.locator(".st-key-chart_matrix .hoverlayer")).to_contain_text(name)  # the bar is there
    lab.page.mouse.down()
    lab.page.mouse.up()
    expect(lab.page.get_by_test_id("stMain").locator("h2")).to_contain_text(f"Without {name}: ")
    lab.page.wait_for_url(lambda address: "features_section=what" in address)
    traces = refitted(lab)
    assert traces["after"].x[row_names(lab, "what_if").index(f"− {name}")] == 0.0


@pytest.mark.more
def test_a_feature_is_switched_off_priced_and_given_back(lab: Lab) -> None:
    lab.open("features", features_section="what if", **LOG)
    pick_feature(lab, "switched_off", "BM25 of module")
    title = lab.page.get_by_test_id("stMain").locator("h2")
    expect(title).to_contain_text("Without BM25 of module")
    expect(lab.at("headline")).to_contain_text("1 switched off")
    lab.page.reload()
    expect(title).to_contain_text("Without BM25 of module")
    traces, rows = refitted(lab), row_names(lab, "what_if")
    y = rows.index("− BM25 of module")
    assert traces["after"].x[y] == 0.0
    assert traces["before"].x[y] == pytest.approx(1.2, abs=0.01)

    lab.press("what_if_reset")
    expect(title).to_contain_text("log keeps")
    lab.at("costs").get_by_role("button").first.click()
    uploader = lab.page.locator("[class*=st-key-costs_file] input[type=file]")
    lab.wait()
    uploader.set_input_files([{"name": "c.csv", "mimeType": "text/csv", "buffer": b"feature,cost\nBM 25,1\n"}])
    expect(lab.page.get_by_text(re.compile(r"line 2\b.*\bno feature\b.*'BM 25'"))).to_be_visible()
    content = b"feature,cost\nBM25 of all,50\n"
    uploader.set_input_files([{"name": "d.csv", "mimeType": "text/csv", "buffer": content}])
    expect(title).to_contain_text("At these costs")
    expect(lab.page.get_by_text(re.compile(r"\bCost\b.*\b57 before\b"))).to_be_visible()
    traces, rows = refitted(lab), row_names(lab, "what_if")
    y = next(y for y, name in enumerate(rows) if name.endswith("BM25 of all"))
    assert abs(traces["after"].x[y]) < abs(traces["before"].x[y])


@pytest.mark.more
def test_samples_are_drawn_stopped_continued_and_judged_by_the_threshold(lab: Lab) -> None:
    # A hundred fits of the push take so long that nobody is too late to stop them.
    lab.open(
        "features", features_section="stability", stability_samples="halves", method="infinite-push-l1", ratio="0.3"
    )
    stop, draw = lab.button("stability_stop"), lab.button("stability_draw")
    expect(stop.or_(draw).first).to_be_visible()
    if draw.is_visible():  # after a slow first fit nothing begins by itself
        lab.press("stability_draw")
    lab.press("stability_stop")
    expect(lab.button("stability_continue")).to_be_visible()
    lab.press("stability_continue")
    expect(lab.button("stability_more")).to_be_visible(timeout=150_000)
    lab.page.wait_for_function(_HAS, arg=["stability", "100 resamples"])
    bars = drawn(lab, "stability")["100 resamples"]
    assert bars.x[0] == max(bars.x) > 0.8
    assert [round(100 * share, 9) % 1 for share in bars.x] == [0.0] * len(bars.x)
    words = lab.page.get_by_test_id("stMain").get_by_text(re.compile(r"q = [\d.]+ of p = \d+"))
    stable = sum(share >= 0.8 for share in bars.x)
    expect(words).to_contain_text(re.compile(rf"\b{stable} stable features\b"))
    slider = lab.at("stability_threshold").get_by_role("slider")
    for _ in range(3):
        slider.press("ArrowRight")
    lab.wait()
    expect(words).to_contain_text(re.compile(rf"\b{sum(share >= 0.95 for share in bars.x)} stable features\b"))


def test_bars_filled_features_and_the_strip_follow_the_hand_and_letting_go_takes_c(lab: Lab) -> None:
    lab.open("features", dataset="planted", method="l1", ratio="0.1")
    knob = lab.at("chart_along_c").get_by_role("slider", name="C", exact=True)
    expect(knob).to_be_visible(timeout=150_000)
    lab.wait()
    lab.page.evaluate(_COUNT_MESSAGES)
    kept = lab.page.locator("[data-reading='kept']")
    before, bars, link = kept.inner_text(), lab.page.evaluate(_BARS), lab.query["ratio"]
    box = knob.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    for step in range(1, 21):
        lab.page.mouse.move(x + 12 * step, y)
    expect(kept).not_to_have_text(before)
    assert lab.page.evaluate(_BARS) > bars
    assert lab.page.evaluate("() => window.messages") == 0
    reached = (knob.get_attribute("aria-valuetext") or "").split(",")[0]
    lab.page.mouse.up()
    lab.wait()
    expect(knob).to_have_attribute("aria-valuetext", re.compile(re.escape(reached)))
    assert lab.query["ratio"] != link
