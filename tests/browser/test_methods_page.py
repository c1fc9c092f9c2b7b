"""Methods as a person uses it: reads a card, runs three methods, checks one at the terminal, and opens it on Fit."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, run_cli

HEADER, ROW = 36, 35  # heights in the table, in pixels
MARKS = 15  # where the boxes that select a row are, from the left


def select_row(lab: Lab, number: int, table: str = "bench_table") -> None:
    """Tick the box in front of a row, counted from 0: the table is painted, so it takes a place on the screen."""
    painted = lab.at(table).locator(".dvn-scroller")
    painted.scroll_into_view_if_needed()
    painted.click(position={"x": MARKS, "y": HEADER + ROW * number + ROW // 2})
    lab.wait()


@pytest.mark.more
def test_three_methods_are_compared_and_one_is_opened_on_fit(lab: Lab) -> None:
    lab.open("methods", dataset="planted", bench_methods="l1,log,rwfs-l0", ratio="0.1", card_family="other learners")
    card = lab.at("card_fenchelrank")
    expect(card).to_contain_text("Convergence O(1/k)")
    expect(card.locator(".katex-display")).to_have_count(1)

    lab.press("bench_run")
    expect(lab.at("bench_again")).to_be_visible()
    lab.wait()
    assert "of 3 methods: test NDCG@10" in lab.headline
    cli = run_cli("fit", "planted", "--fold", "1", "--method", "log", "--lambda-ratio", "0.1", "--json")
    marks = {trace.name: trace for trace in lab.drawn("methods") if trace.mode == "markers"}
    assert list(marks) == ["RankSVM ℓ1", "RankSVM log", "RankRWFS-ℓ0"]
    assert marks["RankSVM log"].x == [cli["nonzero"]]
    assert marks["RankSVM log"].y == pytest.approx([cli["metrics"]["test"]["NDCG@10"]], abs=1e-9)
    lab.page.set_viewport_size({"width": 2200, "height": 900})  # a table names the columns in sight only
    lab.wait()
    row = lab.table("method", "ended")["RankSVM log"]
    measures = cli["metrics"]["test"]
    assert float(row["NDCG@10 (test)"]) == pytest.approx(measures["NDCG@10"], abs=1e-9)
    assert float(row["MAP (test)"]) == pytest.approx(measures["MAP"], abs=1e-9)
    assert int(row["features"]) == cli["nonzero"]
    assert float(row["passes"]) == pytest.approx(cli["passes"])
    assert float(row["certificate"]) == pytest.approx(cli["certificate"]["relative"], rel=1e-3)
    assert (row["of"], row["ended"]) == (f"residual / {cli['certificate']['unit']}", "Converged to a stationary point")

    select_row(lab, 1)
    expect(lab.page.get_by_text("RankSVM log is selected.")).to_be_visible()
    lab.press("bench_fit")
    lab.says("Converged")
    lab.wait()
    assert lab.value("method") == "RankSVM log"
    assert float(lab.value("C")) == pytest.approx(cli["C"], rel=1e-9)
    assert f"log keeps {cli['nonzero']} of 60 features" in lab.headline

    lab.go_to("Methods")  # where the comparison still stands, as C is another way to write the same λ/λ_max
    expect(lab.at("bench_again")).to_be_visible()

    there = lab.another_tab()
    there.open("methods", dataset="planted", bench_methods="l2", bench_seconds="1", card_family="infinite push")
    assert (there.query["bench_methods"], there.query["bench_seconds"]) == ("l2", "1")
    there.press("use_infinite-push-l2")
    expect(there.at("method").get_by_role("combobox")).to_have_value("infinite push ℓ2")
