"""What stands around every page: the strip of numbers, pinned runs, undo and redo, choices with a name."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.lab import Lab, run_cli

CLI = ("fit", "planted", "--fold", "1", "--json")


def strip(lab: Lab) -> str:
    return lab.at("headline").inner_text()


def test_the_strip_answers_every_touch_with_the_command_lines_numbers(lab: Lab) -> None:
    lab.open("path", dataset="planted", method="l1", ratio="0.1")
    record = run_cli(*CLI, "--method", "l1", "--lambda-ratio", "0.1")
    expect(lab.at("headline")).to_contain_text(f"{record['nonzero']} of 60")
    for part in ("vali", "test"):
        expect(lab.at("headline")).to_contain_text(f"{record['metrics'][part]['NDCG@10']:.4f}")
    lab.press("pin")
    lab.wait()
    lab.choose("method", "RankSVM log")
    lab.wait()
    other = run_cli(*CLI, "--method", "log", "--lambda-ratio", "0.1")
    expect(lab.at("headline")).to_contain_text(f"{other['nonzero']} of 60")
    expect(lab.at("headline")).to_contain_text(f"{other['nonzero'] - record['nonzero']:+d}")
    difference = other["metrics"]["test"]["MAP"] - record["metrics"]["test"]["MAP"]
    expect(lab.at("headline")).to_contain_text(f"{difference:+.4f}")


def test_pinned_runs_are_drawn_and_told_apart_from_the_present_one(lab: Lab) -> None:
    lab.open("fit", dataset="planted", method="l1", ratio="0.1")
    lab.press("fit")
    lab.says("Converged")
    lab.wait()
    lab.press("pin")
    lab.wait()
    lab.choose("method", "RankSVM log")
    expect(lab.page.locator("h1, h2").first).to_contain_text("log keeps")
    lab.wait()
    names = {trace.name for trace in lab.drawn("convergence")}
    assert any(name.startswith("ℓ1, C = ") for name in names)
    assert any(name.startswith("log, ") for name in names)
    table = lab.table("run")
    assert [table[row]["penalty"] for row in ("pinned 1", "now")] == ["ℓ1", "log"]
    assert "C" not in table["now"], "a setting in which the runs agree is no difference"


def test_undo_redo_and_reset_walk_through_the_choices(lab: Lab) -> None:
    lab.open("data", dataset="planted")
    lab.choose("method", "RankSVM MCP")
    lab.wait()
    lab.choose("dataset", "python-docs")
    lab.wait()
    lab.press("undo")
    expect(lab.at("dataset").get_by_role("combobox")).to_have_value("planted")
    lab.wait()
    lab.press("undo")
    expect(lab.at("method").get_by_role("combobox")).to_have_value("RankSVM ℓ1")
    lab.wait()
    lab.press("redo")
    expect(lab.at("method").get_by_role("combobox")).to_have_value("RankSVM MCP")
    lab.wait()
    lab.press("reset")
    expect(lab.at("dataset").get_by_role("combobox")).to_have_value("python-docs")
    expect(lab.at("method").get_by_role("combobox")).to_have_value("RankSVM ℓ1")


def test_a_choice_saved_by_name_comes_back(lab: Lab) -> None:
    lab.open("data", dataset="planted", method="scad")
    lab.at("presets").locator("button:visible").first.click()
    lab.write("preset_new", "for Tuesday")
    lab.press("preset_save")
    lab.wait()
    lab.page.keyboard.press("Escape")
    lab.press("reset")
    expect(lab.at("dataset").get_by_role("combobox")).to_have_value("python-docs")
    lab.wait()
    lab.at("presets").locator("button:visible").first.click()
    lab.press("preset_open")
    expect(lab.at("dataset").get_by_role("combobox")).to_have_value("planted")
    expect(lab.at("method").get_by_role("combobox")).to_have_value("RankSVM SCAD")
