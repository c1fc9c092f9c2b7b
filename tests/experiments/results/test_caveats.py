"""Unfinished models and choices at the end of their grid, in every table and picture of a run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.analysis.endings import worst_gap
from core.analysis.tuning.grid_end import Widening, grid_end_of
from core.experiments.results.caveats import caveats_note
from core.experiments.results.report import table_rows
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine
from core.experiments.results.tables import quality_table, sparsity_table
from core.export import protocol_tables
from core.export.table_formats import csv_text, latex_table, markdown_table
from core.figures.protocol.sparsity import ProtocolSpider, ProtocolTime
from core.figures.protocol.tradeoff import ProtocolTradeoff
from tests.experiments.made_up import four_lines, run
from tests.says import assert_says


def gap(relative: float) -> dict[str, Any]:
    return {"kind": "duality gap", "value": relative, "relative": relative, "unit": "F", "among": ""}


def grid(*lams: float) -> list[dict[str, Any]]:
    return [{"lambda": lam, "parameters": {}} for lam in lams]


UNFINISHED = {"stop": "step limit reached", "certificate": gap(0.25)}
AT_THE_END = {"grid": grid(1.0, 0.3, 0.1)}
INSIDE = {"grid": grid(1.0, 0.1, 0.01)}


def with_records(line: MethodLine, records: dict[int, dict[str, Any]]) -> MethodLine:
    results = {
        fold: replace(found, record=found.record | INSIDE | records.get(fold, {}))
        for fold, found in line.results.items()
    }
    return replace(line, results=results)


@pytest.fixture
def lines() -> list[MethodLine]:
    """log: two unfinished models of three; l1: one choice at the smallest lambda."""
    l1, log, fenchelrank, l2 = four_lines()
    less = UNFINISHED | {"certificate": gap(0.031)}
    return [
        with_records(l1, {2: AT_THE_END}),
        with_records(log, {1: less, 3: UNFINISHED}),
        with_records(fenchelrank, {}),
        with_records(l2, {}),
    ]


@pytest.fixture
def a_run(lines: Sequence[MethodLine]) -> Run:
    plan, results = run(lines)
    return Run(plan, results, {}, "l2")


@pytest.mark.parametrize(
    ("stop", "relative", "unfinished"),
    [
        ("converged", 0.25, False),
        ("step limit reached", 1e-9, True),
        ("time limit reached", 0.02, True),
        ("the paper's step limit reached", 0.02, True),
        ("the paper's rule", 0.02, True),
        ("the paper's rule", 1e-4, False),
        ("no further progress possible in double precision", 1e-5, False),
        ("no further progress possible in double precision", 0.3, True),
        ("empty model is optimal at every lambda", 0.0, False),
    ],
)
def test_a_model_is_unfinished_if_it_was_cut_off_or_is_far_from_its_goal(
    stop: str, relative: float, unfinished: bool
) -> None:
    found = worst_gap({"stop": stop, "certificate": gap(relative)})
    assert (found is not None) is unfinished
    assert found is None or found.relative == relative


def test_the_first_stage_of_a_refit_counts_too() -> None:
    found = worst_gap({"stop": "converged", "certificate": gap(1e-9), "first_stage": UNFINISHED})
    assert found.relative == 0.25


def test_what_has_no_ending_is_not_called_unfinished() -> None:
    assert worst_gap({}) is None
    assert worst_gap({"stop": "converged", "certificate": None}) is None


def test_one_value_and_a_forest_have_no_end_of_a_grid() -> None:
    for rows in ([], grid(0.3), [{"leaves": 7}]):
        assert grid_end_of({"grid": rows, "lambda": rows[0].get("lambda") if rows else 0.1, "nonzero": 3}) is None


def test_the_grid_is_that_of_the_chosen_parameters() -> None:
    rows = [{"lambda": lam, "parameters": {"k": k}} for k, lams in ((1, (1.0, 0.1)), (2, (1.0, 0.01))) for lam in lams]
    assert grid_end_of({"grid": rows, "lambda": 0.1, "nonzero": 3, "chosen": {"k": 1}}) == "smallest"


def test_the_main_table_counts_both_and_has_the_worst_gap(lines: Sequence[MethodLine]) -> None:
    l1, log, fenchelrank, _ = table_rows(lines)
    unfinished = next(name for name in l1 if "unfinished" in name)
    end = next(name for name in l1 if "end" in name)
    assert_says(log[unfinished], "2 of 3", "25 %")
    assert_says(l1[end], "1 of 3", "smallest")
    assert (l1[unfinished], log[end], fenchelrank[unfinished], fenchelrank[end]) == ("", "", "", "")


def test_a_table_without_such_models_has_no_column_for_them() -> None:
    lines = [with_records(line, {}) for line in four_lines()]
    assert not [name for name in table_rows(lines)[0] if "unfinished" in name or "end" in name]


def test_the_records_name_the_folds(lines: Sequence[MethodLine]) -> None:
    l1, log = lines[0].record(), lines[1].record()
    assert l1["grid_end"] == {"folds": [2], "which": ["smallest"]}
    assert log["unfinished"]["folds"] == [1, 3]
    assert log["unfinished"]["worst"]["relative"] == 0.25
    assert [fold["unfinished"] for fold in log["folds"]] == [True, False, True]
    assert [fold["grid_end"] for fold in l1["folds"]] == [None, "smallest", None]


def test_how_many_grids_have_widened_is_said_and_recorded(lines: Sequence[MethodLine]) -> None:
    widened = [Widening(0, 2).record(None), Widening().record(None), Widening(0, 4).record("smallest")]
    wide = with_records(lines[3], {fold: {"grid_widened": one} for fold, one in enumerate(widened, 1)})
    assert_says(caveats_note([wide], {}), "widened", "2 of 3", "1 reached the limit")
    assert [fold["grid_widened"]["smaller"] for fold in wide.record()["folds"]] == [2, 0, 4]
    assert "widened" not in caveats_note(lines, {})


def test_the_papers_tables_mark_the_numbers(a_run: Run) -> None:
    for table in (sparsity_table(a_run.lines, a_run.titles), quality_table(a_run.lines, "MAP", a_run.titles)):
        signs = {row[0].text: row[1].text[-1] for row in table.rows}
        assert (signs[a_run.titles["log"]], signs[a_run.titles["l1"]]) == ("‡", "§")
        assert signs[a_run.titles["l2"]].isdigit()
        assert_says(table.note, "log", "25 %", "ℓ1", "1 of 3")
        assert "$\\ddagger$" in latex_table(table)


@pytest.mark.parametrize("picture", [ProtocolTradeoff, ProtocolTime, ProtocolSpider])
def test_the_pictures_mark_them_and_say_what_the_marks_mean(a_run: Run, picture: Any) -> None:
    figure = picture(a_run).figure
    named = [str(trace.name) for trace in figure.data] + [str(note.text) for note in figure.layout.annotations]
    assert any("log" in name and "‡" in name for name in named)
    assert any("ℓ1" in name and "§" in name for name in named)
    assert picture(a_run).words(a_run.lines).title.startswith(f"{a_run.where}: "), "whose numbers they are"
    assert_says(picture(a_run).words(a_run.lines).subtitle, "‡", "25 %", "§", "1 of 12")


def test_csv_latex_and_markdown_say_it(a_run: Run) -> None:
    table = protocol_tables.results_table(a_run)
    by_method = {row["method"]: row for row in table.numbers}
    log = by_method["log"]
    assert (log["unfinished"], log["worst gap"], by_method["l1"]["at grid end"]) == (2, 0.25, 1)
    assert "0.25" in csv_text(table.numbers)
    for text in (latex_table(table), markdown_table(table)):
        assert_says(text.replace("\\,", " ").replace("\\%", "%"), "2 of 3", "25 %", "1 of 3")
