"""Options for reading a CSV table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.data.errors import refuse
from core.data.missing import check_missing
from core.data.numbers import is_digits

NOTHING = "none"
"""As one of the columns to leave out, it means: leave out the named columns only, no ids."""


@dataclass(frozen=True)
class TableOptions:
    """How to read a CSV table; options that are not given are inferred from the table.

    Attributes
    ----------
    positive : str, optional
        The class to rank on top.
    class_column : str, optional
        The class column, by its name in the header or its number from 1.
    drop_columns : tuple of str
        Columns to leave out, also of a table with queries, by name or number, in addition to ids; with "none" among
        them, ids are kept.
    missing : {"drop", "median", "zero"}, optional
        How to treat missing cells: leave out their rows, or fill in 0 or the median of their column.
    query_column, relevance_column, document_column : str, optional
        The columns of a ranking table that name the query of a row, have its relevance and name its document, by name
        or number.

    Raises
    ------
    DataError
        If ``missing`` has another value.
    """

    positive: str | None = None
    class_column: str | None = None
    drop_columns: tuple[str, ...] = ()
    missing: str | None = None
    query_column: str | None = None
    relevance_column: str | None = None
    document_column: str | None = None

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
        given = {
            "a class column": self.class_column,
            "a query column": self.query_column,
            "a relevance column": self.relevance_column,
            "a document column": self.document_column,
            "columns to leave out": self.drop_columns,
            "a treatment of missing values": self.missing,
        }
        return next((what for what, value in given.items() if value), None)


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
