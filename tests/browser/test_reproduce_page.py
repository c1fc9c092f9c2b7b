"""Reproduce as a person uses it: runs a small table, checks it at the terminal, opens a cell, stops and comes back."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, run_command
from tests.says import assert_says

SMALL = {"dataset": "planted", "reproduce_methods": "l1,log", "reproduce_grid": "5"}
HEADER, ROW = 36, 35  # heights in the table, in pixels
MARKS = 15  # where the boxes that select a row are, from the left


def select_row(lab: Lab, number: int, table: str) -> None:
    """Tick the box in front of a row, counted from 0: the table is painted, so it takes a place on the screen."""
    painted = lab.at(table).locator(".dvn-scroller")
    painted.scroll_into_view_if_needed()
    painted.click(position={"x": MARKS, "y": HEADER + ROW * number + ROW // 2})
    lab.wait()


@pytest.mark.more
def test_a_small_table_is_what_the_terminal_says_and_a_cell_opens_on_fit(lab: Lab, tmp_path: Path) -> None:
    lab.open("reproduce", **SMALL)
    lab.press("reproduce_run")
    expect(lab.page.get_by_text("all cells are finished")).to_be_visible(timeout=150_000)
    expect(lab.page.locator("body > [role=status][aria-live=polite]")).to_contain_text("cells")
    lab.wait()
    assert_says(lab.headline, "highest mean test MAP")

    # The command that the page names, in a folder of the test's own.
    *words, out = lab.command().split()
    assert out == "runs"
    record = run_command(" ".join([*words, str(tmp_path / "runs"), "--json"]))
    lab.pick("reproduce_section", "Trade-off")
    lab.wait()
    marks = {trace.name: trace for trace in lab.drawn("reproduce_tradeoff") if "markers" in trace.mode}
    for row, title in zip(record["results"], ("RankSVM ℓ1", "RankSVM log"), strict=True):
        assert marks[title].x == pytest.approx([row["sparsity_ratio"]], abs=1e-9)
        assert marks[title].y == pytest.approx([row["MAP"]], abs=1e-9)

    with lab.page.expect_download() as download:
        lab.press("reproduce_report")
    files = zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())).namelist()
    assert "report.html" in files
    assert {Path(name).suffix for name in files} == {".html", ".csv", ".tex", ".md"}

    lab.pick("reproduce_section", "Cells")
    lab.wait()
    select_row(lab, 3, "reproduce_cells")  # fold 2, log
    expect(lab.page.get_by_text(re.compile(r"RankSVM log\b.*\bplanted, fold 2\b.*\bselected\b"))).to_be_visible()
    lab.press("reproduce_fit")
    lab.says("Converged")
    lab.wait()
    fold = record["results"][1]["folds"][1]
    assert (lab.value("method"), lab.value("fold")) == ("RankSVM log", "Fold2")
    assert float(lab.value("C")) == pytest.approx(fold["C"], rel=1e-9)
    lab.unfold("How does it rank?")
    lab.wait()
    test_measures = lab.table("standard")["test"]
    assert float(test_measures["MAP"]) == pytest.approx(fold["MAP"], abs=1e-9)
    assert float(test_measures["NDCG@10"]) == pytest.approx(fold["NDCG@10"], abs=1e-9)
