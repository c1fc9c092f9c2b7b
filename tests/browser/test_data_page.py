"""The Data page as a person uses it: what is drawn is what independent computations say of the same files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.analysis.features.single_feature import single_feature_scores
from core.data import RankingData, open_dataset, read_letor
from pages.views.data.page import QUESTIONS
from tests.browser.lab import Lab

TEST_PART = Path(__file__).resolve().parents[2] / "sample_data" / "python-docs" / "partitions" / "S5.txt.gz"

# Clicking needs a place on the screen: that of the point whose row has this name.
_PLACE = """index => {
  const chart = document.querySelector(".st-key-chart_single_features .js-plotly-plot");
  const trace = chart._fullData.find(t => t.name === "larger is better");
  const {xaxis, yaxis} = chart._fullLayout, box = chart.getBoundingClientRect();
  const k = Array.from(trace.y).indexOf(String(index));
  return [box.x + xaxis._offset + xaxis.c2p(trace.x[k]), box.y + yaxis._offset + yaxis.c2p(k)];
}"""


@pytest.fixture(scope="module")
def data() -> RankingData:
    return read_letor(TEST_PART)


@pytest.mark.more
def test_dots_are_the_cores_numbers_and_a_click_shows_the_features_values(lab: Lab, data: RankingData) -> None:
    lab.open("data", dataset="python-docs")
    lab.pick("data_part", "test")
    lab.pick("data_section", QUESTIONS["features"])
    expect(lab.title("single_features")).to_contain_text(re.compile(r"\bof 54 features\b.*\brandom order"))
    lab.at("data_all").click()  # the picture begins with those that fit the window
    lab.wait()
    alone = single_feature_scores(data, open_dataset("python-docs").convention)
    for measure in ("NDCG@10", "MAP"):
        lab.pick("data_measure", measure)
        lab.wait()
        dots = next(trace for trace in lab.drawn("single_features") if trace.name == "larger is better")
        assert dots.x == sorted(dots.x, reverse=True)
        expected = {str(score.index): score.map if measure == "MAP" else score.ndcg_at_10 for score in alone}
        assert dict(zip(dots.y, dots.x, strict=True)) == pytest.approx(expected, abs=1e-12)

    third = dots.y[2]
    lab.at("chart_single_features").evaluate("chart => chart.scrollIntoView()")
    lab.page.mouse.move(*lab.page.evaluate(_PLACE, third))
    expect(lab.at("chart_single_features").locator(".hovertext")).to_contain_text(f"feature {third}")
    lab.page.mouse.down()
    lab.page.mouse.up()
    expect(lab.at("data_feature").locator("input")).to_have_value(f"{_name(lab, third)} ({third})")
    lab.wait()
    curves = lab.drawn("distribution")
    values = data.features[:, int(third) - 1]
    for level, curve in enumerate(curves):
        assert curve.name.startswith(f"relevance {level} ")
        assert (min(curve.x), max(curve.x)) == (
            values[data.relevance == level].min(),
            values[data.relevance == level].max(),
        )


def _name(lab: Lab, index: str) -> str:
    name: str = lab.page.evaluate(
        """index => document.querySelector(".st-key-chart_single_features .js-plotly-plot")._fullData
          .flatMap(trace => Array.from(trace.customdata ?? [])).find(([, number]) => String(number) === index)[0]""",
        index,
    )
    return name
