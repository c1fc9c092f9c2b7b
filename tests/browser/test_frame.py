"""What stands around every page: the strip of numbers, pinned runs, starting over, choices with a name."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, run_cli

CLI = ("fit", "planted", "--fold", "1", "--json")


def strip(lab: Lab) -> str:
    return lab.at("headline").inner_text()


@pytest.mark.more
def test_the_strip_has_the_command_lines_numbers_and_pinned_runs_are_told_apart_from_the_present_one(lab: Lab) -> None:
    lab.open("path", dataset="planted", method="l1", ratio="0.1")
    record = run_cli(*CLI, "--method", "l1", "--lambda-ratio", "0.1")
    expect(lab.at("headline")).to_contain_text(f"{record['nonzero']} of 60")
    expect(lab.at("headline")).to_contain_text(f"{record['metrics']['test']['NDCG@10']:.4f}")
    on_hover = re.compile(f"validation: NDCG@10 {record['metrics']['vali']['NDCG@10']:.4f}")
    expect(lab.page.locator(".strip")).to_have_attribute("title", on_hover)
    lab.go_to("Fit")
    lab.wait()
    lab.press("fit")
    lab.says("Converged")
    lab.wait()
    lab.press("pin")
    lab.at("unpin").wait_for()
    lab.choose("method", "RankSVM log")
    expect(lab.page.locator("h1, h2").first).to_contain_text("log keeps")
    lab.wait()
    other = run_cli(*CLI, "--method", "log", "--lambda-ratio", "0.1")
    expect(lab.at("headline")).to_contain_text(f"{other['nonzero']} of 60")
    expect(lab.at("headline")).to_contain_text(f"{other['nonzero'] - record['nonzero']:+d}".replace("-", "−"))
    difference = other["metrics"]["test"]["MAP"] - record["metrics"]["test"]["MAP"]
    expect(lab.at("headline")).to_contain_text(f"{difference:+.4f}".replace("-", "−"))
    names = {trace.name for trace in lab.drawn("convergence")}
    assert any(name.startswith("ℓ1, C = ") for name in names)
    assert any(name.startswith("log, ") for name in names)
    table = lab.table("run")
    assert [table[row]["penalty"] for row in ("pinned 1", "now")] == ["ℓ1", "log"]
    assert "C" not in table["now"], "a setting in which the runs agree is no difference"


@pytest.mark.more
def test_back_and_start_over_walk_through_the_choices_and_one_saved_by_name_comes_back(lab: Lab) -> None:
    lab.open("queries", dataset="planted")
    chosen = {key: lab.at(key).get_by_role("combobox") for key in ("dataset", "method")}
    lab.choose("method", "RankSVM MCP")
    lab.choose("dataset", "python-docs")
    lab.page.go_back()
    expect(chosen["dataset"]).to_have_value("planted")
    lab.wait()
    lab.page.go_back()
    expect(chosen["method"]).to_have_value("RankSVM ℓ1")
    lab.wait()
    lab.page.go_forward()
    expect(chosen["method"]).to_have_value("RankSVM MCP")
    lab.wait()
    lab.unfold("More")
    lab.wait()
    lab.unfold("Saved choices")
    lab.press("preset_save")
    expect(lab.page.get_by_text("name first")).to_be_visible()
    expect(lab.page.locator(".strip")).to_have_css("display", "flex")  # the page has its style still
    lab.write("preset_new", "for Tuesday")
    lab.press("preset_save")
    lab.wait()
    lab.press("reset")
    expect(chosen["dataset"]).to_have_value("python-docs")
    expect(chosen["method"]).to_have_value("RankSVM ℓ1")
    lab.wait()
    lab.press("preset_open")
    expect(chosen["dataset"]).to_have_value("planted")
    expect(chosen["method"]).to_have_value("RankSVM MCP")
