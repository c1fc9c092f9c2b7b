"""A run of the protocol as one plain record: tables, tests, published numbers, and settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.experiments.results.caveats import caveats_note
from core.experiments.results.comparison import DEFAULT_REFERENCE, HEADING, WORDS, Comparisons, comparison_rows
from core.experiments.results.published.beside_published import beside_published, beside_rows
from core.experiments.results.published.tests import published_test_rows, tests_beside
from core.experiments.results.starts import STARTS, starts_record, starts_rows
from core.experiments.results.summary import choice_note, summarise, table_rows, tried_words
from core.experiments.results.training_draws import training_note
from core.experiments.run.cells import Cell
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult
from core.experiments.run.versions import library_versions, protocol_version
from core.experiments.run.workers.workers import Failure


def choose_reference(plan: Plan, wanted: str | None) -> str | None:
    """Return the label of the method that the others are compared with; None with a single method.

    Raises
    ------
    ValueError
        If the method asked for is not among those of the run.
    """
    labels = [choice.label for choice in plan.choices]
    if wanted is not None and wanted not in labels:
        msg = f"the reference {wanted} is not among the methods {', '.join(labels)}; add it to them"
        raise ValueError(msg)
    if len(labels) < 2:
        return None
    return wanted or (DEFAULT_REFERENCE if DEFAULT_REFERENCE in labels else labels[0])


def protocol_record(
    plan: Plan,
    results: Mapping[Cell, CellResult],
    problems: Mapping[Cell, Failure],
    reference: str | None,
    *,
    comparisons: Comparisons | None = None,
) -> dict[str, Any]:
    """Return the record that ``protocol --json`` prints.

    Parameters
    ----------
    plan : Plan
    results : mapping
        The finished cells.
    problems : mapping
        The failed cells.
    reference : str or None
        The result of `choose_reference`.
    comparisons : Comparisons, optional
        Comparisons with this reference; computed by default.
    """
    lines = summarise(plan, results)
    compared = comparisons or Comparisons.of(lines, reference)
    return {
        "protocol": {
            "grid": plan.points,
            "grid_widens": plan.widen,
            "chosen_by": plan.measure,
            "rule": plan.rule,
            "starts": plan.starts,
            "training_draws": plan.draws,
            "methods": [choice.label for choice in plan.choices],
            "datasets": [dataset.name for dataset in plan.datasets],
            "code": protocol_version(),
            "versions": library_versions(),
        },
        "results": [line.record() | starts_record(line) for line in lines],
        "comparison": _comparison(compared),
        "against_best": [one.record() for one in compared.with_best],
        "published": [row.record() for row in beside_published(lines)],
        "published_tests": [test.record() for test in tests_beside(lines)],
        "missing": [
            {"dataset": cell.dataset, "fold": cell.fold, "method": cell.choice.label, "reason": _reason(cell, problems)}
            | ({"draw": cell.draw} if cell.draw else {})
            for cell in plan.cells
            if cell not in results
        ],
    }


def protocol_tables(
    plan: Plan,
    results: Mapping[Cell, CellResult],
    reference: str | None,
    *,
    comparisons: Comparisons | None = None,
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the tables for people with their headings, without those that have no rows."""
    lines = summarise(plan, results)
    conventions = ", ".join(dict.fromkeys(dataset.convention for dataset in plan.datasets))
    chosen = plan.choice_words(tried_words(lines))
    results_heading = (
        f"Means over folds on the test parts; {chosen} ({conventions} convention); ± folds: standard "
        "deviation from fold to fold; ± choice: standard deviation of the mean when the validation queries are "
        f"resampled.{choice_note(lines)}{training_note([line.draws for line in lines])}"
    )
    caveats = caveats_note(lines, {})
    results_heading += f" {caveats}" if caveats else ""
    compared = comparisons or Comparisons.of(lines, reference)
    tables = [
        (results_heading, table_rows(lines)),
        (f"Several starts. {STARTS}", starts_rows(lines)),
        (HEADING.format(reference=reference), comparison_rows(compared.with_reference)),
        (
            "Rows with the papers' settings next to the published numbers; within: no further apart than nineteen in "
            "twenty pairs of our own choices of C, where both were made alike", beside_rows(beside_published(lines))),
        ("The papers' one-sided t-tests next to ours of the same two rows",
         published_test_rows([test for test in tests_beside(lines) if test.ours is not None])),
    ]  # fmt: skip
    return [(heading, rows) for heading, rows in tables if rows]


def failed_sentence(plan: Plan, problems: Mapping[Cell, Failure]) -> str:
    """Say in one sentence which cells failed; the record has all of them."""
    cell, first = next(iter(problems.items()))
    return (
        f"{len(problems)} of {len(plan.cells)} cells failed; {cell.where} fold {cell.fold}: {first.sentence} (the "
        "others are saved; running again retries these)"
    )


def _comparison(compared: Comparisons) -> dict[str, Any] | None:
    if compared.reference is None:
        return None
    rows = [one.record() for one in compared.with_reference]
    return {"reference": compared.reference, "explanation": WORDS, "rows": rows}


def _reason(cell: Cell, problems: Mapping[Cell, Failure]) -> str:
    return problems[cell].sentence if cell in problems else "not computed yet"
