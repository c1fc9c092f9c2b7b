"""The command ``protocol``: a run from plan to report."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cli.options import (
    PartlyFailedError,
    add_grid,
    add_rule,
    add_starts,
    names_between_commas,
    names_from_the_command_line,
    within,
)
from core.cli.reading import add_division_options, add_reading, reading_of
from core.cli.terminal import finish_run, table_text
from core.data import DataError
from core.program import COMMAND, PROGRAM

if TYPE_CHECKING:  # at run time the command imports what it needs, as all of them do
    from core.experiments.run.cells import Cell
    from core.experiments.run.plan import Plan
    from core.experiments.run.workers.workers import Workers


def add_protocol(parser: ArgumentParser) -> None:
    """Give the command ``protocol`` its options."""
    parser.add_argument("data", nargs="+", metavar="DATA", help="catalogue names, folders of folds, or files to split")
    parser.add_argument(
        "--methods",
        type=names_between_commas,
        required=True,
        metavar="ID,ID,...",
        help=f"ids that {PROGRAM} methods lists, with parameters as in mcp:gamma=2 (MCP as printed); lambdamart, a "
        f"reference; or the name of a paper's table, which {PROGRAM} papers lists, for all its rows",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for the report and for runs.sqlite, which holds every finished cell; run the command again to "
        "continue",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=within(int, 1, 4096), metavar="N", help="processes on this machine (default: one per core)"
    )
    where.add_argument("--dask", metavar="ADDRESS", help="address of a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument(
        "--measure",
        default="map",
        metavar="MEASURE",
        help="measure that chooses C on the validation part: map as in Laporte et al. (default), ndcg@10 as in Lai et "
        "al.; published numbers are shown next to ours if the same measure chose both",
    )
    add_rule(parser)
    add_starts(parser)
    parser.add_argument(
        "--bootstrap-training",
        type=within(int, 0, 10_000),
        default=0,
        metavar="B",
        help="draw the training queries of every fold again B times with replacement, fit and choose on each draw, and "
        "give the spread as a third ±, by training; each draw is saved like a cell (default 0)",
    )
    add_grid(parser, default=20)
    parser.add_argument(
        "--reference",
        metavar="ID",
        help="the one of --methods that the others are compared with (default l2, else the first)",
    )
    parser.add_argument(
        "--margin",
        type=within(float, 0.0, 1.0),
        default=0.01,
        metavar="M",
        help="methods whose MAP or NDCG@10 differs by no more, the choice of C included, are equivalent (default 0.01, "
        "of measures between 0 and 1)",
    )
    add_reading(parser)
    add_division_options(parser)


def protocol(options: Namespace) -> tuple[dict[str, Any], str]:
    """Compute what is not in the store yet, and write the report beside it. Returns the record and the text.

    Raises a `PartlyFailedError` if cells failed, or the report cannot be written.
    """
    from core.experiments.results.report import choose_reference, failed_sentence, protocol_record, protocol_tables
    from core.experiments.results.run import Run
    from core.experiments.results.single_scores import training_scores
    from core.experiments.run.plan import DatasetSource, plan_protocol
    from core.experiments.run.presets import parse_rows
    from core.experiments.run.progress import progress_sentence
    from core.experiments.run.runner import ProtocolRun
    from core.export.files import write_files
    from core.export.protocol_report import report_files

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
        reference = choose_reference(plan.choices, options.reference)
    with ProtocolRun(plan, Path(options.out), partial(_workers, plan, options)) as run:
        finish_run(run, lambda: progress_sentence(run.progress), options)
        results, problems, folder = run.results(), run.failures, run.store.path.parent
    if problems and not results and all(problem.bad_data for problem in problems.values()):
        raise DataError(failed_sentence(plan, problems))
    whole = Run(plan, results, problems, reference, options.margin)
    record = protocol_record(whole)
    tables = [f"{heading}\n{table_text(rows)}" for heading, rows in protocol_tables(whole)]
    reading = {planned.name: list(planned.notes) for planned in plan.datasets if planned.notes}
    record |= {"reading": reading} if reading else {}
    tables = [*(f"{name}: {' '.join(notes)}" for name, notes in reading.items()), *tables]
    failed = [failed_sentence(plan, problems)] if problems else []
    try:
        single = training_scores(plan).made()
        page, *_ = write_files(folder, report_files(whole, [[*COMMAND, *options.words]], single=single))
        record, tables = record | {"report": str(page)}, [*tables, f"Report: {page}"]
    except (OSError, DataError) as error:
        reason = getattr(error, "strerror", None) or error
        failed.append(f"the report cannot be written to {folder}: {reason}")
    text = "\n\n".join(tables)
    if failed:
        raise PartlyFailedError(record, text, "; ".join(failed))
    return record, text


def _workers(plan: Plan, options: Namespace) -> Workers[Cell]:
    if options.dask is None:
        from core.experiments.run.workers.local_workers import LocalWorkers

        return LocalWorkers(plan, options.workers)
    from core.experiments.run.workers.dask_workers import DaskWorkers

    return DaskWorkers(plan, options.dask)
