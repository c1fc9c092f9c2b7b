"""The report's tables: the numbers of the results, every digit."""

from __future__ import annotations

from core.experiments.results.run import Run
from core.experiments.run.workers.workers import Failure
from core.export import protocol_tables as tables
from core.export.table_formats import latex_table
from tests.experiments.made_up import four_lines, line, result, run
from tests.says import assert_says

LINES = four_lines()


def of(lines: list, reference: str | None = "l2", problems: dict | None = None) -> Run:  # type: ignore[type-arg]
    plan, results = run(lines)
    return Run.of(plan, results, problems or {}, reference)


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


def test_no_table_needs_letters_beyond_ascii_in_latex() -> None:
    made = of(LINES)
    every = [tables.results_table(made), tables.folds_table(made), *tables.quality_tables(made)]
    for table in [*every, tables.comparison_table(made), tables.datasets_table(made)]:
        assert table is not None
        assert latex_table(table).isascii(), table.name
