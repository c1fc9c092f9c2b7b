"""CSV text as rows of cells with their line numbers, read row by row."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from core.data.errors import DataError
from core.data.file_content import file_label, read_content
from core.data.letor.value_problems import line_and_column
from core.data.limits import Limits, check_columns

_DELIMITERS = "\t;,"
"""In order of preference if two split all lines evenly: beside a tab or semicolon, a comma is a decimal comma."""
_SNIFFED_ROWS = 20
_ROWS_WITH_COMMAS = 1000
_SNIFFED_BYTES = 2**20
_PIECE = 2**20
_WITH_COMMA = re.compile(r"[ \t]*[+-]?(?:[0-9]+,[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*")
_WITH_POINT = re.compile(r"[ \t]*[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*")
_OF_THOUSANDS = re.compile(r"[ \t]*[+-]?[1-9][0-9]{0,2},[0-9]{3}[ \t]*")


Row = tuple[int, list[str]]
"""Line and cells."""


@dataclass(frozen=True)
class CsvText:
    """The content of a CSV file in UTF-8, its delimiter, and its name in messages.

    Attributes
    ----------
    content : bytes
    delimiter : str
    name : str
    limits : Limits
        How much it may hold.
    decimal_comma : str
        The first number that is written with a decimal comma; empty where numbers have decimal points.
    """

    content: bytes
    delimiter: str
    name: str
    limits: Limits
    decimal_comma: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence on decimal commas, if there are any."""
        if not self.decimal_comma:
            return ()
        read = self.decimal_comma.replace(",", ".")
        return (f"Numbers have a decimal comma: {self.decimal_comma} is read as {read}.",)

    def header_and_rows(self) -> tuple[int, list[str], Iterator[Row]]:
        """Return line and stripped cells of the first row, and an iterator over the rows below it.

        Raises
        ------
        DataError
            If the row has too many cells, or as `rows`.
        """
        rows = self.rows()
        line, first = next(rows)
        check_columns(len(first), self.name, line)
        return line, [cell.strip() for cell in first], rows

    def rows(self) -> Iterator[Row]:
        """Yield line (from 1; where the row ends) and cells of every row that is not blank.

        Numbers with a decimal comma come with a point.

        Raises
        ------
        DataError
            If a quote is never closed or stands inside a field, a row is far too long, or a number has a decimal point
            where others have a comma.
        """
        rows = csv_rows(self._lines(), self.delimiter, self.name, self.limits.row)
        return ((line, self._with_points(row, line)) for line, row in rows) if self.decimal_comma else rows

    def _lines(self) -> Iterator[str]:
        text = io.TextIOWrapper(io.BytesIO(self.content), encoding="utf-8", newline="")
        while line := text.readline(self.limits.row + 1):
            yield line

    def _with_points(self, row: list[str], line: int) -> list[str]:
        wrong = next((cell for cell in row if "." in cell and _WITH_POINT.fullmatch(cell)), None)
        if wrong is not None:
            msg = (
                f"{wrong.strip()!r} has a decimal point where other numbers have a comma, as {self.decimal_comma!r}; "
                "write all of them with points"
            )
            raise DataError(msg, file=self.name, line=line)
        return [cell.replace(",", ".") if _WITH_COMMA.fullmatch(cell) else cell for cell in row]


def csv_rows(lines: Iterator[str], delimiter: str, name: str, longest: int) -> Iterator[Row]:
    """Split lines into rows; yield line (from 1; where the row ends) and cells of every row that is not blank.

    The rules are those of the standard library's reader, which counts lines as editors do. Arrow's reader counts rows
    only, and takes text behind a closing quote for a part of the field.

    Raises
    ------
    DataError
        If a quote is never closed or stands inside a field, or a row has more than ``longest`` characters.
    """
    counted = _Lines(lines, name, longest)
    reader = csv.reader(counted, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            counted.row_ended()
            if len(row) > 1 or (row and row[0].strip()):
                yield reader.line_num, row
    except csv.Error as error:
        msg = f"the quotes or fields of this line cannot be understood ({error})"
        raise DataError(msg, file=name, line=reader.line_num) from None


def of_width(rows: Iterator[Row], width: int, name: str) -> Iterator[Row]:
    """Yield the rows, of which each must have so many fields.

    Raises
    ------
    DataError
        With the line of the first one that has not.
    """
    for line, cells in rows:
        if len(cells) != width:
            msg = f"{len(cells)} fields where {width} are expected; fix or delete this line"
            raise DataError(msg, file=name, line=line)
        yield line, cells


class _Lines:
    """Lines for a CSV reader, which refuses a row that goes on and on: an open quote, or no line ends."""

    def __init__(self, lines: Iterator[str], name: str, longest: int) -> None:
        self._lines = lines
        self._name = name
        self._longest = longest
        self._characters = 0
        self._line = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._line += 1
        self._characters += len(line)
        if self._characters > self._longest:
            msg = f"a row has more than {self._longest:,} characters; is it a table with lines?"
            raise DataError(msg, file=self._name, line=self._line)
        return line

    def row_ended(self) -> None:
        """Begin to count anew."""
        self._characters = 0


def read_csv(source: Path | bytes, name: str | None = None) -> CsvText:
    """Read a CSV file, or its content; see `csv_text`."""
    label = name or file_label(source)
    return csv_text(read_content(source, label), label, Limits.of(source))


def csv_text(content: bytes, name: str, limits: Limits | None = None) -> CsvText:
    """Check that a CSV file is UTF-8, and detect its delimiter (comma, semicolon or tab) and decimal comma.

    Raises
    ------
    DataError
        If it is not UTF-8, has no rows, or has a single column.
    """
    _check_utf8(content, name)
    limits = limits or Limits.of(content)
    beginning = content[: content.rfind(b"\n", 0, _SNIFFED_BYTES) + 1] or content
    scores = [_regularity(CsvText(beginning, delimiter, name, limits)) for delimiter in _DELIMITERS]
    regular, n_fields = max(scores)
    if n_fields < 2:
        msg = "there is only one column; separate fields by , ; or tab" if content.strip() else "the file is empty"
        raise DataError(msg, file=name)
    table = CsvText(content, _DELIMITERS[scores.index((regular, n_fields))], name, limits)
    return replace(table, decimal_comma=_decimal_comma(table))


def _check_utf8(content: bytes, name: str) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    for begin in range(0, len(content), _PIECE):
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(content[begin : begin + _PIECE], final=begin + _PIECE >= len(content))
        except UnicodeDecodeError as error:
            at = begin - held + error.start
            line, column = line_and_column(content, at)
            msg = f"the byte 0x{content[at]:02X} is not UTF-8; save the file as 'CSV UTF-8'"
            raise DataError(msg, file=name, line=line, column=column) from None


def _regularity(candidate: CsvText) -> tuple[bool, int]:
    """Tell whether the first rows split into the same number (>= 2) of fields; also return the first row's number."""
    try:
        lengths = [len(cells) for _, cells in islice(candidate.rows(), _SNIFFED_ROWS)]
    except DataError:
        return False, 2
    first = lengths[0] if lengths else 0
    return first > 1 and len(set(lengths)) == 1, first


def _decimal_comma(table: CsvText) -> str:
    """Return the first number with a decimal comma, if some numbers of the first rows have one and none has a point."""
    first, all_thousands = "", True  # 1,000 may be a thousand as well as one
    if table.delimiter == ",":
        return first
    try:
        for _, cells in islice(table.rows(), _ROWS_WITH_COMMAS):
            if any(map(_WITH_POINT.fullmatch, cells)):
                return ""
            with_comma = [cell for cell in cells if _WITH_COMMA.fullmatch(cell)]
            all_thousands = all_thousands and all(map(_OF_THOUSANDS.fullmatch, with_comma))
            first = first or next(map(str.strip, with_comma), "")
    except DataError:
        return ""  # the reader of all rows says what is wrong
    return "" if all_thousands else first
