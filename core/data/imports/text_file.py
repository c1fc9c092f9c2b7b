"""The text of a file in pieces, so that memory does not grow with the file; its rows, where it is a CSV; and places."""

from __future__ import annotations

import codecs
import math
from array import array
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError, refuse
from core.data.files.file_content import UTF16_MARKS, file_label, read_head, refuse_foreign
from core.data.files.packed import Limits, Unpacked, check_columns
from core.data.numbers import is_number, read_number
from core.data.tables.column_roles import check_all_differ
from core.data.tables.table_text import WESTERN, csv_rows, csv_text, is_utf8, of_width

_HEAD = 1 << 18


class Place(NamedTuple):
    """Where something stands: file, line and, in JSON, column, from 1."""

    file: str
    line: int
    column: int | None = None

    def told_in(self, file: str) -> str:
        """Line and column in words, for a message about ``file``: with the file's name where it is another one."""
        words = f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"
        return words if self.file == file else f"{words} of {self.file}"

    def refuse(self, reason: str) -> NoReturn:
        """Raise a `DataError` about what stands here."""
        raise DataError(reason, file=self.file, line=self.line, column=self.column) from None


class TextFile:
    """A file, or its content, that is read once from the beginning; unpacked if it is gzipped.

    ``head`` has the first characters, enough to recognise what the file is; ``encoding`` is its name in words, empty if
    it is UTF-8; ``ends_a_line`` tells whether the last line has an end, once `lines` has yielded it. Raises a
    `DataError` if the file cannot be read, is empty, or is no text.
    """

    def __init__(self, source: Path | bytes, name: str) -> None:
        self.source = source
        self.name = name
        head = read_head(source, name, _HEAD)
        if not head.strip():
            refuse("the file is empty", file=name)
        refuse_foreign(head, name)
        whole = head[: head.rfind(b"\n") + 1] or head  # the last line may be cut within a character
        self._codec, self.encoding = ("utf-8-sig", "") if is_utf8(whole) else WESTERN
        self.head = head.decode(self._codec, errors="replace")
        if b"".join(Unpacked(source, name).pieces(2)).startswith(UTF16_MARKS):
            self._codec, self.encoding = "utf-16", "UTF-16"
        self.size = len(source) if isinstance(source, bytes) else source.stat().st_size
        self.ends_a_line = True
        self.limits = Limits.of(source)
        self._unpacked = Unpacked(source, name)

    @property
    def share(self) -> float:
        """Share of the file that has been read, from 0 to 1."""
        return min(self._unpacked.read / self.size, 1.0) if self.size else 1.0

    def pieces(self) -> Iterator[str]:
        """Yield the text, a piece at a time; raise a `DataError` with the line if it is not UTF-8 or damaged."""
        decoder = codecs.getincrementaldecoder(self._codec)(errors="replace" if self.encoding else "strict")
        line = 1
        for content in chain(self._unpacked.pieces(), (b"",)):
            try:
                piece = decoder.decode(content, final=not content)
            except UnicodeDecodeError as error:
                line += bytes(error.object).count(b"\n", 0, error.start)
                msg = f"the byte 0x{error.object[error.start]:02X} is not UTF-8; save the file as UTF-8"
                raise DataError(msg, file=self.name, line=line) from None
            line += piece.count("\n")
            yield piece

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield number (from 1) and text of every line, without its end; raise as `pieces`, or if one is too long."""
        number, rest = 0, ""
        for piece in self.pieces():
            lines = (rest + piece).split("\n")
            rest = lines.pop()
            for line in lines:
                number += 1
                yield number, line.removesuffix("\r")
            if len(rest) > self.limits.row:
                msg = f"this line is longer than {self.limits.row:,} characters; is it a text file with lines?"
                raise DataError(msg, file=self.name, line=number + 1)
        self.ends_a_line = not rest
        if rest:
            yield number + 1, rest.removesuffix("\r")


class CsvRows:
    """The rows below the header, with their lines; fields are separated by comma, semicolon or tab.

    ``names`` are those of the columns; there is none where the first row is a row of numbers already. Raises a
    `DataError` if it is no CSV file, or two columns have one name.
    """

    def __init__(self, file: TextFile) -> None:
        self._file = file
        head = (file.head[: file.head.rfind("\n") + 1] or file.head).encode()
        delimiter = csv_text(head, file.name, file.limits).delimiter
        self._rows = csv_rows((f"{line}\n" for _, line in file.lines()), delimiter, file.name, file.limits.row)
        line, first = next(self._rows, (0, []))
        if not first:
            refuse("the file is empty", file=file.name)
        headed = not all(is_number(cell) for cell in first)
        self.names = [cell.strip() for cell in first] if headed else []
        self.width = len(first)
        check_columns(self.width, file.name, line)
        check_all_differ(self.names, file.name, line)
        if not headed:
            self._rows = chain([(line, first)], self._rows)

    def filled(self, shortest: int = 0) -> Iterator[tuple[int, list[str]]]:
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


def read_scores(path: Path, n_documents: int) -> NDArray[np.float64]:
    """Read one score a line, shape (n_documents,), gzipped or not; blank lines at the end are ignored.

    Raises a `DataError` if a line is not a finite number, or the number of lines is not ``n_documents``.
    """
    label = file_label(path)
    scores, blank = array("d"), 0
    for number, line in TextFile(path, label).lines():
        if not line.strip():
            blank = blank or number
            continue
        shown = "" if blank else line.strip()[:40]
        place = Place(label, blank or number)
        if not is_number(shown and line):
            place.refuse(f"{shown!r} is not a number; a score file has one number a line")
        if not math.isfinite(score := read_number(line)):
            place.refuse(f"the score is {shown}; it must be a finite number")
        scores.append(score)
    if len(scores) != n_documents:
        msg = f"{len(scores)} scores for {n_documents} documents; give one score a line, in the order of the documents"
        raise DataError(msg, file=label)
    return np.array(scores)
