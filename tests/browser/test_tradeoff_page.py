"""Trade-off as a search engineer uses it: so many features, the best model with them, and off to the other pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, run_cli
from tests.says import assert_says

# Where on the screen a point of a trace is.
PLACE = """([name, point]) => {
  const chart = document.querySelector(".st-key-chart_tradeoff .js-plotly-plot");
  chart.scrollIntoView({block: "center"});
  const trace = chart._fullData.find(trace => trace.name === name), layout = chart._fullLayout;
  const box = chart.getBoundingClientRect();
  return {x: box.x + layout.xaxis._offset + layout.xaxis.d2p(trace.x[point]),
          y: box.y + layout.yaxis._offset + layout.yaxis.d2p(trace.y[point])};
}"""


def settled(lab: Lab) -> None:
    """Wait until all paths are complete."""
    expect(lab.at("tradeoff_use")).to_be_visible()
    expect(lab.at("paths_stop")).to_have_count(0, timeout=150_000)
    lab.wait()


@pytest.mark.more
def test_the_best_model_within_a_limit_is_the_command_lines_and_one_click_takes_it_to_every_page(lab: Lab) -> None:
    lab.open(
        "tradeoff",
        dataset="planted",
        k="9",
        tradeoff_measure="MAP",
        tradeoff_methods="l1",
    )
    settled(lab)
    path = run_cli("path", "planted", "--method", "l1", "--points", "50", "--json")["points"]
    path = [point for point in path if point["nonzero"]]
    drawn = {trace.name: trace for trace in lab.drawn("tradeoff")}
    line = drawn["ℓ1"]
    picked: list[Any] = []
    for point in sorted(path, key=lambda p: (p["nonzero"], -p["metrics"]["vali"]["MAP"], p["C"])):
        if not picked or point["metrics"]["vali"]["MAP"] > picked[-1]["metrics"]["vali"]["MAP"]:
            picked.append(point)
    assert line.x[:-1] == [point["nonzero"] for point in picked]
    assert line.y[:-1] == pytest.approx([point["metrics"]["test"]["MAP"] for point in picked], abs=1e-9)
    best: Any = max((p for p in path if p["nonzero"] <= 9), key=lambda point: point["metrics"]["vali"]["MAP"])
    (star,) = (trace for name, trace in drawn.items() if "picked" in name and "at most 9 features" in name)
    assert (star.x, star.y) == ([best["nonzero"]], pytest.approx([best["metrics"]["test"]["MAP"]], abs=1e-9))

    place = lab.page.evaluate(PLACE, ["ℓ1", len(picked) - 1])
    lab.page.mouse.move(**place)
    lab.page.mouse.click(**place)
    expect(lab.at("C").locator("input")).to_have_value(str(picked[-1]["C"]))

    lab.press("tradeoff_fit")
    lab.says("Converged")
    lab.wait()
    assert_says(lab.headline, "ℓ1", f"{best['nonzero']} of 60 features")
    assert float(lab.value("C")) == pytest.approx(best["C"], rel=1e-12)


def test_c_runs_along_the_curve_under_the_hand_and_is_taken_when_it_lets_go(lab: Lab) -> None:
    lab.open("tradeoff", dataset="planted", method="log", tradeoff_methods="log", ratio="0.3")
    settled(lab)
    knob = lab.at("chart_tradeoff").get_by_role("slider", name="C", exact=True)
    expect(knob).to_be_visible(timeout=150_000)
    kept = lab.page.locator("[data-reading='kept']")
    box = knob.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    seen = set()
    for step in range(1, 41):
        lab.page.mouse.move(x + 6 * step, y)
        lab.page.evaluate("() => new Promise(requestAnimationFrame)")
        seen.add(kept.inner_text())
    assert len(seen) > 3
    lab.page.evaluate("() => new Promise(requestAnimationFrame)")
    size = int(kept.inner_text().split()[0])
    assert f"{size} of 60 features" in (knob.get_attribute("aria-valuetext") or "")
    lab.page.mouse.up()
    expect(lab.at("C").locator("input").first).not_to_have_value("")  # two stand there while the page is drawn again
    lab.wait()
    path = run_cli("path", "planted", "--method", "log", "--points", "50", "--json")["points"]
    taken = min(path, key=lambda point: abs(point["C"] - float(lab.value("C"))))
    assert taken["C"] == pytest.approx(float(lab.value("C")), rel=1e-9)
    assert taken["nonzero"] == size


@pytest.mark.more
def test_all_folds_are_one_job_that_can_be_stopped_and_continued(lab: Lab) -> None:
    lab.open("tradeoff", dataset="python-docs", tradeoff_grid="full: 50", tradeoff_folds="all")
    progress = lab.page.get_by_test_id("stProgress").filter(has_text="python-docs, Fold")
    going, stopped = progress.filter(has_text=" left"), progress.filter(has_text="models, stopped")
    expect(going).to_be_visible()  # begun: before that there is no number to stop at
    lab.press("tradeoff_batch_stop")
    expect(stopped).to_be_visible()
    before = stopped.inner_text()
    lab.press("tradeoff_batch_continue")
    expect(going).to_be_visible()
    expect(going).not_to_contain_text(f" {fitted(before)} of ")  # until more are fitted, however slow that is
    lab.press("tradeoff_batch_stop")
    expect(stopped).to_be_visible()
    assert fitted(stopped.inner_text()) > fitted(before)


def fitted(words: str) -> int:
    """The number in "python-docs, Fold1: 12 of 1250 models"."""
    return int(words.partition(": ")[2].split()[0])


@pytest.mark.more
def test_over_folds_the_means_are_drawn(lab: Lab) -> None:
    lab.open(
        "tradeoff",
        dataset="planted",
        tradeoff_methods="log",
        tradeoff_folds="all",
    )
    expect(lab.title("tradeoff")).to_contain_text("5 folds ")
    lab.wait()
    means = next(trace for trace in lab.drawn("tradeoff") if trace.name == "log")
    assert means.x == sorted(means.x)
    assert max(means.y) > 0.9


@pytest.mark.more
def test_the_certified_line_stands_beneath_every_method_and_the_table_is_one_click_away(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("tradeoff", dataset="python-docs", tradeoff_methods="l1", k="3")
    lab.unfold("How near are these sets to the best possible ones?")
    bound = re.compile(r"\b3 features\b.*\bno\b.*\bbelow 0\.\d{4}")
    expect(lab.at("best_sets_box")).to_contain_text(bound, timeout=150_000)
    # The search is announced before its Stop stands on the page.
    expect(lab.at("yardstick_stop")).to_have_count(0, timeout=150_000)
    lab.wait()
    drawn = {trace.name: trace for trace in lab.drawn("certified")}
    best, own = drawn["best subset"], drawn["ℓ1"]
    assert best.x[:10] == list(range(1, 11))
    line = dict(zip(best.x[:10], best.y[:10], strict=True))
    assert all(y >= line[int(x)] - 1e-12 for x, y in zip(own.x[:-1], own.y[:-1], strict=True))
    lab.page.get_by_role("button", name="how far").or_(lab.page.get_by_role("radio", name="how far")).first.click()
    lab.wait()
    assert "ℓ1" in lab.drawn("excess")[0].y
