"""The commands ``paper`` and ``papers``: figures and tables of the papers by name."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cli.options import PartlyFailedError, UsageError, names_from_the_command_line
from core.cli.protocol import protocol
from core.cli.reading import add_division_options, add_reading, reading_of
from core.cli.terminal import finish_run, table_text
from core.data import DataError
from core.program import COMMAND, PROGRAM
from core.work import duration

if TYPE_CHECKING:  # at run time the command imports what it needs, as all of them do
    from core.experiments.papers.experiment import PaperExperiment, Request
    from core.experiments.papers.registry import PaperRun
    from core.experiments.run.presets import Preset

MOST_PRINTED = 80
_NO_QUICK = "{} has no quick setting; leave out --quick"
ROWS_DATA = "any with train, vali and test"


def add_paper(parser: ArgumentParser) -> None:
    """Give the command ``paper`` its options."""
    parser.add_argument("name", metavar="NAME", help=f"name of a figure or table; {PROGRAM} papers lists them")
    parser.add_argument(
        "data", nargs="*", metavar="DATA", help="datasets, if it needs any: catalogue names, folders of folds, or files"
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for finished pieces, page and tables; run the command again to continue",
    )
    parser.add_argument(
        "--quick", action="store_true", help="use few sizes and trials instead of the paper's, where that is possible"
    )
    add_reading(parser)
    add_division_options(parser)


def papers(options: Namespace) -> tuple[list[dict[str, Any]], str]:
    """List what can be computed: experiments of their own, and rows of the protocol."""
    from core.experiments.papers.registry import EXPERIMENTS
    from core.experiments.run.presets import PRESETS

    names = ("name", "title", "source", "data", "help")
    rows: list[dict[str, Any]] = [{name: getattr(one, name) for name in names} | {"rows": []} for one in EXPERIMENTS]
    rows += [
        {name: ROWS_DATA if name == "data" else getattr(preset, name) for name in names} | {"rows": list(preset.labels)}
        for preset in PRESETS
    ]
    return rows, table_text([{name: row[name] for name in ("name", "source", "data")} for row in rows])


def paper(options: Namespace) -> tuple[dict[str, Any], str]:
    """Compute what is not in the folder yet, and write the page and tables there. Returns the record and the text.

    Rows of the protocol are computed as by `protocol`, with the measure by which their paper chooses. Raises a
    `PartlyFailedError` if part of the experiment could not be worked out, or the page cannot be written.
    """
    from core.experiments.papers.registry import PaperRun, get_experiment
    from core.experiments.run.cells import experiment_version, library_versions
    from core.experiments.run.presets import find_preset
    from core.export.files import write_files
    from core.export.protocol_report import experiment_files
    from core.threads import use_one_blas_thread

    preset = find_preset(options.name)
    if preset is not None:
        return protocol(_protocol_options(options, preset))
    with names_from_the_command_line():
        experiment = get_experiment(options.name)
    request = _request(options, experiment)
    use_one_blas_thread()
    with PaperRun(experiment, experiment.cells(request), Path(options.out)) as run:
        _finish(run, options)
        outcomes = run.outcomes()
    if not outcomes:
        raise DataError("; ".join(run.problems.values()) or "there is nothing to compute")
    tables = experiment.tables(outcomes)
    record: dict[str, Any] = {
        "experiment": experiment.name,
        "title": experiment.title,
        "source": experiment.source,
        "data": [source.name_or_path for source in request.sources],
        "quick": request.quick,
        "code": experiment_version(),
        "versions": library_versions(),
        "tables": {table.name: list(table.rows) for table in tables},
        "missing": [{"where": where, "reason": reason} for where, reason in run.problems.items()],
    }
    failed = [f"{where} is left out: {reason}" for where, reason in run.problems.items()]
    texts = [
        f"{table.title}\n{table_text([{k: '–' if v is None else v for k, v in row.items()} for row in table.rows])}"
        if len(table.rows) <= MOST_PRINTED
        else f"{table.title}: {len(table.rows)} rows, in {experiment.name}-{table.name}.csv"
        for table in tables
    ]
    try:
        page = experiment_files(experiment, outcomes, [*COMMAND, *options.words])
        files = write_files(Path(options.out), page)
        record["files"] = [str(file) for file in files]
        texts.append(f"Page: {files[0]}")
    except OSError as error:
        failed.append(f"the page cannot be written to {options.out}: {error.strerror or error}")
    text = "\n\n".join(texts)
    if failed:
        raise PartlyFailedError(record, text, "; ".join(failed))
    return record, text


def _protocol_options(options: Namespace, preset: Preset) -> Namespace:
    from core.cli import parse

    if not options.data:
        msg = f"{preset.name} needs DATA: {ROWS_DATA}"
        raise UsageError(msg)
    if options.quick:
        raise UsageError(_NO_QUICK.format(preset.name))
    rows = ["--methods", ",".join(preset.labels), "--measure", preset.measure]
    usual = parse(["protocol", *options.data, *rows, "--out", options.out])
    return Namespace(**{**vars(usual), **vars(options)})


def _request(options: Namespace, experiment: PaperExperiment[Any, Any]) -> Request:
    from core.experiments.papers.experiment import Request
    from core.experiments.run.plan import DatasetSource

    if experiment.data and not options.data:
        msg = f"{experiment.name} needs DATA: {experiment.data}"
        raise UsageError(msg)
    if options.data and not experiment.data:
        msg = f"{experiment.name} draws its own data; leave out {' '.join(options.data)}"
        raise UsageError(msg)
    if options.quick and not experiment.has_quick:
        raise UsageError(_NO_QUICK.format(experiment.name))
    reading = reading_of(options)
    sources = tuple(DatasetSource(name, reading) for name in options.data)
    return Request(sources=sources, convention=options.convention, quick=options.quick)


def _finish(run: PaperRun, options: Namespace) -> None:
    """Piece by piece, each kept before the next is begun; how far it is, a line a piece."""
    begun, missing = time.monotonic(), run.left

    def words() -> str:
        seconds = (time.monotonic() - begun) / (missing - run.left) * run.left
        still = f", {duration(seconds)} left" if run.left else ""
        return f"{run.now}: {len(run.cells) - run.left} of {len(run.cells)} pieces{still}"

    finish_run(run, words, options)
