"""The Penalties page in front of a class: sliders, maps and starts, as they are drawn."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from core.analysis.penalties.two_features import redundant_pair, two_feature_training
from core.data import open_dataset
from core.methods import get_method
from core.penalties import Log
from tests.browser.lab import Lab, Trace
from tests.says import assert_says


def named(traces: list[Trace], name: str) -> Trace:
    (trace,) = [t for t in traces if t.name.startswith(name)]
    return trace


def slide(lab: Lab, key: str, presses: str, times: int) -> None:
    """Move a slider by its arrow keys."""
    knob = lab.at(key).get_by_role("slider")
    knob.focus()
    for _ in range(times):
        knob.press(presses)
    lab.wait()


@pytest.mark.more
def test_the_curves_follow_their_parameters_and_a_picture_saved_on_a_phone_has_its_title_and_width(lab: Lab) -> None:
    lab.open("penalties", method="log")
    assert_says(lab.headline, "log", "small weights", "10")
    drawn = named(lab.drawn("penalty_curves"), "log")
    np.testing.assert_allclose(drawn.y, Log(0.1).curve(np.abs(drawn.x)), rtol=1e-6, atol=1e-12)
    lab.press("penalties_more")
    slide(lab, "shape_log_epsilon", "ArrowRight", 3)
    assert float(lab.query["shape_log_epsilon"]) == 0.14
    drawn = named(lab.drawn("penalty_curves"), "log")
    np.testing.assert_allclose(drawn.y, Log(0.14).curve(np.abs(drawn.x)), rtol=1e-6, atol=1e-12)

    lab.page.keyboard.press("Escape")
    lab.page.set_viewport_size({"width": 400, "height": 800})
    lab.wait()
    title = lab.title("penalty_curves").inner_text()
    lab.at("keep_penalty_curves").locator("button").first.click()
    lab.pick("format_penalty_curves", "svg")
    lab.page.keyboard.press("Escape")
    lab.wait()
    chart = lab.at("chart_penalty_curves")
    chart.hover()
    with lab.page.expect_download() as saved:
        chart.locator("[data-title='Download the picture']").click()
    assert saved.value.suggested_filename == "penalty_curves.svg"
    picture = ElementTree.parse(saved.value.path()).getroot()
    assert title in "".join(picture.itertext())
    assert picture.get("width") == "2000", "1000 pixels, twice as fine"


@pytest.mark.more
def test_a_link_shows_a_class_the_minimum_that_lambda_chooses(lab: Lab) -> None:
    lab.open("penalties", part="Two features", penalty="log", pair_ratio="0.05", ground="objective")
    training = two_feature_training(redundant_pair(), (0, 1))
    lowest = named(lab.drawn("plane"), "the lowest minimum, objective")
    assert lowest.x[0] > 0.4
    assert lowest.y == [0]
    assert named(lab.drawn("plane"), "another minimum").x == [0]
    slide(lab, "choose_c", "ArrowRight", 10)  # half a decade
    expected = get_method("log").fit(training, training.lam_at(0.016)).weights
    lowest = named(lab.drawn("plane"), "the lowest minimum, objective")
    assert [*lowest.x, *lowest.y] == pytest.approx(expected.tolist(), rel=1e-4)
    lab.reload()
    lab.wait()
    assert named(lab.drawn("plane"), "the lowest minimum, objective") == lowest


@pytest.mark.more
def test_reweighting_goes_round_by_round(lab: Lab) -> None:
    lab.open("penalties", part="Reweighting", penalty="log", pair_ratio="0.05")
    assert len(named(lab.drawn("round_plane"), "rounds so far").x) == 2
    slide(lab, "round", "ArrowRight", 3)
    assert len(named(lab.drawn("round_plane"), "rounds so far").x) == 5
    touch = named(lab.drawn("majoriser"), "touches at w1")
    assert touch.y[0] == pytest.approx(Log().curve(np.array(touch.x)).item())
    assert_says(lab.headline, "Round 4", "copy B", "small")


@pytest.mark.more
def test_all_the_data_from_several_starts(lab: Lab) -> None:
    lab.open("penalties", dataset="planted", part="Several starts", penalty="log", ratio="0.02")
    lab.press("starts_go")
    lab.says("log: 25 starts")
    lab.wait()
    rows = lab.table("ends in")
    objectives = [float(row["objective"]) for row in rows.values()]
    assert objectives == sorted(objectives)
    training = get_method("log").training(open_dataset("planted").fold(1).train)
    step = round(-20 * np.log10(float(lab.query["ratio"])))  # the slider has twenty a decade, the address four digits
    fit = get_method("log").fit(training, training.lam_at(10.0 ** (-step / 20)))
    (zero,) = [row for row in rows.values() if row["from zero"] == "✓"]
    assert float(zero["objective"]) == pytest.approx(fit.result.objective, rel=1e-6)
    assert int(zero["features kept"]) == fit.result.nonzero


@pytest.mark.more
def test_l1_has_one_answer_on_all_the_data(lab: Lab) -> None:
    lab.open("penalties", dataset="planted", part="Several starts", penalty="l1", ratio="0.02")
    lab.press("starts_go")
    lab.says(re.compile(r"ℓ1: .*\b25 starts\b.*\bsame minimum\b"))
    lab.wait()
    (row,) = lab.table("ends in").values()
    assert row["starts"] == "25"
    assert row["certificate"].startswith("gap")
