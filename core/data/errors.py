"""Errors about data: one sentence with the place and, where there is one, the way out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from core.names.plain import visible


class DataError(ValueError):
    """Input that cannot be used as ranking data.

    Parameters
    ----------
    reason : str
        One sentence: what is wrong and, where there is one, the way out.
    file : str or PurePath, optional
        Name of the file, as the person who gave it knows it.
    line : int, optional
        Line in the file, counted from 1.
    row : int, optional
        Row of a table without lines (Parquet), counted from 1.
    column : int or str, optional
        Character position in the line counted from 1 (text formats), or the column's name (CSV,
        Parquet).
    """

    def __init__(
        self,
        reason: str,
        *,
        file: str | PurePath | None = None,
        line: int | None = None,
        row: int | None = None,
        column: int | str | None = None,
    ) -> None:
        self.reason = reason
        self.file = None if file is None else str(file)
        self.line = line
        self.row = row
        self.column = column
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        place = []
        if self.file is not None:
            place.append(visible(self.file))
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.row is not None:
            place.append(f"row {self.row}")
        if self.column is not None:
            place.append(f"column {visible(str(self.column))}")
        return f"{', '.join(place)}: {self.reason}" if place else self.reason


class UngroupedQueriesError(DataError):
    """The documents of a query stand apart; reading with ``group=True`` puts them together."""


class UndecidedClassError(DataError):
    """There are more than two classes; read again with one of ``classes`` as the positive class."""

    def __init__(
        self, reason: str, *, classes: tuple[str, ...], file: str | PurePath | None = None, column: str | None = None
    ) -> None:
        self.classes = classes
        super().__init__(reason, file=file, column=column)


class UndecidedColumnError(DataError):
    """Several columns may hold the classes; read again with one of ``columns`` as the class column."""

    def __init__(self, reason: str, *, columns: tuple[str, ...], file: str | PurePath | None = None) -> None:
        self.columns = columns
        super().__init__(reason, file=file)


class UndecidedRolesError(DataError):
    """A table may have queries; read again with one of ``queries`` and ``relevances``, or with ``class_column``.

    Attributes
    ----------
    queries, relevances : tuple of str
        Columns as options name them, the likeliest first.
    columns : mapping of str to str
        The first values of every column, in words.
    class_column : str or None
        The column of classes, should every row have a class instead.
    """

    def __init__(
        self,
        reason: str,
        *,
        queries: tuple[str, ...],
        relevances: tuple[str, ...],
        columns: Mapping[str, str],
        class_column: str | None,
        file: str | PurePath | None = None,
    ) -> None:
        self.queries = queries
        self.relevances = relevances
        self.columns = dict(columns)
        self.class_column = class_column
        super().__init__(reason, file=file)


class NoNumbersError(DataError):
    """Columns are no features; read again without ``columns``, as options name them.

    If ``document`` is one of them, it may name the documents: read again with it as the document column.
    """

    def __init__(
        self,
        reason: str,
        *,
        columns: tuple[str, ...],
        document: str | None = None,
        file: str | PurePath | None = None,
        line: int | None = None,
        row: int | None = None,
        column: int | str | None = None,
    ) -> None:
        self.columns = columns
        self.document = document
        super().__init__(reason, file=file, line=line, row=row, column=column)


class MissingValuesError(DataError):
    """Cells are missing; read again with one of ``ways`` to leave out their rows or fill them in."""

    def __init__(
        self,
        reason: str,
        *,
        ways: tuple[str, ...],
        file: str | PurePath | None = None,
        line: int | None = None,
        row: int | None = None,
        column: int | str | None = None,
    ) -> None:
        self.ways = ways
        super().__init__(reason, file=file, line=line, row=row, column=column)
