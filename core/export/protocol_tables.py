"""All tables of a protocol run's report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.experiments.results.agreement import feature_names, strong_features
from core.experiments.results.caveats import caveat_numbers, caveats_note
from core.experiments.results.comparison import HEADING, READING, comparison_rows
from core.experiments.results.printed_table import Table, plain_table
from core.experiments.results.published.beside_published import (
    beside_published,
    beside_rows,
    published_elsewhere,
    published_test_rows,
    tests_beside,
)
from core.experiments.results.report import STARTS, starts_numbers, starts_rows, table_rows
from core.experiments.results.run import Rows, Run
from core.experiments.results.single_scores import SingleScores, n_strong
from core.experiments.results.summary import choice_note, measure_columns, tied_measures
from core.experiments.results.tables import quality_table, reproduced_table
from core.experiments.results.training_draws import training_note, training_numbers
from core.experiments.run.protocol import TESTED
from core.figures.protocol.features import protocol_features_rows
from core.names.plain import in_file_name

SHOWN_DIGITS = 12  # of a fingerprint


def results_table(run: Run) -> Table:
    """Make the table of every method on every dataset, means over folds."""
    drawn = training_note([line.draws for line in run.lines])
    note = (
        f"Means over folds on the test parts; {run.choice_words}; {run.conventions} convention. ± folds: "
        "standard deviation from fold to fold, which differ in how hard they are. ± choice: standard deviation of the "
        "mean when the validation queries are resampled and C is chosen again: other queries would move the mean by "
        f"about as much.{choice_note(run.lines)}{drawn} Seconds: solver time over the whole grid of a fold."
        f"{caveats_note(run.lines, run.titles)}"
    )
    numbers = [
        {
            **_plain(line.record(), run),
            **caveat_numbers(line),
            **{f"{name} deviation": value for name, value in line.record()["spread"].items()},
            **{
                f"{name} {what} by choice": found[key]
                for name, found in line.record()["by_choice"].items()
                for key, what in (("deviation", "deviation"), ("deviation_error", "error of the deviation"))
            },
            **{
                f"{name} {key}": value
                for name in (*TESTED, "features")
                for key, value in training_numbers(line.draws, name).items()
            },
        }
        for line in run.lines
    ]
    return plain_table("results", "Every method", note, run.titled(table_rows(run.lines)), numbers)


def starts_table(run: Run) -> Table | None:
    """Make the table of what several starts gave; None if they were not tried."""
    rows = starts_rows(run.lines)
    if not rows:
        return None
    return plain_table("starts", "Several starts", STARTS, run.titled(rows), starts_numbers(run.lines))


def folds_table(run: Run) -> Table:
    """Make the table of every chosen model."""
    numbers = [
        {"dataset": line.dataset, "method": line.choice.label} | _plain(fold, run) | _certificate(fold["certificate"])
        for line in run.lines
        for fold in line.record()["folds"]
    ]
    shortened = ("seconds", "lambda", "C", "certificate")
    rows = run.titled([row | {name: _short(row[name]) for name in shortened} for row in numbers])
    note = (
        "Measured on its fold's test part, which chose nothing. Certificate: the most by which the fit may miss its "
        "goal, as a share of the quantity named next to it. A gap holds among all models unless it says among which; "
        "a residual compares with no other model."
    )
    return plain_table("folds", "Every chosen model", note, rows, numbers)


def _plain(record: dict[str, Any], run: Run) -> dict[str, Any]:
    """What a record has beside tables of its own; headings of measures say what ties count."""
    tied, over_orders = tied_measures(run.lines), record["expected_over_ties"]
    found: dict[str, Any] = {}
    for name, value in record.items():
        if name in TESTED:
            found |= measure_columns(name, value, over_orders.get(name, value), tied)
        elif not isinstance(value, dict | list):
            found[name] = value
    return found


def quality_tables(run: Run) -> tuple[Table, ...]:
    """Make Tables V and VI of Laporte et al. (2014)."""
    return tuple(quality_table(run.lines, measure, run.titles, run.comparisons.with_best) for measure in TESTED)


def comparison_table(run: Run) -> Table | None:
    """Compare the other methods with the reference; None if there is nothing to compare."""
    reference, compared = run.reference, run.comparisons.with_reference
    if not compared or reference is None:
        return None
    name = run.titles.get(reference, reference)
    heads = {f"against {reference}": f"against {name}"}
    rows = [
        {heads.get(head, head): value for head, value in row.items()} for row in run.titled(comparison_rows(compared))
    ]
    numbers = [
        {name: value for name, value in one.record().items() if name != "interval"}
        | dict(zip(("low", "high"), one.found.interval or (None, None), strict=True))
        | {"margin": one.margin, "verdict": one.verdict}
        for one in compared
    ]
    return plain_table("comparison", HEADING.format(reference=name), READING, rows, numbers)


def reproduced_tables(run: Run) -> tuple[Table, ...]:
    """Make, for every dataset of the papers, the table of our and the papers' numbers, one row a method."""
    found = (reproduced_table(run.lines, dataset.name, run.titles) for dataset in run.plan.datasets)
    return tuple(table for table in found if table is not None)


def published_tables(run: Run) -> tuple[Table, ...]:
    """Make the tables of published numbers beside ours, of p-values beside ours, and of other published numbers."""
    beside = beside_published(run.lines)
    note = (
        "Rows with the papers' settings only; rows with our own settings have no published number. Made alike: C was "
        "chosen by the paper's measure, and NDCG is counted as there. Within: choosing C again explains the "
        "difference; nineteen in twenty pairs of our own choices differ by no more than the number after ±. Spread: "
        "our standard deviation from fold to fold, which tells how folds differ in difficulty."
    )
    tests = tests_beside(run.lines)
    reading = (
        "The paired one-sided t-test over the test queries of all folds: p small, the higher system is better. Ours is "
        "of the rows with the paper's settings, in the same direction, uncorrected as theirs."
    )
    cited: Rows = [
        {"dataset": n.dataset, "system": n.system, "measure": n.measure, "published": f"{n.value:g}",
         "source": n.source}
        for n in published_elsewhere([dataset.name for dataset in run.plan.datasets])
    ]  # fmt: skip
    numbers = [row.record() for row in beside]
    found = (
        plain_table("published", "Ours next to the published numbers", note, run.titled(beside_rows(beside)), numbers),
        plain_table(
            "published-tests", "The papers' p-values next to ours", reading, published_test_rows(tests),
            [test.record() for test in tests],
        ),
        plain_table("cited",
            "Published numbers of systems that this program does not have, and the data", "As printed.", cited),
    )  # fmt: skip
    return tuple(table for table in found if table.rows)


def features_table(run: Run, dataset: str) -> Table:
    """Make the table of how many folds of each method keep a feature."""
    lines = run.lines_of(dataset)
    names = feature_names(lines)
    rows, numbers = (protocol_features_rows(lines, names, titles) for titles in (run.titles, {}))
    note = "In how many folds a method keeps it; those that most models keep are listed first."
    return plain_table(f"features-{in_file_name(dataset)}", f"{dataset}: features kept", note, rows, numbers)


def strong_table(run: Run, dataset: str, single: SingleScores) -> Table | None:
    """Make the table of how many kept features rank best alone; None if the single scores are unknown."""
    k = n_strong(single, dataset) if dataset in single else 0
    numbers = strong_features(run.lines_of(dataset), single[dataset], k) if dataset in single else []
    if not numbers:
        return None
    heads = {"strong among kept": "share", "by chance": "chance", "kept among strong": "found"}
    shares = [{head: f"{100.0 * one[name]:.0f} %" for head, name in heads.items()} for one in numbers]
    rows = run.titled([{"method": one["method"]} | share for one, share in zip(numbers, shares, strict=True)])
    note = (
        f"Strong: the {k} best alone, by NDCG@10 on the training part. Means over folds: how much of what a method "
        "keeps is strong, how much would be of features drawn at random, and how much of what is strong it keeps."
    )
    title = f"{dataset}: are the kept features the {k} that rank best alone?"
    return plain_table(f"strong-{in_file_name(dataset)}", title, note, rows, numbers)


def missing_table(run: Run) -> Table | None:
    """List the cells without a result, with the reason."""
    rows: Rows = [
        {
            "dataset": cell.dataset,
            "fold": cell.fold,
            "method": cell.choice.label,
            **({"training draw": cell.draw or ""} if run.plan.draws else {}),
            "reason": run.reason(cell),
        }
        for cell in run.plan.cells
        if cell not in run.results
    ]
    note = "Everything else in this report leaves them out."
    return plain_table("missing", "Not there", note, run.titled(rows), rows) if rows else None


def datasets_table(run: Run) -> Table:
    """List the fingerprints of the data."""
    parts = ("train", "vali", "test")
    folds = {(cell.dataset, cell.fold): cell.fingerprints for cell in run.plan.cells}
    numbers: Rows = [
        {"dataset": dataset, "fold": fold} | dict(zip(parts, fingerprints, strict=True))
        for (dataset, fold), fingerprints in folds.items()
    ]
    rows = [row | {part: str(row[part])[:SHOWN_DIGITS] for part in parts} for row in numbers]
    note = f"sha256 of the content of every part (the first {SHOWN_DIGITS} digits; all in the CSV)."
    return plain_table("fingerprints", "Fingerprints of the data", note, rows, numbers)


def _certificate(found: Mapping[str, Any] | None) -> dict[str, object]:
    """Return the relative value and its unit; empty for a learner without a certificate."""
    if not found:
        return {"certificate": None, "certificate of": ""}
    words = f"{found['kind']} / {found['unit']}" + (f", {found['among']}" if found["among"] else "")
    return {"certificate": found["relative"], "certificate of": words}


def _short(value: object) -> str:
    return f"{value:.2e}" if isinstance(value, float) else ""
