"""What a person can say about how a table with classes is to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.data.errors import DataError

Missing = Literal["drop", "median"]
NOTHING = "none"
"""Among the columns to leave out: no others than those that are named."""


@dataclass(frozen=True)
class ClassOptions:
    """How a table with classes is read; what is not said is told from the table.

    Attributes
    ----------
    positive : str, optional
        The class to rank on top.
    class_column : str, optional
        The column with the classes, by its name in the header or its number from 1.
    drop_columns : tuple of str
        Columns to leave out, by name or number, beside those that hold ids; with "none" among them, only these.
    missing : {"drop", "median"}, optional
        What to do where cells are missing: leave out their rows, or take the median of their column.

    Raises
    ------
    DataError
        If there is no such way with missing values.
    """

    positive: str | None = None
    class_column: str | None = None
    drop_columns: tuple[str, ...] = ()
    missing: str | None = None

    def __post_init__(self) -> None:
        if self.missing is not None and self.missing not in get_args(Missing):
            msg = f"there is no way {self.missing!r} with missing values; the ways are drop and median"
            raise DataError(msg)

    @property
    def leaves_out_ids(self) -> bool:
        """Whether columns that hold ids are left out without being named."""
        return NOTHING not in self.drop_columns

    @property
    def named_columns(self) -> tuple[str, ...]:
        """The columns to leave out that are named."""
        return tuple(column for column in self.drop_columns if column != NOTHING)

    @property
    def about_columns(self) -> str | None:
        """The first thing said that only a table with a class column can follow, beside the positive class."""
        given = {
            "a class column": self.class_column,
            "columns to leave out": self.drop_columns,
            "a way with missing values": self.missing,
        }
        return next((what for what, value in given.items() if value), None)


def resolve_column(wanted: str, names: Sequence[str], file: str) -> int:
    """The position (from 0) of the column that has this name, in any case if need be, or this number from 1.

    Raises
    ------
    DataError
        If there is none.
    """
    text = wanted.strip()
    if text in names:
        return list(names).index(text)
    lower = [name.lower() for name in names]
    if lower.count(text.lower()) == 1:
        return lower.index(text.lower())
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return int(text) - 1
    msg = f"there is no column {wanted!r}; name one of the header, or its number from 1 to {len(names)}"
    raise DataError(msg, file=file)
