"""A run of the protocol as one plain record: tables, tests, published numbers, and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from core.analysis.tuning.choice_noise import ByChoice
from core.experiments.results.caveats import caveat_columns, caveats_note
from core.experiments.results.comparison import DEFAULT_REFERENCE, HEADING, READING, comparison_rows
from core.experiments.results.published.beside_published import (
    beside_published,
    beside_rows,
    published_test_rows,
    tests_beside,
)
from core.experiments.results.run import Run
from core.experiments.results.summary import MethodLine, choice_note, measure_columns, tied_measures, tried_words
from core.experiments.results.training_draws import training_columns, training_note
from core.experiments.run.cells import Cell, MethodChoice, library_versions, protocol_version
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import TESTED
from core.experiments.run.workers.workers import Failure

STARTS = (
    "Each chosen model's problem, fitted from the model itself and from random starts. Different minima: by fold. "
    "Above the lowest: the most, over folds, by which the objective of the model, from the plain start, lies above the "
    "lowest found. Features and measures on the test parts: means over folds of the smallest and the largest among the "
    "minima of a fold, and of that at the lowest objective. The model of the other tables is the one from the plain "
    "start, among whose like C was chosen."
)


def choose_reference(choices: Sequence[MethodChoice], wanted: str | None) -> str | None:
    """Return the label that the others are compared with: the one wanted, else `DEFAULT_REFERENCE`, else the first.

    None if there is nothing to compare.

    Raises
    ------
    ValueError
        If the one wanted is not among them.
    """
    labels = [choice.label for choice in choices]
    if wanted is not None and wanted not in labels:
        msg = f"the reference {wanted} is not among the methods {', '.join(labels)}; add it to them"
        raise ValueError(msg)
    if len(labels) < 2:
        return None
    return wanted or (DEFAULT_REFERENCE if DEFAULT_REFERENCE in labels else labels[0])


def protocol_record(run: Run) -> dict[str, Any]:
    """Return the record that ``protocol --json`` prints."""
    plan, lines, compared = run.plan, run.lines, run.comparisons
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
        "results": [
            line.record() | ({} if (found := over_starts(line)) is None else {"starts": found}) for line in lines
        ],
        "comparison": None
        if run.reference is None
        else {
            "reference": run.reference,
            "explanation": READING,
            "rows": [one.record() for one in compared.with_reference],
        },
        "against_best": [one.record() for one in compared.with_best],
        "published": [row.record() for row in beside_published(lines)],
        "published_tests": [test.record() for test in tests_beside(lines)],
        "missing": [
            {"dataset": cell.dataset, "fold": cell.fold, "method": cell.choice.label, "reason": run.reason(cell)}
            | ({"draw": cell.draw} if cell.draw else {})
            for cell in plan.cells
            if cell not in run.results
        ],
    }


def protocol_tables(run: Run) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the tables for people with their headings, without those that have no rows."""
    lines, compared = run.lines, run.comparisons
    chosen = run.plan.choice_words(tried_words(lines))
    results_heading = (
        f"Means over folds on the test parts; {chosen} ({run.conventions} convention); ± folds: standard "
        "deviation from fold to fold; ± choice: standard deviation of the mean when the validation queries are "
        f"resampled.{choice_note(lines)}{training_note([line.draws for line in lines])}{caveats_note(lines, {})}"
    )
    tables = [
        (results_heading, table_rows(lines)),
        (f"Several starts. {STARTS}", starts_rows(lines)),
        (HEADING.format(reference=run.reference), comparison_rows(compared.with_reference)),
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


def table_rows(lines: Sequence[MethodLine]) -> list[dict[str, Any]]:
    """Return the lines as a table for people; a measure has two columns if ties change it."""
    tied = tied_measures(lines)
    return [
        {
            "dataset": line.dataset,
            "method": line.choice.label,
            **caveats,
            **{
                key: value
                for name in TESTED
                for key, value in (
                    *measure_columns(name, line.official(name).mean, line.measure(name).mean, tied).items(),
                    (f"{name} ± folds", line.official(name).deviation if len(line.results) > 1 else ""),
                    (f"{name} ± choice", _deviation(line.by_choice(name), 4)),
                    *((key, value) for key, value in training.items() if key.startswith(name)),
                )
            },
            "sparsity ratio": line.sparsity_ratio.mean,
            "features": f"{line.n_features.mean:.1f}",
            "features ± choice": _deviation(line.by_choice("features"), 1),
            **{key: value for key, value in training.items() if key.startswith("features")},
            "seconds": f"{line.seconds.mean:.2g}",
            "folds": str(line.n_folds) if line.complete else f"{len(line.results)} of {line.n_folds}",
        }
        for line, caveats, training in zip(
            lines,
            caveat_columns(lines),
            training_columns([line.draws for line in lines], *TESTED, "features"),
            strict=True,
        )
    ]


def _deviation(found: ByChoice | None, digits: int) -> str:
    return "" if found is None else f"{found.deviation:.{digits}f}"


def over_starts(line: MethodLine) -> dict[str, Any] | None:
    """Return what several starts gave over the folds; None if they were not tried on each.

    ``distinct`` minima of every fold, the most that a model lies ``above`` the lowest, and ``nonzero``, MAP and NDCG@10
    as means over folds of the smallest and the largest among the minima and of that at the lowest objective.
    """
    found: list[dict[str, Any]] = [r.record["starts"] for r in line.results.values() if "starts" in r.record]
    if not found or len(found) < len(line.results):
        return None
    minima = [one["minima"] for one in found]
    spread = {
        name: {
            "smallest": mean(min(minimum[name] for minimum in one) for one in minima),
            "largest": mean(max(minimum[name] for minimum in one) for one in minima),
            "at_lowest": mean(one[0][name] for one in minima),
        }
        for name in ("nonzero", *TESTED)
    }
    distinct = [one["distinct"] for one in found]
    return {"n": found[0]["n"], "distinct": distinct, "above": max(one["above"] for one in found), **spread}


def starts_rows(lines: Sequence[MethodLine]) -> list[dict[str, Any]]:
    """Return what several starts gave as a table for people: a row for each line that has tried them."""
    return [
        {
            "dataset": line.dataset,
            "method": line.choice.label,
            "starts": str(found["n"]),
            "different minima": ", ".join(str(number) for number in found["distinct"]),
            "above the lowest": f"{100.0 * found['above']:.2g} %",
            "features": _range(found["nonzero"], 1),
            "features at the lowest": f"{found['nonzero']['at_lowest']:.1f}",
            **{
                key: value
                for name in TESTED
                for key, value in (
                    (name, _range(found[name], 4)),
                    (f"{name} at the lowest", f"{found[name]['at_lowest']:.4f}"),
                )
            },
        }
        for line in lines
        if (found := over_starts(line)) is not None
    ]


def starts_numbers(lines: Sequence[MethodLine]) -> list[dict[str, Any]]:
    """Return the same with every digit."""
    return [
        {"dataset": line.dataset, "method": line.choice.label, "starts": found["n"], "above": found["above"]}
        | {"distinct": " ".join(str(number) for number in found["distinct"])}
        | {f"{name} {end}": value for name in ("nonzero", *TESTED) for end, value in found[name].items()}
        for line in lines
        if (found := over_starts(line)) is not None
    ]


def _range(found: Mapping[str, float], digits: int) -> str:
    low, high = (f"{found[end]:.{digits}f}" for end in ("smallest", "largest"))
    return low if low == high else f"{low} to {high}"
