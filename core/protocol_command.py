"""The command ``protocol``: a run from plan to report."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.arguments import names_from_the_command_line
from core.data import DataError
from core.program import COMMAND
from core.reading_words import reading_of
from core.terminal import table_text

if TYPE_CHECKING:  # at run time the command imports what it needs, as all of them do
    from core.experiments.run.cells import Cell
    from core.experiments.run.plan import Plan
    from core.experiments.run.protocol import CellResult
    from core.experiments.run.workers.workers import Failure, Workers


class PartlyFailedError(RuntimeError):
    """Part of the work failed; the rest is still an answer, in ``record`` and ``text``."""

    def __init__(self, record: Any, text: str, sentence: str) -> None:
        self.record, self.text = record, text
        super().__init__(sentence)


def protocol(options: Namespace) -> tuple[dict[str, Any], str]:
    """Compute what is not in the store yet, and write the report beside it. Returns the record and the text.

    Raises
    ------
    UsageError
        If the words name no method, measure or reference.
    DataError
        If the data or the store cannot be used.
    PartlyFailedError
        If cells failed, or the report cannot be written.
    """
    from core.experiments.results.comparison import Comparisons
    from core.experiments.results.report import choose_reference, failed_sentence, protocol_record, protocol_tables
    from core.experiments.results.summary import summarise
    from core.experiments.run.plan import DatasetSource, plan_protocol
    from core.experiments.run.presets import parse_rows
    from core.experiments.run.progress_writer import ProgressWriter
    from core.experiments.run.runner import ProtocolRun
    from core.experiments.run.store.store import RunStore

    how_read = reading_of(options)
    sources = [DatasetSource(name, how_read) for name in options.data]
    with names_from_the_command_line():
        choices = parse_rows(options.methods)
        how = {
            "points": options.grid.points,
            "widen": options.grid.widen,
            "measure": options.measure,
            "convention": options.convention,
        }
        how |= {"rule": options.choose, "starts": options.starts, "draws": options.bootstrap_training}
        plan = plan_protocol(sources, choices, **how)
        reference = choose_reference(plan, options.reference)
    shown = ProgressWriter(sys.stderr if sys.stderr.isatty() or not options.json else None)
    with RunStore(Path(options.out)) as store, ProtocolRun(plan, store, _workers(plan, options)) as run:
        while not run.done:
            run.advance()
            shown.show(run.progress)
        results, problems, folder = run.results(), run.failures, store.path.parent
    if problems and not results and all(problem.bad_data for problem in problems.values()):
        raise DataError(failed_sentence(plan, problems))
    compared = Comparisons.of(summarise(plan, results), reference, options.margin)
    found: Any = {"reference": reference, "comparisons": compared}
    record = protocol_record(plan, results, problems, **found)
    tables = [f"{heading}\n{table_text(rows)}" for heading, rows in protocol_tables(plan, results, **found)]
    reading = {planned.name: list(planned.notes) for planned in plan.datasets if planned.notes}
    record |= {"reading": reading} if reading else {}
    tables = [*(f"{name}: {' '.join(notes)}" for name, notes in reading.items()), *tables]
    failed = [failed_sentence(plan, problems)] if problems else []
    try:
        page = _write_report(folder, plan, results, problems, options, found)
        record, tables = record | {"report": str(page)}, [*tables, f"Report: {page}"]
    except (OSError, DataError) as error:
        reason = getattr(error, "strerror", None) or error
        failed.append(f"the report cannot be written to {folder}: {reason}")
    text = "\n\n".join(tables)
    if failed:
        raise PartlyFailedError(record, text, "; ".join(failed))
    return record, text


def _write_report(
    folder: Path,
    plan: Plan,
    results: Mapping[Cell, CellResult],
    problems: Mapping[Cell, Failure],
    options: Namespace,
    found: Mapping[str, Any],
) -> Path:
    """The page and its tables. Returns the page."""
    from core.experiments.results.single_scores import TrainingScores
    from core.export.protocol_report import write_report

    commands = [[*COMMAND, *options.words]]
    scores = TrainingScores.of(plan).made()
    page, *_ = write_report(folder, plan, results, problems, commands=commands, single=scores, **found)
    return page


def _workers(plan: Plan, options: Namespace) -> Workers:
    if options.dask is None:
        from core.experiments.run.workers.local_workers import LocalWorkers

        return LocalWorkers(plan, options.workers)
    from core.experiments.run.workers.dask_workers import DaskWorkers

    return DaskWorkers(plan, options.dask)
