"""The Data page as a person uses it: what is drawn is what independent computations say of the same files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect
from scipy.stats import kendalltau, pearsonr

from core.analysis.features.single_feature import single_feature_scores
from core.data import RankingData, open_dataset, read_letor
from core.metrics.kendall import sample_documents
from pages.views.data.page import QUESTIONS
from tests.browser.lab import Lab
from tests.browser.server import Server
from tests.browser.watch import Watch
from tests.says import assert_says

TEST_PART = Path(__file__).resolve().parents[2] / "sample_data" / "python-docs" / "partitions" / "S5.txt.gz"

_HEAT = """() => {
  const [trace] = document.querySelector(".st-key-chart_similarity .js-plotly-plot")._fullData;
  return {names: Array.from(trace.y), cells: Array.from(trace.z, row => Array.from(row))};
}"""
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


@pytest.mark.more
def test_cells_of_the_heat_map_are_scipys_and_a_link_brings_it_back(lab: Lab, data: RankingData) -> None:
    lab.open("data", dataset="python-docs", data_section="similarity", data_part="test")
    for kind, scipys in (("Pearson", pearsonr), ("Kendall", kendalltau)):
        lab.pick("data_similarity", kind)
        # Old and new picture both stand on the page until the script has ended.
        expect(lab.at("chart_similarity").locator(".cbtitle").first).to_contain_text(kind)
        expect(lab.at("chart_similarity").locator(".cbtitle")).to_have_count(1)
        lab.wait()
        heat = lab.page.evaluate(_HEAT)
        column = [int(name.split()[0]) - 1 for name in heat["names"]]
        cells = np.array(heat["cells"])
        assert np.abs(cells.T - cells).max() == 0
        # Kendall's is worked out on documents that are drawn at random, where there are too many.
        rows = slice(None) if kind == "Pearson" else sample_documents(data)
        for i, j in ((0, 1), (5, 40), (20, 21), (53, 2)):
            expected = scipys(data.features[rows, column[i]], data.features[rows, column[j]]).statistic
            assert cells[i, j] == pytest.approx(expected, abs=1e-6)

    words = lab.title("similarity").text_content()
    slider = lab.at("data_alike").get_by_role("slider")
    for _ in range(4):
        slider.press("ArrowLeft")
    # Old and new picture both stand on the page until the script has ended.
    expect(lab.title("similarity")).to_have_count(1)
    expect(lab.title("similarity")).to_contain_text("≥ 0.86")
    lab.wait()
    assert lab.title("similarity").text_content() != words
    seen = lab.title("similarity").text_content()
    lab.reload()
    lab.wait()
    assert lab.title("similarity").text_content() == seen
    assert lab.page.evaluate(_HEAT) == heat


@pytest.mark.more
def test_a_query_is_found_by_its_words_and_shown_with_its_documents(lab: Lab, data: RankingData) -> None:
    lab.open("data", dataset="python-docs", data_section="query", data_part="test")
    box = lab.at("data_query").get_by_role("combobox")
    box.click()
    option = lab.page.get_by_role("option").nth(3)
    query, _, text = option.inner_text().partition(": ")
    option.click()
    expect(lab.page.locator("h3")).to_contain_text(text)
    lab.wait()
    assert lab.query["data_query"] == query
    position = data.query_ids.index(query)
    relevance = data.relevance[data.query_offsets[position] : data.query_offsets[position + 1]]
    counted = f"{(relevance >= 1).sum()} of {len(relevance)} documents"
    assert_says(lab.page.locator("h3").inner_text(), counted, "relevant")
    lab.reload()
    expect(lab.page.locator("h3")).to_contain_text(text)


@pytest.mark.more
def test_every_section_fits_a_phone_in_the_dark(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 900}, color_scheme="dark")
    with Watch(context) as watch:
        lab = Lab(context.new_page(), server.address)
        lab.open("data", dataset="planted")
        bar, title = (lab.page.locator(part).first.bounding_box() for part in ('[data-testid="stHeader"]', "h2"))
        assert bar is not None
        assert title is not None
        assert title["y"] >= bar["y"] + bar["height"], "the bar would cut the title's letters"
        for section, chart in (("overview", "labels"), ("features", "single_features"), ("similarity", "similarity")):
            lab.pick("data_section", QUESTIONS[section])
            expect(lab.title(chart)).to_be_visible()
            lab.wait()
            assert lab.page.evaluate("document.documentElement.scrollWidth") <= 400
    context.close()
    watch.assert_quiet()
