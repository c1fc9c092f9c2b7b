"""The words of the command line that say how data is read: their parser and their printer."""

from __future__ import annotations

import csv
import io
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import fields
from typing import get_args

from core.data.division import FEWEST_FOLDS, MOST_FOLDS, MOST_REPEATS
from core.data.reading import LARGEST_SEED, Reading
from core.data.scaling import SCALINGS
from core.data.tables.table_options import Missing
from core.option_types import any_number, within


def add_reading_options(parser: ArgumentParser) -> None:
    """Give a command the options for files that are read whole: classes, columns, grouping."""
    parser.add_argument("--positive", metavar="LABEL", help="the positive class, where documents have classes")
    parser.add_argument(
        "--class-column",
        metavar="NAME",
        help="of a CSV with classes: its name or number, where it is not the last column",
    )
    parser.add_argument(
        "--query-column", metavar="NAME", help="of a CSV: its name or number, where it is not called qid or query"
    )
    parser.add_argument(
        "--relevance-column",
        metavar="NAME",
        help="of a CSV: its name or number, where it is not called relevance, label, rel, grade or y",
    )
    parser.add_argument(
        "--drop-columns",
        type=_columns,
        default=(),
        metavar="NAME,NAME,...",
        help="leave out these columns of a CSV, or these features of other data (they are then 0), by name or number; "
        "of a CSV with classes ids are left out, too, unless none is among them",
    )
    parser.add_argument(
        "--missing",
        choices=get_args(Missing),
        help="where cells of a CSV with classes are missing: leave out their rows, or take their column's median",
    )
    parser.add_argument(
        "--drop-copies",
        action="store_true",
        help="leave out features (they are then 0) and queries that repeat an earlier one exactly",
    )
    parser.add_argument("--group", action="store_true", help="put together documents of a query that are not")


def add_division_options(parser: ArgumentParser) -> None:
    """Give a command the options for scaling the features and for splitting a single file."""
    parser.add_argument("--scale", choices=[s.id for s in SCALINGS], default="none", help="of the features")
    parser.add_argument(
        "--split", type=any_number, metavar="SHARE", help="train on this share of a single file, test on the rest"
    )
    parser.add_argument(
        "--seed", type=within(int, 0, LARGEST_SEED), default=0, metavar="N", help="of --split (default 0)"
    )
    parser.add_argument(
        "--repeats",
        type=within(int, 1, MOST_REPEATS),
        metavar="N",
        help="split a single file N times into train, vali and test (49, 21 and 30 %%, or by --split), with seeds from "
        "--seed on; --fold says which",
    )
    parser.add_argument(
        "--folds",
        type=within(int, FEWEST_FOLDS, MOST_FOLDS),
        metavar="N",
        help="make N folds of a single file as LETOR makes its five: each with another part of the queries to test on, "
        "one to validate on and the rest to train on (5: 60, 20 and 20 %%); --fold says which",
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
