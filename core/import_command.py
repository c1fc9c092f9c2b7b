"""The command ``import``: judgments and logged features joined into one LETOR file."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from core.arguments import UsageError, names_from_the_command_line
from core.data.imports.importing import Import
from core.data.whole_file import usual_mode, whole_file
from core.export.files import not_an_input
from core.names.plain import visible
from core.work import duration


def import_files(options: Namespace) -> tuple[dict[str, Any], str]:
    """Join the files and write the data. Returns the record and the text.

    Raises
    ------
    UsageError
        If the file cannot be written, or is one of those that are read.
    DataError
        If a file cannot be used, or nothing matches.
    """
    out = Path(options.out)
    sources = [(str(path), Path(path)) for path in options.files]
    with names_from_the_command_line():
        not_an_input(out, [path for _, path in sources])
    try:
        with whole_file(out, usual_mode()) as file:
            work = Import(sources, file)
            while not work.done:
                work.advance()
                _show(work)
    except OSError as error:
        msg = f"cannot write {out}: {error.strerror or error}"
        raise UsageError(msg) from error
    finally:
        if sys.stderr.isatty():
            print(end="\r\033[K", file=sys.stderr, flush=True)
    report = work.report
    if report is None:
        msg = "the work is done, so there is a report"
        raise RuntimeError(msg)
    return {**report.record(), "out": str(out)}, "\n".join([f"{out}: {report.headline}", *report.sentences()])


def _show(work: Import) -> None:
    """Show how far the work is, where somebody sits before a terminal."""
    if sys.stderr.isatty():
        line = f"{work.share:.0%} done, {duration(work.seconds_left)} left: {work.now}"
        print(end=f"\r\033[K{visible(line)[:100]}", file=sys.stderr, flush=True)
