"""Errors about data: one sentence with the place and, where there is one, the way out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, NoReturn

from core.names.plain import visible


class DataError(ValueError):
    """Input that cannot be used as ranking data.

    Parameters
    ----------
    reason : str
        One sentence: what is wrong and, where there is one, the way out. Line breaks and control characters of names in
        it are made visible, as in ``file`` and ``column``.
    file : str or PurePath, optional
        Name of the file, as the person who gave it knows it.
    line : int, optional
        Line in the file, counted from 1.
    row : int, optional
        Row of a table without lines (Parquet), counted from 1.
    column : int or str, optional
        Character position in the line counted from 1 (text formats), or the column's name (CSV,
        Parquet).
    **answers
        What a person may choose among to read it after all; attributes of a subclass.
    """

    def __init__(
        self,
        reason: str,
        *,
        file: str | PurePath | None = None,
        line: int | None = None,
        row: int | None = None,
        column: int | str | None = None,
        **answers: Any,
    ) -> None:
        self.reason = visible(reason)
        self.file = None if file is None else str(file)
        self.line = line
        self.row = row
        self.column = column
        if unknown := answers.keys() - type(self).__annotations__.keys():
            msg = f"no such place or answer: {', '.join(sorted(unknown))}"
            raise TypeError(msg)
        vars(self).update(answers)
        said = [
            *([] if file is None else [visible(str(file))]),
            *(f"{what} {number}" for what, number in (("line", line), ("row", row)) if number is not None),
            *([] if column is None else [f"column {visible(str(column))}"]),
        ]
        super().__init__(f"{', '.join(said)}: {self.reason}" if said else self.reason)


def refuse(reason: str, **place: Any) -> NoReturn:
    """Raise a `DataError` with this reason and place."""
    raise DataError(reason, **place) from None


class UngroupedQueriesError(DataError):
    """The documents of a query stand apart; reading with ``group=True`` puts them together."""


class UndecidedClassError(DataError):
    """There are more than two classes; read again with one of ``classes`` as the positive class."""

    classes: tuple[str, ...]


class UndecidedColumnError(DataError):
    """Several columns may hold the classes; read again with one of ``columns`` as the class column."""

    columns: tuple[str, ...]


class UndecidedRolesError(DataError):
    """A table may have queries; read again with one of ``queries`` and ``relevances``, or with ``class_column``.

    Columns are as options name them, the likeliest first; ``columns`` has the first values of each, in words. The last
    answer is for a table of which every row has a class instead.
    """

    queries: tuple[str, ...]
    relevances: tuple[str, ...]
    columns: Mapping[str, str]
    class_column: str | None


class NoNumbersError(DataError):
    """Columns are no features; read again without ``columns``, as options name them.

    If ``document`` is one of them, it may name the documents: read again with it as the document column.
    """

    columns: tuple[str, ...]
    document: str | None = None


class MissingValuesError(DataError):
    """Cells are missing; read again with one of ``ways`` to leave out their rows or fill them in."""

    ways: tuple[str, ...]
