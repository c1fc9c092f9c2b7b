"""Errors about data with the command-line options that lead on."""

from __future__ import annotations

import csv
import io
import shlex

from core.data import (
    DataError,
    MissingValuesError,
    NoNumbersError,
    UndecidedClassError,
    UndecidedColumnError,
    UndecidedRolesError,
    UngroupedQueriesError,
)


def with_options(error: DataError) -> str:
    """Return the error's sentence; where options answer its question, they follow, quoted for a shell."""
    options = _options(error)
    return f"{error}: add {options}" if options else str(error)


def _options(error: DataError) -> str:
    match error:
        case UngroupedQueriesError():
            return "--group"
        case UndecidedClassError():
            return shlex.join(["--positive", error.classes[0]])
        case UndecidedColumnError():
            return shlex.join(["--class-column", error.columns[0]])
        case UndecidedRolesError():
            roles = shlex.join(["--query-column", error.queries[0], "--relevance-column", error.relevances[0]])
            other = "" if error.class_column is None else f"; or {shlex.join(['--class-column', error.class_column])}"
            return f"{roles}{other}"
        case NoNumbersError():
            line = io.StringIO()
            csv.writer(line).writerow(error.columns)
            named = shlex.join(["--drop-columns", line.getvalue().strip()])
            if error.document is None:
                return named
            return f"{named}; or {shlex.join(['--document-column', error.document])} if it names the documents"
        case MissingValuesError():
            return " or ".join(f"--missing {way}" for way in error.ways)
        case _:
            return ""
