"""Tables IV, V and VI: what is printed, marked and kept, recomputed from the results."""

from __future__ import annotations

from statistics import mean, stdev

import numpy as np
import pytest
from scipy.stats import ttest_rel

from core.experiments.results.tables import quality_table, sparsity_table
from core.experiments.run.titles import choice_titles
from tests.experiments.made_up import four_lines, line, result

LINES = four_lines()
TITLES = choice_titles(one.choice for one in LINES)


def test_sparsity_has_mean_spread_and_the_published_value() -> None:
    table = sparsity_table(LINES, TITLES)
    l1 = [0.25, 0.25, 0.25]
    fenchel = [4 / 8, 3 / 8, 5 / 8]
    assert table.records()[0] == {"method": "RankSVM ℓ1", "MQ2008": f"{mean(l1):.2f} ± 0.00 (0.39)"}
    assert table.records()[2]["MQ2008"] == f"{mean(fenchel):.2f} ± {stdev(fenchel):.2f} (0.30)"
    assert table.records()[1]["MQ2008"].endswith("★")
    number = table.numbers[2]
    assert (number["sparsity_ratio"], number["deviation"]) == (pytest.approx(mean(fenchel)), stdev(fenchel))
    assert (number["published"], number["difference"]) == (0.30, pytest.approx(mean(fenchel) - 0.30))


def test_an_empty_model_is_not_the_sparsest() -> None:
    lines = [line("l1", {1: result(0.1, [])}), line("log", {1: result(0.5, [1])})]
    assert [row[1].mark for row in sparsity_table(lines, TITLES).rows] == ["", "best"]


@pytest.mark.parametrize(("measure", "name"), [("MAP", "table5-map"), ("NDCG@10", "table6-ndcg10")])
def test_decreases_and_p_are_those_of_scipy(measure: str, name: str) -> None:
    table = quality_table(LINES, measure, TITLES)
    assert table.name == name
    best = LINES[2].per_query(measure)
    for one, row, number in zip(LINES, table.rows, table.numbers, strict=True):
        entry, values = row[1], one.per_query(measure)
        assert entry.text == f"{values.mean():.4f}"
        assert number[measure] == pytest.approx(float(values.mean()))
        assert number["best"] == "fenchelrank"
        if one is LINES[2]:
            assert (entry.mark, entry.aside, number["t_test_p"]) == ("best", "", None)
            continue
        p = ttest_rel(best, values, alternative="greater").pvalue
        percent = 100.0 * (best.mean() - values.mean()) / best.mean()
        assert number["t_test_p"] == pytest.approx(p)
        assert number["decrease_percent"] == pytest.approx(percent)
        assert (entry.mark == "worse") == (p < 0.05) == number["significantly_worse"]
        assert entry.aside == "~" or entry.aside.startswith(f"−{percent:.1f} %, p ")
    marks = [row[1].mark for row in table.rows]
    assert (marks[1], marks[2]) == ("worse", "best")


def test_more_datasets_than_methods_stand_as_in_the_paper() -> None:
    lines = [
        line(label, {1: result(0.5, kept), 2: result(0.4, kept)}, dataset=name)
        for name, kept in (("A", [1]), ("B", [1, 2]), ("C", [1, 2, 3]))
        for label in ("l1", "log")
    ]
    table = sparsity_table(lines, TITLES)
    assert table.head == ("dataset", "RankSVM ℓ1", "RankSVM log")
    assert [row[0].text for row in table.rows] == ["A", "B", "C", "mean"]
    assert table.rows[-1][1].text == f"{np.mean([1 / 8, 2 / 8, 3 / 8]):.2f}"


def test_unfinished_lines_say_so_and_are_never_best() -> None:
    unfinished = line("log", {1: result(0.9, [1])}, n_folds=3)
    lines = [LINES[0], unfinished]
    for table in (sparsity_table(lines, TITLES), quality_table(lines, "MAP", TITLES)):
        assert (table.rows[1][1].aside, table.rows[1][1].mark) == ("1 of 3 folds", "")
        assert table.rows[0][1].mark == "best"


def test_a_mean_over_datasets_is_only_of_those_who_have_them_all() -> None:
    lines = [line("l1", {1: result(0.5, [1])}, dataset=name) for name in "AB"]
    lines.append(line("log", {1: result(0.5, [1])}, dataset="A"))
    rows = sparsity_table(lines, TITLES).rows
    assert rows[-1][0].text == "mean"
    assert [entry.text for entry in rows[-1][1:]] == ["0.12", "–"]
    assert [entry.text for entry in rows[1][1:]] == ["0.12", "–"]
