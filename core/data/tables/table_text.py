"""Text and workbooks as rows of cells with their line numbers, read row by row."""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, time
from functools import partial
from itertools import islice
from pathlib import Path

from core.data.errors import DataError, refuse
from core.data.files.file_content import file_label, read_content
from core.data.files.packed import Limits, is_workbook
from core.data.tables.table_options import USUAL, TableOptions

_DELIMITERS = "\t;,"
"""In order of preference if two split all lines evenly: beside a tab or semicolon, a comma is a decimal comma."""
_SNIFFED_ROWS = 20
_SNIFFED_BYTES = 2**20
_PIECE = 2**20
_SEPARATOR = "sep="
"""Excel may write a first line that says the delimiter."""
WESTERN = ("cp1252", "Windows-1252")
"""Python's name and the usual name of the encoding of a text that is no UTF-8."""

Row = tuple[int, list[str]]
"""Line and cells."""


@dataclass(frozen=True)
class TableText:
    """The rows of a file, which has a name in messages, and what was found out about it.

    ``rows`` begins to read: it yields line (from 1; where the row ends) and cells of every row that is not blank. The
    delimiter is empty for a workbook; ``notes`` are on an encoding that is not UTF-8, or on the sheet that is read.
    """

    name: str
    limits: Limits
    rows: Callable[[], Iterator[Row]] = field(repr=False)
    delimiter: str
    notes: tuple[str, ...] = ()


def read_text(source: Path | bytes, name: str | None, options: TableOptions) -> TableText:
    """Open a CSV file or an Excel workbook, or its content.

    Raises a `DataError` if it cannot be read, or as `csv_text`.
    """
    label = name or file_label(source)
    limits = Limits.of(source)
    if is_workbook(source):
        return _workbook(source, label, limits)
    return csv_text(read_content(source, label), label, limits, options)


def csv_text(content: bytes, name: str, limits: Limits, options: TableOptions = USUAL) -> TableText:
    """Detect encoding and delimiter (comma, semicolon or tab) of a CSV file.

    Raises a `DataError` if it has no rows, or has a single column.
    """

    def rows(content: bytes, delimiter: str) -> Iterator[Row]:
        text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
        lines = options.lines(iter(partial(text.readline, limits.row + 1), ""))
        return csv_rows(lines, delimiter, name, limits.row)

    content, notes = _in_utf8(content)
    beginning = content[: content.rfind(b"\n", 0, _SNIFFED_BYTES) + 1] or content
    first, _, below = beginning.partition(b"\n")
    separated = first[:4].lower() == _SEPARATOR.encode()
    said = first[4:].strip(b"\r") if separated else b""
    delimiters = said.decode() if len(said) == 1 and said.isascii() else _DELIMITERS
    scores = [_regularity(rows(beginning, delimiter)) for delimiter in delimiters]
    regular, n_fields = max(scores)
    if n_fields < 2:
        empty = not (below if separated else beginning).strip()
        msg = "the file is empty" if empty else "there is only one column; separate fields by , ; or tab"
        raise DataError(msg, file=name)
    delimiter = delimiters[scores.index((regular, n_fields))]
    return TableText(name, limits, partial(rows, content, delimiter), delimiter, notes)


def csv_rows(lines: Iterator[str], delimiter: str, name: str, longest: int) -> Iterator[Row]:
    """Split lines into rows; yield line (from 1; where the row ends) and cells of every row that is not blank.

    The rules are those of the standard library's reader, which counts lines as editors do. Arrow's reader counts rows
    only, and takes text behind a closing quote for a part of the field. Raises a `DataError` if a quote is never closed
    or stands inside a field, or a row has more than ``longest`` characters.
    """
    characters = 0

    def counted() -> Iterator[str]:
        nonlocal characters
        for number, line in enumerate(lines, 1):
            characters += len(line)
            if characters > longest:  # it goes on and on: an open quote, or no line ends
                refuse(f"a row has more than {longest:,} characters; is it a table with lines?", file=name, line=number)
            yield "\n" if number == 1 and line[:4].lower() == _SEPARATOR else line

    reader = csv.reader(counted(), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            characters = 0
            if len(row) > 1 or (row and row[0].strip()):
                yield reader.line_num, row
    except csv.Error as error:
        refuse(f"the quotes or fields of this line cannot be understood ({error})", file=name, line=reader.line_num)


def of_width(rows: Iterator[Row], width: int, name: str) -> Iterator[Row]:
    """Yield the rows, of which each must have so many fields.

    Raises a `DataError` with the line of the first one that has not.
    """
    for line, cells in rows:
        if len(cells) != width:
            refuse(f"{len(cells)} fields where {width} are expected; fix or delete this line", file=name, line=line)
        yield line, cells


def _regularity(rows: Iterator[Row]) -> tuple[bool, int]:
    """Tell whether the first rows split into the same number (>= 2) of fields; also return the first row's number."""
    try:
        lengths = [len(cells) for _, cells in islice(rows, _SNIFFED_ROWS)]
    except DataError:
        return False, 2
    first = lengths[0] if lengths else 0
    return first > 1 and len(set(lengths)) == 1, first


def is_utf8(content: bytes) -> bool:
    """Tell whether a text is UTF-8, without a copy of all of it; else it is read as `WESTERN`."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(content), _PIECE):
            decoder.decode(content[begin : begin + _PIECE], final=begin + _PIECE >= len(content))
    except UnicodeDecodeError:
        return False
    return True


def _in_utf8(content: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return the text in UTF-8, and a sentence on its encoding if that is another one."""
    if is_utf8(content):
        return content, ()
    encoding, title = WESTERN
    note = f"The file is no UTF-8; its text is read as {title}. If names look wrong, save it as UTF-8."
    return content.decode(encoding, errors="replace").encode(), (note,)


def _workbook(source: Path | bytes, name: str, limits: Limits) -> TableText:
    """Open the first sheet of a workbook that has cells.

    Raises a `DataError` if it is damaged, encrypted, empty, or unpacks to more than the limits allow.
    """
    import openpyxl

    damaged = "the Excel workbook is damaged or encrypted; open it and save the sheet as CSV"
    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as members:
            limits.check_text(sum(member.file_size for member in members.infolist()), None, name)
        place = io.BytesIO(source) if isinstance(source, bytes) else source
        book = openpyxl.load_workbook(place, read_only=True, data_only=True)
        sheets = [sheet for sheet in book.worksheets if any(_sheet_rows(sheet))]
    except DataError:
        raise
    except Exception as error:  # the library raises what its parsers raise
        raise DataError(damaged, file=name) from error
    if not sheets:
        refuse("the workbook has no cell with a value", file=name)
    sheet, others = sheets[0], len(book.worksheets) - 1
    if max(len(cells) for _, cells in islice(_sheet_rows(sheet), _SNIFFED_ROWS)) < 2:
        refuse(f"there is only one column in sheet {sheet.title!r}; put each field into a column of its own", file=name)
    notes = (f"Sheet {sheet.title!r} is read; to read another one, move it to the front.",) if others else ()
    return TableText(name, limits, lambda: _whole(_sheet_rows(sheet), damaged, name), "", notes)


def _sheet_rows(sheet: object) -> Iterator[Row]:
    """Yield the rows that have a value, as wide as the first one at least."""
    width = 0
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):  # type: ignore[attr-defined]
        cells = [_cell(value) for value in values]
        while len(cells) > width and not cells[-1]:
            cells.pop()
        if any(cells):
            width = width or len(cells)
            yield number, cells + [""] * (width - len(cells))


def _whole(rows: Iterator[Row], damaged: str, name: str) -> Iterator[Row]:
    """Yield the rows; what a parser of the workbook raises becomes the cause of a `DataError`."""
    try:
        yield from rows
    except Exception as error:
        raise DataError(damaged, file=name) from error


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, (date, time)):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)
