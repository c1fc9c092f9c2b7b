"""The address holds the choice: a reload and a link show the same."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab


@pytest.mark.more
def test_a_reload_keeps_the_choice_and_the_finished_fit(lab: Lab) -> None:
    lab.open("fit")
    lab.choose("dataset", "planted")
    lab.choose("method", "RankSVM MCP")
    slider = lab.at("choose_c").get_by_role("slider")
    for _ in range(6):
        slider.press("ArrowRight")
    lab.wait()
    lab.press("fit")
    lab.says("Converged")
    lab.wait()
    lab.press("fit_more")
    lab.pick("x", "seconds")
    lab.page.keyboard.press("Escape")
    lab.wait()

    def seen() -> tuple[str, ...]:
        words = (lab.headline, lab.value("dataset"), lab.value("method"), slider.input_value())
        lab.press("fit_more")
        across = lab.at("x").get_by_role("radio", checked=True).inner_text()
        lab.page.keyboard.press("Escape")
        return (*words, across, lab.status.inner_text())

    before, drawn = seen(), lab.drawn("convergence")
    assert before[1:5] == ("planted", "RankSVM MCP", "36", "seconds")
    linked = {"dataset": "planted", "method": "mcp", "solver": "proximal-newton", "ratio": "0.01585", "x": "seconds"}
    linked |= {"y": "objective"}
    assert lab.query == linked
    lab.reload()
    lab.says("Converged")
    lab.wait()
    assert seen() == before
    assert lab.drawn("convergence") == drawn


@pytest.mark.more
def test_two_tabs_with_different_choices_do_not_disturb_each_other(lab: Lab) -> None:
    other = lab.another_tab()
    lab.open("fit", dataset="planted", method="l1", solver="subgradient", tol="1e-10")
    other.open("fit", dataset="planted", method="l2")
    lab.press("fit")
    lab.says("Running")
    other.press("fit")
    other.says("Converged")
    expect(other.page.locator("h1, h2").first).to_have_text(re.compile("ℓ2 keeps"))
    reached = lab.steps_beyond(lab.steps_drawn())
    other.choose("method", "RankSVM SCAD")
    other.says("stationarity")
    assert lab.value("method") == "RankSVM ℓ1"
    lab.steps_beyond(reached)
    lab.press("stop")
    lab.says("Stopped")
