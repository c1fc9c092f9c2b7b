"""Ours and the papers' numbers side by side: what the files say, from the results."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean, stdev

import numpy as np

from core.experiments.results.published.reproduced import reproduced_table
from core.experiments.run.titles import choice_titles
from tests.experiments.made_up import four_lines, line, result
from tests.says import assert_says

LINES = four_lines()
TITLES = choice_titles(one.choice for one in LINES)


def row_of(lines: list, method: str) -> dict[str, str]:
    table = reproduced_table(lines, "MQ2008", choice_titles(one.choice for one in lines))
    assert table is not None
    return next(row for row in table.records() if row["method"] == method)


def test_every_source_has_its_number_and_letter() -> None:
    table = reproduced_table(LINES, "MQ2008", TITLES)
    assert table is not None
    assert table.name == "reproduced-MQ2008-by-MAP"
    row = row_of(LINES, "FenchelRank")
    # Laporte et al. (2014), Tables IV and V. The 0.4785 of Lai et al. was chosen by NDCG@10.
    assert (row["MAP published"], row["sparsity ratio published"]) == ("0.4804 [a]", "0.30 [a]")
    assert row["NDCG@10 published"] == "–"
    ours = [found.test("MAP") for found in LINES[2].results.values()]
    assert row["MAP"] == f"{mean(ours):.4f} ± {stdev(ours):.4f}"
    assert_says(table.note, "Published", "chosen by MAP", "[a] Laporte et al. 2014")
    assert "[b]" not in table.note
    assert "3 folds" in table.note


def test_a_run_by_ndcg_stands_beside_what_was_chosen_by_ndcg() -> None:
    lines = four_lines("NDCG@10")
    row = row_of(lines, "FenchelRank")
    # Lai et al. (2013), Tables 2, 4 and 5; Laporte et al. chose by MAP.
    assert (row["MAP published"], row["NDCG@10 published"]) == ("0.4785 [a]", "0.2317 [a]")
    assert (row["sparsity ratio published"], row["share of features published"]) == ("–", "0.34 [a]")
    table = reproduced_table(lines, "MQ2008", choice_titles(one.choice for one in lines))
    assert table is not None
    assert table.name == "reproduced-MQ2008-by-NDCG-10"
    systems = "RankSVM-l1, RankSVM-log, FenchelRank"
    assert_says(table.note, systems, "Laporte et al. 2014", "chosen by MAP", "ours by NDCG@10")


def test_rows_say_whose_settings_they_have_and_ours_have_no_published_number() -> None:
    folds = {fold: result(0.4, [1], seed=fold) for fold in (1, 2, 3)}
    lines = [line("mcp", folds), line("mcp:gamma=2", folds), line("lambdamart", folds)]
    own, printed = row_of(lines, "RankSVM MCP"), row_of(lines, "RankSVM MCP (gamma=2)")
    assert (own["settings"], own["sparsity ratio published"]) == ("ours", "–")
    assert (printed["settings"], printed["sparsity ratio published"]) == ("as printed", "0.27 [a]")
    assert row_of(lines, "LambdaMART")["settings"] == "ours"


def test_what_a_paper_does_not_print_is_named() -> None:
    table = reproduced_table(LINES, "MQ2008", TITLES)
    assert table is not None
    assert_says(table.note, "Not printed", "ours", "[a]", "grid of C", "(RankSVM-l1, RankSVM-log)")


def test_what_no_paper_prints_is_said_to_be_missing() -> None:
    row = row_of(LINES, "RankSVM ℓ1")
    assert (row["MAP published"], row["sparsity ratio published"]) == ("–", "0.39 [a]")


def test_unfinished_lines_and_unknown_datasets_are_left_out() -> None:
    some = [LINES[0], line("fenchelrank", {1: result(0.4, [1])}, n_folds=3)]
    table = reproduced_table(some, "MQ2008", TITLES)
    assert table is not None
    assert [row["method"] for row in table.records()] == ["RankSVM ℓ1"]
    own = [line("l1", {1: result(0.4, [1])}, dataset="mine")]
    assert reproduced_table(own, "mine", TITLES) is None


def test_the_noise_of_the_choice_stands_beside_that_of_the_folds() -> None:
    first, second = result(0.5, [1, 2]), result(0.5, [1, 2], seed=1)
    for one in (first, second):
        one.record.update(usable=8, choice={"models": [{"nonzero": 2}, {"nonzero": 6}]})
    tests = np.array([[0.5], [0.7]]) + np.zeros(len(first.per_query["MAP"]))
    again = {"drawn": np.array([0, 1, 1, 1]), "drawn_tests": {"MAP": tests, "NDCG@10": tests / 2.0}}
    table = reproduced_table([line("l1", {1: replace(first, **again), 2: replace(second, **again)})], "MQ2008", {})
    assert table is not None
    row = {name: entry.text for name, entry in zip(table.head, table.rows[0], strict=True)}
    deviation = np.std([0.5, 0.7, 0.7, 0.7], ddof=1)
    assert row["MAP ± by choice"] == f"{deviation:.4f}"
    assert row["sparsity ratio ± by choice"] == f"{np.std([2, 6, 6, 6], ddof=1) / 8:.2f}"
    of_before = reproduced_table([line("l1", {1: first, 2: second})], "MQ2008", {})
    assert of_before is not None
    assert of_before.rows[0][of_before.head.index("MAP ± by choice")].text == "–"
