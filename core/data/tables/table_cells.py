"""Cells of a table as numbers, labels and grades, converted once; and where the first one is that cannot be."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, compress, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import refuse
from core.data.files.packed import check_columns
from core.data.letor._letor_kernel import MAX_RELEVANCE
from core.data.numbers import BLANKS, is_number, read_number, read_numbers
from core.data.tables.table_options import Kind, TableOptions
from core.data.tables.table_text import Row, TableText, of_width, read_text

_MARKS = frozenset(
    {"", "?", "na", "n/a", "#n/a", "nan", "+nan", "-nan", "null", "none", r"\n", "<na>", "nat", "#null!", "#div/0!"}
)
UNJUDGED = frozenset({"-1", "-1.0"})
"""Labels of documents without a judgment."""
_CLASS_MARKS = frozenset({"", "?"})  # a class may well be called none
_TRUTH = {"true": 1.0, "false": 0.0}
_EXPONENT = r"(?:[eE][+-]?[0-9]+)?"
_WITH_COMMA = re.compile(rf"[+-]?(?:[0-9]+,[0-9]*|,[0-9]+){_EXPONENT}")
_WITH_POINT = re.compile(rf"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+){_EXPONENT}")
_OF_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_ROWS = 2_000  # that tell the roles of columns
_CELLS = 1_000_000


def is_missing(cell: str) -> bool:
    r"""Tell whether a feature's cell is empty or a usual mark: ?, NA, n/a, NaN, null, none, \N, #N/A."""
    return cell.strip().lower() in _MARKS


def is_missing_class(cell: str) -> bool:
    """Tell whether a class cell is empty or a question mark."""
    return cell.strip() in _CLASS_MARKS


def whole_grade(text: str) -> int | None:
    """Return the relevance grade that the text spells, or None; true is 1 and false is 0."""
    try:
        value = _TRUTH.get(text.strip().lower())
        value = read_number(text) if value is None else value
    except ValueError:
        return None
    return int(value) if 0 <= value <= MAX_RELEVANCE and value.is_integer() else None


@dataclass(frozen=True)
class Writing:
    """How numbers are written: ``comma`` is the first with a decimal comma, empty where they have decimal points."""

    comma: str = ""

    @classmethod
    def of(cls, rows: Sequence[Row], delimiter: str) -> Writing:
        """Look at the first rows: numbers have a decimal comma if some have one and none has a point."""
        if delimiter in ("", ","):
            return cls()
        cells = (cell.strip() for _, row in rows if "," in "".join(row) for cell in row if "," in cell)
        commas = [cell for cell in cells if _WITH_COMMA.fullmatch(cell)]
        if all(map(_OF_THOUSANDS.fullmatch, commas)):  # 1,000 may be a thousand as well as one
            return cls()
        points = any("." in cell and _WITH_POINT.fullmatch(cell.strip()) for _, row in rows for cell in row)
        return cls() if points else cls(commas[0])

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence on decimal commas."""
        if not self.comma:
            return ()
        return (f"Numbers have a decimal comma: {self.comma} is read as {self.plain(self.comma)}.",)

    def plain(self, cell: str) -> str:
        """Return a number with a decimal comma with a point; any other text as it is."""
        return cell.replace(",", ".") if self.comma and _WITH_COMMA.fullmatch(cell) else cell

    def number(self, cell: str) -> float | None:
        """Return the number that a cell spells: true is 1, false is 0, nan where it is missing; None if there is none.

        A number with a decimal point where others have a comma is none.
        """
        text = cell.strip(BLANKS)
        if text.lower() in _MARKS:
            return np.nan
        truth = _TRUTH.get(text.lower())
        if truth is not None:
            return truth
        if self.comma and _WITH_POINT.fullmatch(text):
            return None
        plain = self.plain(text)
        return read_number(plain) if is_number(plain) else None


@dataclass(frozen=True, eq=False)
class Head:
    """The first rows of a table, by which the roles of its columns are found.

    The first one, of which the line is told where there are lines, may be a header; ``read`` returns the cells below
    it, by column. ``texts`` are the positions of the columns of text, where the file has types.
    """

    file: str
    line: int | None
    first: list[str]
    read: Callable[[], list[list[str]]] = field(repr=False)
    texts: Collection[int] | None = None

    @cached_property
    def columns(self) -> list[list[str]]:
        """The cells below the first row, by column."""
        return self.read()


@dataclass(frozen=True, eq=False)
class OpenTable:
    """A table whose first rows have been read; all ``rows``, the first among them, are read once."""

    text: TableText
    options: TableOptions
    head: Head
    writing: Writing
    rows: Iterator[Row] = field(repr=False)

    @classmethod
    def of(cls, source: Path | bytes, name: str | None, options: TableOptions) -> OpenTable:
        """Read the first rows of a CSV file or workbook.

        Raises a `DataError` if it cannot be read, one of them is no row, or there are too many columns.
        """
        text = read_text(source, name, options)
        rows = text.rows()
        line, first = next(rows)
        check_columns(len(first), text.name, line)
        n = len(first)
        below = list(islice(rows, max(min(_ROWS, _CELLS // n), 20)))
        writing = Writing.of([(line, first), *below], text.delimiter)

        def columns() -> list[list[str]]:
            whole = [cells for _, cells in below if len(cells) == n]
            return [list(map(str.strip, column)) for column in zip(*whole, strict=True)] or [[] for _ in first]

        head = Head(text.name, line, [cell.strip() for cell in first], columns)  # usual names need no cells
        return cls(text, options, head, writing, chain([(line, first)], below, rows))

    @property
    def kind(self) -> Kind:
        """Whether it is a CSV file or a workbook."""
        return Kind.CSV if self.text.delimiter else Kind.WORKBOOK

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the text."""
        return (*self.text.notes, *self.writing.notes)

    def cells(self, headed: bool, texts: Collection[int], skipped: Collection[int], blanks: str | None = None) -> Cells:
        """Read all rows: the columns ``texts`` (from 0) stay text, others but ``skipped`` become numbers.

        ``blanks`` are the characters around texts that do not count; by default all blanks. Raises a `DataError` if a
        row has another number of fields than the first, there is no row, or more than the limits allow.
        """
        n, file, limits = len(self.head.first), self.text.name, self.text.limits
        others = {*texts, *skipped}
        numeric = [j for j in range(n) if j not in others]
        chosen = set(numeric)
        mask = [j in chosen for j in range(n)] if len(numeric) < n else None
        found = Cells(numeric, {j: [] for j in texts}, self.writing)
        columns, lines = list(found.texts.items()), found.lines
        known: dict[str, str] = {}
        most = min(limits.rows, limits.numbers // (8 * max(len(numeric), 1)))
        if headed:
            next(self.rows)
        for line, cells in of_width(self.rows, n, file):
            if len(lines) >= most:
                limits.check_rows(len(lines) + 1, file)
                limits.check_numbers((len(lines) + 1) * len(numeric), file)
            found.add(cells if mask is None else list(compress(cells, mask)), line)
            for j, column in columns:
                cell = cells[j].strip(blanks)
                column.append(known.setdefault(cell, cell) if len(known) < _CELLS else cell)
        if not lines:
            refuse("there is a header but no row below it", file=file)
        return found


@dataclass(eq=False)
class Cells:
    """The cells of all rows, with their lines: columns of numbers, by position; the others are texts or skipped.

    ``values`` stand by row, nan where a cell is missing, and 0 where it is no number. By column, ``bad`` and
    ``lacking`` have row and text of the first cell that is neither missing nor a number, and that is missing.
    """

    numeric: list[int]
    texts: dict[int, list[str]]
    writing: Writing
    values: array[float] = field(default_factory=lambda: array("d"))
    lines: list[int] = field(default_factory=list)
    bad: dict[int, tuple[int, str]] = field(default_factory=dict)
    lacking: dict[int, tuple[int, str]] = field(default_factory=dict)

    def add(self, cells: list[str], line: int) -> None:
        """Add the numbers of a row."""
        before = len(self.values)
        try:
            if self.writing.comma:
                raise ValueError
            self.values.extend(read_numbers(cells))
        except ValueError:
            del self.values[before:]
            self.values.extend(self._number(j, cell) for j, cell in zip(self.numeric, cells, strict=True))
        self.lines.append(line)

    def _number(self, j: int, cell: str) -> float:
        number = self.writing.number(cell)
        if number is None:
            self.bad.setdefault(j, (len(self.lines), cell.strip()))
            return 0.0
        if number != number:
            self.lacking.setdefault(j, (len(self.lines), cell.strip()))
        return number

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        """Return these columns as numbers, shape (n_rows, n_positions); see ``values``."""
        values = np.frombuffer(self.values, dtype=np.float64).reshape(len(self.lines), len(self.numeric))
        if list(positions) == self.numeric:
            return values
        of = {j: k for k, j in enumerate(self.numeric)}
        matrix = np.empty((len(self.lines), len(positions)))
        for k, j in enumerate(positions):
            matrix[:, k] = values[:, of[j]] if j in of else self._numbers(j)
        return matrix

    def _numbers(self, j: int) -> list[float]:
        known: Mapping[str, float | None] = {cell: self.writing.number(cell) for cell in dict.fromkeys(self.texts[j])}
        for cell, number in known.items():
            if number is None:
                self.bad.setdefault(j, (self.texts[j].index(cell), cell))
            elif number != number:
                self.lacking.setdefault(j, (self.texts[j].index(cell), cell))
        return [known[cell] or 0.0 for cell in self.texts[j]]

    def without(self, rows: Collection[int]) -> None:
        """Leave out some rows."""
        if not rows:
            return
        kept = np.ones(len(self.lines), dtype=bool)
        kept[list(rows)] = False
        width = len(self.numeric)
        values = np.frombuffer(self.values, dtype=np.float64).reshape(len(self.lines), width)[kept]
        at = np.cumsum(kept) - 1
        self.bad = {j: (int(at[row]), text) for j, (row, text) in self.bad.items() if kept[row]}
        self.values = array("d", values.tobytes())
        self.lines = list(compress(self.lines, kept))
        self.texts = {j: list(compress(column, kept)) for j, column in self.texts.items()}
