"""How data is read: its options, what they mean, how they are written, and those that answer an error's question."""

from __future__ import annotations

import csv
import io
import shlex
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable
from dataclasses import Field, fields
from typing import Any

from core.cli.options import within
from core.data import (
    DataError,
    MissingValuesError,
    NoNumbersError,
    UndecidedClassError,
    UndecidedColumnError,
    UndecidedRolesError,
    UngroupedQueriesError,
)
from core.data.division import Division
from core.data.reading import OF_A_FILE, Reading

CONVENTIONS = ("standard", "letor3", "letor4")
DATA = "a catalogue name, a folder of folds, a LETOR file, a CSV, or Parquet (a file or a folder of part files)"


def add_data(parser: ArgumentParser) -> None:
    """Give a command the dataset, its fold, and how both are read."""
    parser.add_argument("data", metavar="DATA", help=DATA)
    add_fold(parser)
    add_reading(parser)
    add_division_options(parser)


def add_fold(parser: ArgumentParser) -> None:
    """Give a command the number of the fold."""
    parser.add_argument(
        "--fold", type=within(int), default=1, metavar="N", help="number of the fold, from 1 (default 1)"
    )


def add_reading(parser: ArgumentParser) -> None:
    """Give a command the convention of the metrics and the options for reading files."""
    parser.add_argument("--convention", choices=CONVENTIONS, help="convention of the metrics (default: the dataset's)")
    add_reading_options(parser)


def add_reading_options(parser: ArgumentParser) -> None:
    """Give a command the options for files that are read whole: classes, columns, grouping."""
    _add(parser, OF_A_FILE)


def add_division_options(parser: ArgumentParser) -> None:
    """Give a command the options for scaling the features and for splitting a single file."""
    _add(parser, fields(Division))


def _add(parser: ArgumentParser, options: Iterable[Field[Any]]) -> None:
    """Give a command options as they are declared by `core.data.tables.table_options`."""
    for field in options:
        choices = field.metadata["choices"]
        said: dict[str, Any] = {name: field.metadata[name] for name in ("help", "metavar") if field.metadata[name]}
        if isinstance(choices, range):
            said |= {"metavar": "N", "type": within(int, choices[0], choices[-1])}
        elif choices:
            said |= {"metavar": "|".join(choices), "choices": choices}
        if field.default is False:
            said["action"] = "store_true"
        elif field.default == ():
            said["type"] = _columns
        elif field.metadata["metavar"] == "SHARE":
            said["type"] = within(float)
        parser.add_argument(f"--{field.name.replace('_', '-')}", default=field.default, **said)


def reading_of(options: Namespace) -> Reading:
    """The reading that a command's options describe; options that the command does not have keep their defaults."""
    names = [field.name for field in fields(Reading)]
    return Reading(**{name: getattr(options, name) for name in names if hasattr(options, name)})


def reading_words(reading: Reading) -> list[str]:
    """The options that describe a reading, one word each as a shell would pass them; none for defaults."""
    words: list[str] = []
    for name, value in reading.said().items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
            continue
        text = _between_commas(value) if isinstance(value, tuple) else str(value)
        # A value that begins with a dash would pass for an option of its own.
        words += [f"{option}={text}"] if text.startswith("-") else [option, text]
    return words


def _columns(text: str) -> tuple[str, ...]:
    """Names of columns between commas, at least one; a name that holds a comma stands in quotation marks."""
    names = tuple(name.strip() for row in csv.reader(io.StringIO(text, newline="")) for name in row if name.strip())
    if not names:
        msg = "at least one name is needed"
        raise ArgumentTypeError(msg)
    return names


def _between_commas(names: tuple[str, ...]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(names)
    return line.getvalue().removesuffix("\r\n")


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
            named = shlex.join(["--drop-columns", _between_commas(error.columns)])
            if error.document is None:
                return named
            return f"{named}; or {shlex.join(['--document-column', error.document])} if it names the documents"
        case MissingValuesError():
            return " or ".join(f"--missing {way}" for way in error.ways)
        case _:
            return ""
