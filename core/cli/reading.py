"""How data is read: its options, what they mean, how they are written, and those that answer an error's question."""

from __future__ import annotations

import csv
import io
import shlex
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import fields

from core.cli.options import any_number, any_whole_number, within
from core.data import (
    DataError,
    MissingValuesError,
    NoNumbersError,
    UndecidedClassError,
    UndecidedColumnError,
    UndecidedRolesError,
    UngroupedQueriesError,
)
from core.data.division import FEWEST_FOLDS, MOST_FOLDS, MOST_REPEATS
from core.data.missing import WAYS
from core.data.reading import LARGEST_SEED, Reading
from core.data.scaling import SCALINGS

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
        "--fold", type=any_whole_number, default=1, metavar="N", help="number of the fold, from 1 (default 1)"
    )


def add_reading(parser: ArgumentParser) -> None:
    """Give a command the convention of the metrics and the options for reading files."""
    parser.add_argument("--convention", choices=CONVENTIONS, help="convention of the metrics (default: the dataset's)")
    add_reading_options(parser)


def add_reading_options(parser: ArgumentParser) -> None:
    """Give a command the options for files that are read whole: classes, columns, grouping."""
    parser.add_argument("--positive", metavar="LABEL", help="the positive class, if documents have classes")
    parser.add_argument(
        "--class-column",
        metavar="NAME",
        help="column of the class in a CSV, by name or number, if it is not the last one",
    )
    parser.add_argument(
        "--query-column",
        metavar="NAME",
        help=("column of the query in a CSV or Parquet file, by name or number, if it is not called qid or query"),
    )
    parser.add_argument(
        "--relevance-column",
        metavar="NAME",
        help=(
            "column of the relevance in a CSV or Parquet file, by name or number, if it is not called relevance, "
            "label, rel, grade or y"
        ),
    )
    parser.add_argument(
        "--document-column",
        metavar="NAME",
        help="column that names the document in a CSV or Parquet file, by name or number, if it has no usual name",
    )
    parser.add_argument(
        "--drop-columns",
        type=_columns,
        default=(),
        metavar="NAME,NAME,...",
        help="leave out these columns of a CSV or Parquet file, or these features of other data (which are then 0), by "
        "name or number; ids in a CSV with classes are left out as well, unless you give the word none",
    )
    parser.add_argument(
        "--missing",
        choices=WAYS,
        help="for missing values (empty, NULL, NA, \\N, ..., or the largest double): leave their rows out, or fill in "
        "0 or their column's median over the training part",
    )
    parser.add_argument(
        "--drop-copies",
        action="store_true",
        help="leave out features (which are then 0) and queries that exactly repeat an earlier one",
    )
    parser.add_argument(
        "--group", action="store_true", help=("bring together the documents of a query that are scattered in the file")
    )


def add_division_options(parser: ArgumentParser) -> None:
    """Give a command the options for scaling the features and for splitting a single file."""
    parser.add_argument("--scale", choices=[s.id for s in SCALINGS], default="none", help="scaling of the features")
    parser.add_argument(
        "--split", type=any_number, metavar="SHARE", help="train on this share of a single file, test on the rest"
    )
    parser.add_argument(
        "--seed", type=within(int, 0, LARGEST_SEED), default=0, metavar="N", help="seed of --split (default 0)"
    )
    parser.add_argument(
        "--repeats",
        type=within(int, 1, MOST_REPEATS),
        metavar="N",
        help="split a single file N times into train, vali and test (49, 21 and 30 %%, or by --split), with seeds from "
        "--seed on; --fold chooses one",
    )
    parser.add_argument(
        "--folds",
        type=within(int, FEWEST_FOLDS, MOST_FOLDS),
        metavar="N",
        help="divide a single file into N folds as LETOR does: each tests on one part of the queries, validates on "
        "another and trains on the rest (5: 60, 20 and 20 %%); --fold chooses one",
    )


def reading_of(options: Namespace) -> Reading:
    """The reading that a command's options describe; options that the command does not have keep their defaults.

    Raises
    ------
    DataError
        If an option cannot be used.
    """
    names = [field.name for field in fields(Reading)]
    return Reading(**{name: getattr(options, name) for name in names if hasattr(options, name)})


def reading_words(reading: Reading) -> list[str]:
    """The options that describe a reading, one word each as a shell would pass them; none for defaults."""
    words: list[str] = []
    for field in fields(reading):
        value = getattr(reading, field.name)
        if value == field.default:
            continue
        option = f"--{field.name.replace('_', '-')}"
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
