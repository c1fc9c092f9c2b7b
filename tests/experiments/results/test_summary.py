"""From results to the papers' tables."""

from dataclasses import replace
from statistics import mean, stdev
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from core.analysis.tuning.choice_noise import ByChoice
from core.experiments.results.comparison import against_best, against_reference
from core.experiments.results.published.beside_published import beside_published, made_alike, published_elsewhere
from core.experiments.results.report import choose_reference, table_rows
from core.experiments.results.run import Run
from core.experiments.results.statistics import holm, one_sided_t_test
from core.experiments.results.summary import MethodLine, choice_note, summarise, tried_words
from core.experiments.results.tables import quality_table
from core.experiments.results.training_draws import training_note
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult
from tests.experiments.made_up import N_QUERIES, four_lines, result
from tests.says import assert_says


def made_up(map_: float, nonzero: int, seed: int) -> CellResult:
    """A result that keeps the first features."""
    return result(map_, range(1, nonzero + 1), seed=seed)


@pytest.fixture
def lines(plan: Plan) -> tuple[MethodLine, ...]:
    """l1 a little and log much below l2, which keeps seven features."""
    settings = {"l1": (0.49, 3), "log": (0.40, 2), "l2": (0.50, 7)}
    results = {
        cell: made_up(*settings[cell.choice.method], seed=10 * cell.fold + len(cell.choice.method))
        for cell in plan.cells
    }
    return summarise(plan, results)


def test_a_line_has_means_and_every_fold(lines: tuple[MethodLine, ...]) -> None:
    l1 = lines[0].record()
    assert (l1["method"], l1["complete"], l1["sparsity_ratio"], l1["nonzero"]) == ("l1", True, pytest.approx(3 / 8), 3)
    maps = [fold["MAP"] for fold in l1["folds"]]
    assert [fold["fold"] for fold in l1["folds"]] == [1, 2, 3]
    assert l1["MAP"] == pytest.approx(mean(maps))
    assert l1["spread"]["MAP"] == pytest.approx(stdev(maps))


def test_a_line_with_a_fold_missing_is_said_to_be_incomplete(plan: Plan) -> None:
    some = {cell: made_up(0.5, 3, 0) for cell in plan.cells if cell.fold != 2}
    assert [line.complete for line in summarise(plan, some)] == [False] * 3
    assert against_best(summarise(plan, some)) == []
    alone = {cell: found for cell, found in some.items() if cell.fold == 1}
    assert table_rows(summarise(plan, alone))[0]["MAP ± folds"] == ""


def test_features_are_counted_over_folds(lines: tuple[MethodLine, ...]) -> None:
    assert lines[0].selected() == {1: 3, 2: 3, 3: 3}
    assert lines[0].measure("share of features").mean == pytest.approx(3 / 10)


def test_the_reference_is_compared_with_all_others_over_the_queries_of_all_folds(lines: tuple[MethodLine, ...]) -> None:
    found = [one for one in against_reference(lines, "l2") if one.measure == "MAP"]
    assert [(one.method, one.found.n_queries) for one in found] == [("l1", 75), ("log", 75)]
    log = found[1]
    assert log.found.decrease_percent == pytest.approx(20.0, abs=3.0)
    assert log.found.t_test_p == one_sided_t_test(lines[2].per_query("MAP"), lines[1].per_query("MAP"))
    assert log.significantly_worse
    assert [one.t_test_holm for one in found] == holm([one.found.t_test_p for one in found])
    assert [one.randomization_holm for one in found] == holm([one.found.randomization_p for one in found])


def test_the_papers_tables_compare_with_the_best(lines: tuple[MethodLine, ...]) -> None:
    assert {(one.measure, one.reference) for one in against_best(lines)} == {("MAP", "l2"), ("NDCG@10", "l2")}


def test_a_reference_is_chosen_where_none_is_named(plan: Plan) -> None:
    assert choose_reference(plan.choices, None) == "l2"
    assert choose_reference(plan.choices, "log") == "log"
    with pytest.raises(ValueError, match=r"\bscad\b.*\bnot\b.*\bl1, log, l2\b"):
        choose_reference(plan.choices, "scad")


def test_published_numbers_stand_beside_ours(lines: tuple[MethodLine, ...]) -> None:
    found = beside_published([replace(line, dataset="MQ2008", convention="letor4") for line in lines])
    (sparsity,) = [row for row in found if (row.method, row.measure) == ("l1", "sparsity ratio")]
    assert (sparsity.published, sparsity.ours) == (0.39, pytest.approx(3 / 8))
    assert sparsity.difference == pytest.approx(3 / 8 - 0.39)
    assert sparsity.within is None  # results of before there were choices
    share = next(row for row in found if row.measure == "share of features")
    assert (share.system, share.published, share.ours) == ("RankSVM-Primal", 0.8697, pytest.approx(7 / 10))
    dense = next(row for row in found if (row.method, row.measure) == ("l2", "MAP"))
    assert dense.published == 0.4744


def test_ndcg_counted_otherwise_is_not_judged(lines: tuple[MethodLine, ...]) -> None:
    """The papers count as the LETOR scripts do; the average precision is the same everywhere."""
    standard = [MethodLine("MQ2008", line.choice, "standard", line.n_folds, line.results) for line in lines]
    assert {row.measure for row in made_alike(standard)} == {"sparsity ratio"}
    fenchel = four_lines("NDCG@10")[2]
    assert {row.measure for row in made_alike([fenchel])} >= {"MAP", "NDCG@10"}
    other = MethodLine("MQ2008", fenchel.choice, "standard", fenchel.n_folds, fenchel.results)
    assert made_alike([other]) == []


def test_other_datasets_have_nothing_beside_them(lines: tuple[MethodLine, ...]) -> None:
    assert beside_published(lines) == []
    assert {number.system for number in published_elsewhere(["MQ2008"])} >= {"ListNet", "RankBoost", "AdaRank-NDCG"}


def with_choices(result: CellResult, maps: list[float], drawn: list[int]) -> CellResult:
    """The result, with choices that take models of these MAPs and one to so many features."""
    tests = np.array(maps)[:, None] + np.zeros(N_QUERIES)
    result.record["choice"] = {"models": [{"nonzero": k + 1} for k in range(len(maps))]}
    again = {"MAP": tests, "NDCG@10": tests / 2.0}
    return replace(result, drawn=np.array(drawn, dtype=np.int64), drawn_tests=again)


def test_the_noise_of_the_choice_is_that_of_the_mean_over_folds(plan: Plan) -> None:
    draws = {1: [0, 0, 1, 1], 2: [0, 1, 1, 1], 3: [0, 0, 0, 0]}
    results = {
        cell: with_choices(made_up(0.5, 3, seed=cell.fold), [0.4, 0.7], draws[cell.fold])
        for cell in plan.cells
        if cell.choice.method == "l1"
    }
    (line,) = summarise(plan, results)
    by_draw = [(0.4 + 0.4 + 0.4) / 3, (0.4 + 0.7 + 0.4) / 3, (0.7 + 0.7 + 0.4) / 3, (0.7 + 0.7 + 0.4) / 3]
    found = line.by_choice("MAP")
    assert (found.mean, found.deviation) == (pytest.approx(np.mean(by_draw)), pytest.approx(np.std(by_draw, ddof=1)))
    assert line.record()["by_choice"]["nonzero"]["mean"] == pytest.approx(np.mean([3, 4, 5, 5]) / 3)
    assert table_rows([line])[0]["MAP ± choice"] == f"{np.std(by_draw, ddof=1):.4f}"
    error = ByChoice.of(by_draw).deviation_error
    assert line.record()["by_choice"]["MAP"]["deviation_error"] == pytest.approx(error)
    spreads = line.record()["by_choice"].values()
    worst = max(100 * one["deviation_error"] / one["deviation"] for one in spreads)
    assert_says(choice_note([line]), "4 resamples", f"{worst:.0f} %")


def test_the_noise_of_the_training_queries_is_that_of_the_mean_over_folds_from_draw_to_draw(plan: Plan) -> None:
    """Of draws that every fold has finished; the models as they are have no part in it."""
    cells = [cell for cell in plan.cells if cell.choice.method == "l1"]
    maps = {1: [0.4, 0.5, 0.6], 2: [0.5, 0.5, 0.8], 3: [0.3, 0.6, 0.6], 4: [0.9, 0.9]}
    again = {
        replace(cell, draw=draw): made_up(map_, 2 + draw, seed=draw)
        for draw, values in maps.items()
        for cell, map_ in zip(cells, values, strict=False)
    }
    results = {cell: made_up(0.5, 3, seed=cell.fold) for cell in cells} | again
    drawn = replace(plan, cells=(*plan.cells, *(replace(c, draw=d) for c in cells for d in maps)), draws=4)
    (line,) = summarise(drawn, results)
    by_draw = [mean(again[replace(cell, draw=draw)].test("MAP") for cell in cells) for draw in (1, 2, 3)]
    told = line.record()["by_training"]
    assert told["draws"] == 3
    assert told["MAP"]["deviation"] == pytest.approx(np.std(by_draw, ddof=1))
    assert told["nonzero"]["deviation"] == pytest.approx(np.std([3, 4, 5], ddof=1))
    [row] = table_rows([line])
    assert row["MAP ± training"] == f"{np.std(by_draw, ddof=1):.4f}"
    assert_says(training_note([line.draws]), "3 draws")
    assert line.measure("MAP").mean == pytest.approx(mean(results[cell].test("MAP") for cell in cells))
    (without,) = summarise(plan, results)
    assert "by_training" not in without.record()
    assert not [name for name in table_rows([without])[0] if "training" in name]


def test_a_difference_that_is_the_draw_of_the_choice_is_no_difference_with_it(plan: Plan) -> None:
    """Given its lucky models log lies clearly below l2; with the choice drawn anew it does not."""
    results = {}
    for cell in plan.cells:
        lucky, usual = {"l2": (0.60, 0.50), "log": (0.55, 0.62), "l1": (0.5, 0.5)}[cell.choice.method]
        result = made_up(lucky, 3, seed=10 * cell.fold + len(cell.choice.method))
        results[cell] = with_choices(result, [lucky, usual], [0, 1, 1, 1, 1, 0, 1, 1])
    compared = {(c.method, c.measure): c for c in against_reference(summarise(plan, results), "l2")}
    log = compared["log", "MAP"]
    assert log.significantly_worse
    assert log.again.p > 0.2
    assert log.again_holm >= log.again.p
    assert log.again.verdict(0.01) == log.verdict == "undecided"  # no difference is found, and that is all
    told = log.record()["choice_too"]
    assert (told["margin"], told["verdict"]) == (0.01, "undecided")
    wide = {(c.method, c.measure): c for c in Run(plan, results, {}, "l2", margin=0.5).comparisons.with_reference}
    assert wide["log", "MAP"].record()["choice_too"]["verdict"] == "equivalent"
    assert wide["log", "MAP"].again == log.again
    assert told["interval"][1] > 0.0 > told["interval"][0]
    drawn = np.array([0, 1, 1, 1, 1, 0, 1, 1])
    assert told["mean"] == pytest.approx(np.mean(np.array([0.55, 0.62])[drawn] - np.array([0.60, 0.50])[drawn]))


def test_results_of_before_there_were_choices_have_no_noise_of_them(lines: tuple[MethodLine, ...]) -> None:
    assert lines[0].by_choice("MAP") is None
    assert lines[0].record()["by_choice"] == {}
    assert table_rows(lines)[0]["MAP ± choice"] == ""
    assert all(one.again is None and one.again_holm is None for one in against_reference(lines, "l2"))


def test_what_ties_change_stands_in_a_column_of_its_own(plan: Plan) -> None:
    results = {cell: made_up(0.5, 3, seed=cell.fold) for cell in plan.cells}
    assert {"MAP", "NDCG@10"} < table_rows(summarise(plan, results))[0].keys()
    for found in results.values():
        found.record["expected_over_ties"] = {"test": {"MAP": 0.4}}
    lines = summarise(plan, results)
    for row in (table_rows(lines)[0], quality_table(lines, "MAP", {}).numbers[0]):
        assert row["MAP over ties"] == pytest.approx(0.4)
        assert row["MAP in file order"] > 0.45
        assert not {"MAP", "NDCG@10 over ties"} & row.keys(), "each heading says which order it counts"


def test_the_heading_counts_the_values_that_each_method_has_tried() -> None:
    """FenchelRank's paper has nine radii, whatever the grid of the others; folds of one method may differ, too."""

    def line(label: str, *tried: int) -> MethodLine:
        results = {
            fold: SimpleNamespace(
                record={"grid": [{"lambda": 2.0**-i, "parameters": k} for k in "ab" for i in range(n)]}
            )
            for fold, n in enumerate(tried, 1)
        }
        choice = SimpleNamespace(label=label)
        return MethodLine("shop", cast("Any", choice), "standard", len(tried), cast("Any", results))

    alike, nine, wide = line("l1", 20, 20), line("fenchelrank", 9, 9), line("mcp", 20, 27)
    assert tried_words([alike]) == "20"
    assert tried_words([nine]) == "9"
    titles = {"fenchelrank": "FenchelRank"}
    assert tried_words([alike, line("l2", 20, 20), nine, wide], titles) == "20 (FenchelRank: 9, mcp: 20 to 27)"
    assert tried_words([line("trees", 0, 0)]) == ""
