"""Rows of a CSV file of any size."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from core.data.errors import DataError
from core.data.imports.text_file import TextFile
from core.data.limits import check_columns
from core.data.numbers import is_number
from core.data.tables.table_header import check_all_differ
from core.data.tables.table_text import CsvLines, csv_text


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
        self._line = 0
        beginning = file.head[: file.head.rfind("\n") + 1] or file.head
        delimiter = csv_text(beginning.encode(), file.name).delimiter
        self._rows = CsvLines(self._lines(), file.name, file.limits.row)
        self._reader = csv.reader(self._rows, delimiter=delimiter, strict=True)
        first = self._next() or []
        headed = not all(is_number(cell) for cell in first)
        self.names = [cell.strip() for cell in first] if headed else []
        self.width = len(first)
        self._waiting = [] if headed else [(self._line, first)]
        check_columns(self.width, file.name, self._line)
        check_all_differ(self.names, file.name, self._line)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        while (row := self._take()) is not None:
            line, cells = row
            if len(cells) != self.width:
                msg = f"{len(cells)} fields where {self.width} are expected"
                raise DataError(msg, file=self._file.name, line=line)
            yield line, cells

    @property
    def next_cells(self) -> list[str]:
        """The cells of the row that comes next, which stays there; empty where there is none."""
        row = self._take()
        self._waiting = [] if row is None else [row]
        return [] if row is None else row[1]

    def _take(self) -> tuple[int, list[str]] | None:
        if self._waiting:
            return self._waiting.pop()
        cells = self._next()
        return None if cells is None else (self._line, cells)

    def _next(self) -> list[str] | None:
        try:
            for cells in self._reader:
                self._rows.row_ended()
                if len(cells) > 1 or (cells and cells[0].strip()):
                    return cells
        except csv.Error as error:
            msg = f"the quotes or fields of this line cannot be understood ({error})"
            raise DataError(msg, file=self._file.name, line=self._line) from None
        return None

    def _lines(self) -> Iterator[str]:
        for number, line in self._file.lines():
            self._line = number
            yield f"{line}\n"
