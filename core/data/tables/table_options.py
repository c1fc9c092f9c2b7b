"""Options of reading data, declared where their defaults are, and those of a table.

Command line and pages follow the declarations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from core.data.errors import refuse
from core.data.missing import WAYS, check_missing
from core.data.numbers import is_digits


def option(
    default: Any,
    help: str,
    *,
    metavar: str | None = None,
    choices: Sequence[str] | None = None,
    within: tuple[int, int] | None = None,
    noun: str = "",
    label: str = "",
    tip: str = "",
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Return the field of a dataclass.

    Parameters
    ----------
    default : object
        False for a switch, a tuple for names between commas; its field's name is that of the option.
    help : str
        What it does, for ``--help``.
    metavar : str, optional
        What stands for the value there.
    choices : sequence of str, optional
        All values that there are.
    within : tuple of int, optional
        Smallest and largest whole number; without it, ``metavar`` SHARE is any number and others are texts.
    noun : str
        What it names in a table, for sentences that refuse it.
    label, tip : str
        Of its control on pages; a switch with a label has one there without further code.
    titles : mapping, optional
        What the control calls its values.
    """
    described = {"help": help, "metavar": metavar, "choices": choices, "within": within, "noun": noun}
    return field(default=default, metadata=described | {"label": label, "tip": tip, "titles": titles})


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
        If ``missing`` has another value, or both a class column and another role are given.
    """

    positive: str | None = option(
        None, "the positive class, if documents have classes", metavar="LABEL", label="Positive class"
    )
    class_column: str | None = option(
        None,
        "column of the class in a CSV, by name or number, if it is not the last one",
        metavar="NAME",
        noun="a class column",
        label="Class column",
        tip="The last column, unless another one is named class, label, target, y or diagnosis, or the last one has "
        "too many values.",
    )
    query_column: str | None = option(
        None,
        "column of the query in a CSV or Parquet file, by name or number, if it is not called qid or query",
        metavar="NAME",
        noun="a query column",
        label="Query column",
    )
    relevance_column: str | None = option(
        None,
        "column of the relevance in a CSV or Parquet file, by name or number, if it is not called relevance, label, "
        "rel, grade or y",
        metavar="NAME",
        noun="a relevance column",
        label="Relevance column",
    )
    document_column: str | None = option(
        None,
        "column that names the document in a CSV or Parquet file, by name or number, if it has no usual name",
        metavar="NAME",
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
    )

    def __post_init__(self) -> None:
        check_missing(self.missing)
        if (self.query_column or self.relevance_column or self.document_column) and self.class_column is not None:
            refuse("a table has either a query and a relevance column or a class column; give only one kind")

    @property
    def leaves_out_ids(self) -> bool:
        """Whether columns with ids are left out without being named."""
        return NOTHING not in self.drop_columns

    @property
    def named_columns(self) -> tuple[str, ...]:
        """The columns to leave out that are named."""
        return tuple(column for column in self.drop_columns if column != NOTHING)

    @property
    def about_columns(self) -> str | None:
        """The first given option that needs a class column (positive class aside), in words; None without one."""
        return next((f.metadata["noun"] for f in fields(self) if f.metadata["noun"] and getattr(self, f.name)), None)


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
