"""The address holds the choice: a reload, a link and a cold server show the same."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.lab import Lab
from tests.browser.server import Server


def test_a_reload_keeps_the_choice_and_the_finished_fit(lab: Lab) -> None:
    lab.open("fit")
    lab.choose("dataset", "planted")
    lab.choose("method", "RankSVM MCP")
    slider = lab.at("c_control").get_by_role("slider")
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


def test_the_first_request_to_a_cold_server_may_be_a_deep_link(cold_server: Server, context: BrowserContext) -> None:
    lab = Lab(context.new_page(), cold_server.address)
    lab.open("fit", dataset="planted", method="mcp", ratio="0.01")
    assert {"Lab", "Fit"} <= set(lab.menu)
    assert (lab.value("dataset"), lab.value("method")) == ("planted", "RankSVM MCP")
    assert "λ/λ_max\xa0=\xa00.01 " in lab.page.get_by_test_id("stSidebar").inner_text()
    lab.press("fit")
    lab.says("Converged")
    lab.go_to("Lab")
    expect(lab.at("chart_lab_path")).to_be_visible(timeout=150_000)


def test_a_link_with_nonsense_falls_back_to_the_defaults_and_one_to_other_data_says_that_it_is_not_here(
    lab: Lab,
) -> None:
    lab.open("fit", dataset="planted", method="l7", fold="99", ratio="soup", solver="magic", tol="x", y="z")
    assert (lab.value("method"), lab.value("fold"), lab.value("solver")) == ("RankSVM ℓ1", "Fold1", "proximal Newton")
    assert lab.at("c_control").get_by_role("slider").input_value() == "30"
    lab.press("fit")
    lab.says("Converged")
    lab.open("fit", dataset="my-secret-set")
    expect(lab.at("link_notice")).to_contain_text("The link asks for dataset “my-secret-set”, which is not here")
    assert lab.value("dataset") == "python-docs"
    lab.choose("dataset", "planted")
    lab.wait()
    lab.press("fit")
    lab.says("Converged")


@pytest.mark.more
def test_two_tabs_with_different_choices_do_not_disturb_each_other(lab: Lab) -> None:
    other = lab.another_tab()
    lab.open("fit", dataset="planted", method="l1", solver="subgradient", tol="1e-10")
    other.open("fit", dataset="planted", method="l2")
    lab.press("fit")
    lab.says("Running")
    other.press("fit")
    other.says("Converged")
    expect(other.page.locator("h1, h2").first).to_have_text(re.compile("^ℓ2 keeps"))
    reached = lab.steps_beyond(lab.steps_drawn())
    other.choose("method", "RankSVM SCAD")
    other.says("stationarity")
    assert lab.value("method") == "RankSVM ℓ1"
    lab.steps_beyond(reached)
    lab.press("stop")
    lab.says("Stopped")
