"""Options of reading data, declared where their defaults are, and those of a table.

Command line and pages follow the declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Flag, auto
from numbers import Integral
from types import MappingProxyType
from typing import Any

from core.data.errors import refuse
from core.data.missing import WAYS
from core.data.numbers import is_digits


class Kind(Flag):
    """What data may be, and groups of that; an option is for one of them."""

    FOLDS = auto()
    SET = auto()
    LETOR = auto()
    PARQUET = auto()
    CSV_QUERIES = auto()
    CSV_CLASSES = auto()
    WORKBOOK_QUERIES = auto()
    WORKBOOK_CLASSES = auto()
    CSV = CSV_QUERIES | CSV_CLASSES
    WORKBOOK = WORKBOOK_QUERIES | WORKBOOK_CLASSES
    QUERIES = PARQUET | CSV_QUERIES | WORKBOOK_QUERIES
    CLASSES = CSV_CLASSES | WORKBOOK_CLASSES
    TABLE = QUERIES | CLASSES
    SINGLE = SET | LETOR | TABLE
    ANY = FOLDS | SINGLE

    @property
    def words(self) -> str:
        """All that it is, the largest groups first."""
        said, left = [], self
        for kind, words in _WORDS.items():
            if kind in left:
                said.append(words)
                left &= ~kind
        return " or ".join(said)


_WORDS = {
    Kind.SINGLE: "single files",
    Kind.TABLE: "tables",
    Kind.QUERIES: "tables with queries",
    Kind.CLASSES: "tables with classes",
    Kind.CSV: "CSV files",
    Kind.WORKBOOK: "workbooks",
    Kind.FOLDS: "data that has folds and relevance",
    Kind.SET: "sets that come with a class for every document",
    Kind.LETOR: "LETOR files",
    Kind.PARQUET: "Parquet files",
    Kind.CSV_QUERIES: "CSV files with queries",
    Kind.CSV_CLASSES: "CSV files with classes",
    Kind.WORKBOOK_QUERIES: "workbooks with queries",
    Kind.WORKBOOK_CLASSES: "workbooks with classes",
}


def option(
    default: Any,
    help: str,
    *,
    metavar: str | None = None,
    choices: Sequence[str] | range | None = None,
    of: Kind = Kind.ANY,
    noun: str = "",
    label: str = "",
    tip: str = "",
    brief: str = "",
    titles: Mapping[str, str] = MappingProxyType({}),
    unsaid: str = "As the file tells",
) -> Any:
    """Return the field of a dataclass.

    Parameters
    ----------
    default : object
        False for a switch, a tuple for names between commas; its field's name is that of the option.
    help : str
        What it does, for ``--help``.
    metavar : str, optional
        What stands there for the value, where there are no ``choices``; SHARE is any number, others are texts.
    choices : sequence of str, or range, optional
        All values that there are: texts, or whole numbers.
    of : Kind
        The data that it is for; `refuse_unfit` refuses it for other data, and pages have no control for it there.
    noun : str
        What it gives, for sentences that refuse it.
    label, tip, unsaid : str
        Of its control on pages, the last while it has no value. A switch or an option with choices has a control
        without code, unless it is one of `Division`.
    brief : str
        What the sidebar calls it where it is not as usual; by default its label in lower case.
    titles : mapping, optional
        What the control calls its values.
    """
    described = {"help": help, "metavar": metavar, "choices": choices, "of": of, "noun": noun}
    shown = {"label": label, "tip": tip, "brief": brief or label.lower(), "titles": titles, "unsaid": unsaid}
    return field(default=default, metadata=described | shown)


def check_declared(options: Any) -> None:
    """Refuse values that declared options cannot have.

    Raises a `DataError` with those that there are.
    """
    for name, value, declared in _given(options):
        choices, what = declared["choices"], f"{name} is {value!r}, which is not {declared['noun']}"
        if isinstance(choices, range):
            if type(value) is bool or not isinstance(value, Integral) or int(value) not in choices:
                refuse(f"{what}; give one from {choices[0]:,} to {choices[-1]:,}")
        elif choices and value not in choices:
            refuse(f"{what}; choose {' or '.join(map(repr, choices))}")


def refuse_unfit(options: Any, kind: Kind, file: str) -> None:
    """Refuse declared options that are not for this kind of data.

    Raises a `DataError` with the first of them.
    """
    for _, _, declared in _given(options):
        if not declared["of"] & kind:
            refuse(f"{declared['noun']} is only for {declared['of'].words}, not for {kind.words}", file=file)


def _given(options: Any) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """Name, value and declaration of every option that is not as by default."""
    named = ((one, getattr(options, one.name)) for one in fields(options))
    return ((one.name, value, one.metadata) for one, value in named if value != one.default)


NOTHING = "none"
"""As one of the columns to leave out, it means: leave out the named columns only, no ids."""


@dataclass(frozen=True)
class TableOptions:
    """How to read a table; what is not given is inferred from it.

    Attributes
    ----------
    positive : str, optional
        The class to rank on top.
    class_column : str, optional
        The class column, by its name in the header or its number from 1.
    query_column, relevance_column, document_column : str, optional
        The columns of a ranking table that name the query of a row, have its relevance and name its document, by name
        or number.
    drop_columns : tuple of str
        Columns to leave out, also of a table with queries, by name or number, in addition to ids; with "none" among
        them, ids are kept. Features, where the data is no table.
    missing : {"drop", "median", "zero"}, optional
        How to treat missing cells: leave out their rows, or fill in 0 or the median of their column over the training
        part of each fold.

    Raises
    ------
    DataError
        If an option has a value that it cannot have, or both a class column and another role are given.
    """

    positive: str | None = option(
        None,
        "the positive class, if documents have classes",
        metavar="LABEL",
        of=Kind.SET | Kind.CLASSES,
        noun="a positive class",
        label="Positive class",
    )
    class_column: str | None = option(
        None,
        "column of the class in a CSV, by name or number, if it is not the last one",
        metavar="NAME",
        of=Kind.CLASSES,
        noun="a class column",
        label="Class column",
        tip="The last column, unless another one is named class, label, target, y or diagnosis, or the last one has "
        "too many values.",
    )
    query_column: str | None = option(
        None,
        "column of the query in a CSV or Parquet file, by name or number, if it is not called qid or query",
        metavar="NAME",
        of=Kind.TABLE,
        noun="a query column",
        label="Query column",
    )
    relevance_column: str | None = option(
        None,
        "column of the relevance in a CSV or Parquet file, by name or number, if it is not called relevance, label, "
        "rel, grade or y",
        metavar="NAME",
        of=Kind.TABLE,
        noun="a relevance column",
        label="Relevance column",
    )
    document_column: str | None = option(
        None,
        "column that names the document in a CSV or Parquet file, by name or number, if it has no usual name",
        metavar="NAME",
        of=Kind.TABLE,
        noun="a document column",
        label="Document column",
    )
    drop_columns: tuple[str, ...] = option(
        (),
        "leave out these columns of a CSV or Parquet file, or these features of other data (which are then 0), by name "
        "or number; ids in a CSV with classes are left out as well, unless you give the word none",
        metavar="NAME,NAME,...",
        noun="columns to leave out",
        label="Columns left out",
    )
    missing: str | None = option(
        None,
        "for missing values (empty, NULL, NA, \\N, ..., or the largest double): leave their rows out, or fill in 0 or "
        "their column's median over the training part",
        choices=WAYS,
        noun="a treatment of missing values",
        label="Missing cells",
        tip="Empty cells and marks such as ? or NA. A median is taken over the training part of each fold.",
        titles={"drop": "leave out their rows", "median": "take their column's median", "zero": "take 0"},
        unsaid="Choose what to do",
    )

    def __post_init__(self) -> None:
        check_declared(self)
        if (self.query_column or self.relevance_column or self.document_column) and self.class_column is not None:
            refuse("a table has either a query and a relevance column or a class column; give only one kind")

    def lines(self, lines: Iterator[str]) -> Iterator[str]:
        """Return the lines of a CSV as they are read, also those within a quoted cell.

        What an option skips is blank, so that line numbers hold.
        """
        return lines

    @property
    def named_columns(self) -> tuple[str, ...]:
        """The columns to leave out that are named."""
        return tuple(column for column in self.drop_columns if column != NOTHING)


USUAL = TableOptions()


def resolve_column(wanted: str, names: Sequence[str], file: str) -> int:
    """Return the position (from 0) of the column with this name (in any case if unambiguous) or number (from 1).

    Raises a `DataError` if there is no such column.
    """
    text = wanted.strip()
    if text in names:
        return list(names).index(text)
    lower = [name.lower() for name in names]
    if lower.count(text.lower()) == 1:
        return lower.index(text.lower())
    if is_digits(text) and 1 <= int(text) <= len(names):
        return int(text) - 1
    refuse(f"there is no column {wanted!r}; give a name of the header, or a number from 1 to {len(names)}", file=file)
