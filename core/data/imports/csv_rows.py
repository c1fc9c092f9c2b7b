"""Rows of a CSV file of any size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from core.data.errors import DataError
from core.data.imports.text_file import TextFile
from core.data.limits import check_columns
from core.data.numbers import is_number
from core.data.tables.column_roles import check_all_differ
from core.data.tables.table_text import csv_rows, csv_text, of_width


class CsvRows:
    """The rows below the header, with their lines; fields are separated by comma, semicolon or tab.

    Attributes
    ----------
    names : list of str
        Of the columns; empty where the first row is a row of numbers already.
    width : int
        Number of columns.

    Raises
    ------
    DataError
        If it is no CSV file, or two columns have one name.
    """

    def __init__(self, file: TextFile) -> None:
        self._file = file
        beginning = file.head[: file.head.rfind("\n") + 1] or file.head
        said = beginning[:4].lower() == "sep="  # as Excel writes it
        delimiter = csv_text(beginning.encode(), file.name).delimiter
        self._rows = csv_rows(
            (f"{line}\n" if number > said else "\n" for number, line in file.lines()),
            delimiter,
            file.name,
            file.limits.row,
        )
        line, first = next(self._rows, (0, []))
        if not first:
            msg = "the file is empty"
            raise DataError(msg, file=file.name)
        headed = not all(is_number(cell) for cell in first)
        self.names = [cell.strip() for cell in first] if headed else []
        self.width = len(first)
        check_columns(self.width, file.name, line)
        check_all_differ(self.names, file.name, line)
        if not headed:
            self._rows = chain([(line, first)], self._rows)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        return of_width(self._rows, self.width, self._file.name)

    def filled(self, shortest: int) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows; one of at most so many fields ends early and is filled up with empty ones."""
        rows = ((k, row + [""] * (self.width - len(row)) if len(row) <= shortest else row) for k, row in self._rows)
        return of_width(rows, self.width, self._file.name)

    @property
    def next_cells(self) -> list[str]:
        """The cells of the row that comes next, which stays there; empty where there is none."""
        row = next(self._rows, None)
        if row is None:
            return []
        self._rows = chain([row], self._rows)
        return row[1]
