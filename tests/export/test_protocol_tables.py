"""The report's tables: the numbers of the results, every digit."""

from __future__ import annotations

from statistics import mean

from core.experiments.results.run import Run
from core.experiments.run.workers.workers import Failure
from core.export import protocol_tables as tables
from core.export.latex import latex_table
from tests.experiments.made_up import four_lines, line, result, run
from tests.says import assert_says

LINES = four_lines()


def of(lines: list, reference: str | None = "l2", problems: dict | None = None) -> Run:  # type: ignore[type-arg]
    plan, results = run(lines)
    return Run.of(plan, results, problems or {}, reference)


def test_the_results_are_those_of_the_lines() -> None:
    table = tables.results_table(of(LINES))
    for one, number in zip(LINES, table.numbers, strict=True):
        assert number["method"] == one.choice.label
        assert number["MAP"] == mean(found.test("MAP") for found in one.results.values())
        assert number["sparsity_ratio deviation"] == one.sparsity_ratio.deviation
    assert table.rows[0][1].text == "RankSVM ℓ1"


def test_every_chosen_model_has_a_row() -> None:
    numbers = tables.folds_table(of(LINES)).numbers
    assert len(numbers) == 12
    assert numbers[4]["MAP"] == LINES[1].results[2].test("MAP")
    assert {"fold", "C", "lambda", "nonzero", "seconds", "stop"} <= set(numbers[0])


def test_a_chosen_model_has_its_certificate_with_what_it_holds_among() -> None:
    plan, results = run([line("rwfs-l0", {1: result(0.4, [1]), 2: result(0.4, [1]), 3: result(0.4, [1])})])
    told = {"kind": "duality gap", "value": 0.1, "relative": 0.017, "unit": "F", "among": "on the surviving features"}
    for found, certificate in zip(results.values(), (told, told | {"among": ""}, None), strict=True):
        found.record["certificate"] = certificate
    table = tables.folds_table(Run.of(plan, results, {}, None))
    assert [(row["certificate"], row["certificate of"]) for row in table.numbers] == [
        (0.017, f"duality gap / F, {told['among']}"),
        (0.017, "duality gap / F"),
        (None, ""),
    ]
    assert_says(table.note, "gap", "among all models", "unless")


def test_the_comparison_names_its_reference() -> None:
    table = tables.comparison_table(of(LINES))
    assert table is not None
    assert table.head[3] == "against RankSVM ℓ2"
    assert {(number["method"], number["measure"]) for number in table.numbers} == {
        (label, measure) for label in ("l1", "log", "fenchelrank") for measure in ("MAP", "NDCG@10")
    }
    first = table.numbers[0]
    assert first["low"] <= first["difference"] <= first["high"]
    assert "one-sided" in table.note
    assert tables.comparison_table(of(LINES, None)) is None


def test_features_come_with_their_folds() -> None:
    table = tables.features_table(of(LINES[:3], "l1"), "MQ2008")
    assert [number["feature"] for number in table.numbers] == [1, 2, 3, 4, 5]
    assert table.numbers[0] == {"feature": 1, "name": "name 1", "l1": 3, "log": 2, "fenchelrank": 3}


def test_strong_features_are_asked_for_where_their_scores_are_known() -> None:
    single = {"MQ2008": {fold: [1.0 - 0.1 * j for j in range(10)] for fold in (1, 2, 3)}}
    table = tables.strong_table(of(LINES), "MQ2008", single)
    assert table is not None
    assert (table.numbers[0]["k"], table.numbers[0]["share"]) == (5, 1.0)
    assert tables.strong_table(of(LINES), "MQ2008", {}) is None


def test_what_is_missing_is_listed_with_its_reason() -> None:
    some = line("log", {1: result(0.4, [1])}, n_folds=3)
    plan, results = run([LINES[0], some])
    failed = next(cell for cell in plan.cells if cell not in results)
    found = Run.of(plan, results, {failed: Failure("MemoryError: 12 GiB", bad_data=False)}, None)
    table = tables.missing_table(found)
    assert table is not None
    assert [(row["fold"], row["method"], row["reason"]) for row in table.numbers] == [
        (2, "log", "MemoryError: 12 GiB"),
        (3, "log", "not computed yet"),
    ]
    assert tables.missing_table(of(LINES)) is None


def test_fingerprints_are_whole_in_the_file() -> None:
    table = tables.datasets_table(of(LINES))
    assert len(table.numbers) == 3
    assert len(table.numbers[0]["train"]) == 64
    assert len(table.rows[0][2].text) == 12


def test_no_table_needs_letters_beyond_ascii_in_latex() -> None:
    made = of(LINES)
    every = [tables.results_table(made), tables.folds_table(made), *tables.quality_tables(made)]
    for table in [*every, tables.comparison_table(made), tables.datasets_table(made)]:
        assert table is not None
        assert latex_table(table).isascii(), table.name
