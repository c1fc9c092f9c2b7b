"""Ours and the papers' numbers side by side: what the files say, from the results."""

from __future__ import annotations

from statistics import mean, stdev

from core.experiments.reproduced import reproduced_table
from core.experiments.titles import choice_titles
from tests.experiments.made_up import four_lines, line, result

LINES = four_lines()
TITLES = choice_titles(one.choice for one in LINES)


def test_every_source_has_its_number_and_letter() -> None:
    table = reproduced_table(LINES, "MQ2008", TITLES)
    assert table is not None
    row = next(row for row in table.records() if row["method"] == "FenchelRank")
    # Laporte et al. (2014), Tables IV and V; Lai et al. (2013), Tables 2 and 5.
    assert (row["MAP published"], row["sparsity ratio published"]) == ("0.4804 [a], 0.4785 [b]", "0.30 [a]")
    assert row["NDCG@10 published"] == "0.2317 [b]"
    ours = [found.test("MAP") for found in LINES[2].results.values()]
    assert row["MAP"] == f"{mean(ours):.4f} ± {stdev(ours):.4f}"
    assert "[a] Laporte et al. 2014; [b] Lai et al. 2013 (FenchelRank)" in table.note
    assert "3 folds" in table.note


def test_what_no_paper_prints_is_said_to_be_missing() -> None:
    table = reproduced_table(LINES, "MQ2008", TITLES)
    assert table is not None
    row = next(row for row in table.records() if row["method"] == "RankSVM ℓ1")
    assert (row["MAP published"], row["sparsity ratio published"]) == ("–", "0.39 [a]")


def test_unfinished_lines_and_unknown_datasets_are_left_out() -> None:
    some = [LINES[0], line("fenchelrank", {1: result(0.4, [1])}, n_folds=3)]
    table = reproduced_table(some, "MQ2008", TITLES)
    assert table is not None
    assert [row["method"] for row in table.records()] == ["RankSVM ℓ1"]
    own = [line("l1", {1: result(0.4, [1])}, dataset="mine")]
    assert reproduced_table(own, "mine", TITLES) is None
