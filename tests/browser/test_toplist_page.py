"""The top of a list in the browser: documents where their scores are, moving with lambda, and the empty answer."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from tests.app.list_files import nothing_on_top
from tests.browser.lab import Lab, Trace, run_cli

_WORDS = """() => document.querySelector(".st-key-chart_strips .js-plotly-plot")?._fullLayout?.annotations
  ?.map(note => note.text)"""
_MOVING = """() => {
  const chart = document.querySelector(".st-key-chart_strips .js-plotly-plot"), axis = chart._fullLayout.xaxis;
  return [...chart.querySelectorAll(".handle circle[fill-opacity]")].filter(dot => dot.style.display !== "none")
    .map(dot => axis.p2d(+dot.getAttribute("cx") - axis._offset));
}"""
_ABOVE = f"""() => ({_WORDS})()?.find(text => text.includes("positives above"))"""


def strip(lab: Lab, name: str) -> Trace:
    (trace,) = [trace for trace in lab.drawn("strips") if trace.name == name]
    return trace


def on_top(lab: Lab) -> tuple[int, int]:
    """What the picture says beside its strips."""
    said = re.search(r"(\d+) of (\d+) positives", lab.page.evaluate(_ABOVE))
    assert said is not None
    return int(said[1]), int(said[2])


def slide(lab: Lab, key: str, to: str) -> None:
    """To an end of a slider, by keyboard."""
    lab.unfold("More")
    slider = lab.at(key).get_by_role("slider")
    slider.focus()
    slider.press(to)
    lab.wait()


def knob(lab: Lab, picture: str) -> Locator:
    """The handle of C, once the paths are complete."""
    found = lab.at(f"chart_{picture}").get_by_role("slider", name="C", exact=True)
    expect(found).to_be_visible(timeout=150_000)
    lab.wait()
    return found


def moving(lab: Lab) -> list[float]:
    """Where the positives under the hand are, in units of the axis."""
    return lab.page.evaluate(_MOVING)


@pytest.mark.more
def test_documents_stand_where_the_model_of_the_command_line_scores_them(lab: Lab) -> None:
    lab.open("top", dataset="breast-cancer", method="infinite-push-l1")
    handle = knob(lab, "strips")
    above, below = strip(lab, "positive, above"), strip(lab, "positive, below")
    assert on_top(lab) == (len(above.x), len(above.x) + len(below.x))
    assert min(above.x) > 0.0 >= max(below.x)
    assert max(strip(lab, "negative").x) <= 0.0 == strip(lab, "top negative").x[0]
    words = ["fit", "breast-cancer", "--method", "infinite-push-l1", "--lambda-ratio", str(10**-1.5), "--repeats", "10"]
    printed = run_cli(*words, "--scale", "standard", "--fold", "1", "--json")
    rate = printed["metrics"]["test"]["Top"]
    assert len(above.x) / (len(above.x) + len(below.x)) == pytest.approx(rate, abs=1e-9)
    assert f"{100 * rate:.0f} %" in lab.headline

    box, c = handle.bounding_box(), lab.query.get("C")
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(lab.page.evaluate("innerWidth") - 1, y, steps=8)
    lab.page.wait_for_function(f"n => ({_MOVING})().length === n", arg=len(above.x) + len(below.x))
    under_hand = moving(lab)
    lab.page.mouse.up()
    lab.page.wait_for_function("c => new URL(location).searchParams.get('C') !== c", arg=c)
    lab.wait()
    assert not moving(lab), "at rest Plotly draws them"
    assert float(lab.query["C"]) == pytest.approx(1e4 / printed["lambda"] * 10**-1.5, rel=1e-6)
    reached = [*strip(lab, "positive, above").x, *strip(lab, "positive, below").x]
    assert np.sign(sorted(under_hand)) == pytest.approx(np.sign(sorted(reached)))

    slide(lab, "top_share", "End")
    lab.page.wait_for_function(f"() => ({_WORDS})()?.some(text => text.includes('κ = 1:'))", timeout=150_000)
    assert lab.query["top_share"] == "1"
    assert not strip(lab, "negative").x, "of the whole list every negative counts"


@pytest.mark.more
def test_from_the_empty_answer_one_click_leads_to_a_model(lab: Lab) -> None:
    lab.open(method="infinite-push-l1")
    lab.drop("lists.txt", nothing_on_top())
    lab.go_to("Top of the list")
    lab.wait()  # the Lab has the same answer with the same button, which leads back to the Lab
    lab.says(re.compile(r"\b[Ee]mpty model\b.*\bevery λ"))
    lab.press("way_out_infinite-push-l1")
    knob(lab, "shares")
    assert float(lab.query["top_share"]) > 0.0
    assert sum(lab.drawn("shares")[0].x) > 0.0
    slide(lab, "top_share", "Home")
    lab.says(re.compile(r"\b[Ee]mpty model\b.*\bevery λ"))
    lab.page.go_back()
    knob(lab, "shares")
