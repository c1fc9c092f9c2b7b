"""A fit from the first click to its numbers, which are those of the command line."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from core.analysis.endings import ended_words
from tests.browser.lab import Lab, run_command


def assert_shows(lab: Lab, printed: dict[str, Any]) -> None:
    """Every number on the page is the one that the command line prints."""
    curve = lab.drawn("convergence")
    assert curve[-1].y[-1] == pytest.approx(printed["objective"], rel=1e-9)
    assert curve[-1].text == [ended_words(printed)]
    settled = [point["objective"] for point in printed["trace"] if not point["provisional"]]
    assert curve[-2].y == pytest.approx(settled, rel=1e-9)

    bars, *_ = lab.drawn("weights")  # where the path is known, with rows for features without a weight
    weights = {feature["index"]: feature["weight"] for feature in printed["features"]}
    drawn = {int(feature): weight for feature, weight in zip(bars.y, bars.x, strict=True) if weight}
    assert drawn == pytest.approx(weights, rel=1e-6, abs=1e-9)

    lab.unfold("How does it rank?")
    lab.wait()
    tied = printed["expected_over_ties"]
    over_orders = {part: measured | tied.get(part, {}) for part, measured in printed["metrics"].items()}
    for part, metrics in over_orders.items():
        shown = lab.table(printed["convention"])[part]
        assert {m: float(v) for m, v in shown.items()} == pytest.approx({m: metrics[m] for m in shown}, abs=1e-9)
    assert f"keeps {printed['nonzero']} of" in lab.headline
    assert f"test NDCG@10 {over_orders['test']['NDCG@10']:.4f}" in lab.headline


def test_one_click_fits_and_every_number_is_the_command_lines(lab: Lab) -> None:
    lab.open("fit", method="log", ratio="0.0025")
    lab.press("fit")
    lab.says("Converged")
    expect(lab.page.locator("h1, h2").first).to_contain_text("log keeps")  # drawn again once the fit has ended
    lab.wait()
    assert_shows(lab, run_command(lab.command()))
