"""CSV text as rows of cells with their line numbers, and the conversion of cells to numbers."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, islice

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.letor._letor_kernel import MAX_RELEVANCE
from core.data.letor.value_problems import line_and_column, relevance_problem, value_problem

_DELIMITERS = "\t;,"
"""In order of preference if two split all lines evenly: beside a tab or semicolon, a comma is a decimal comma."""
_SNIFFED_ROWS = 20
_SNIFFED_CHARACTERS = 2**20


@dataclass(frozen=True)
class CsvText:
    """The text of a CSV file, its delimiter, and its name in messages."""

    text: str
    delimiter: str
    name: str

    def header_and_rows(self) -> tuple[int, list[str], Iterator[tuple[int, list[str]]]]:
        """Return line and stripped cells of the first row, and an iterator over the rows below it."""
        rows = self.rows()
        line, first = next(rows)
        return line, [cell.strip() for cell in first], rows

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield line (from 1; where the row ends) and cells of every row that is not blank.

        Raises
        ------
        DataError
            If a quote is never closed or stands inside a field.
        """
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=self.delimiter, strict=True)
        try:
            for row in reader:
                if len(row) > 1 or (row and row[0].strip()):
                    yield reader.line_num, row
        except csv.Error as error:
            msg = f"the quotes or fields of this line cannot be understood ({error})"
            raise DataError(msg, file=self.name, line=reader.line_num) from None


def csv_text(content: bytes, name: str) -> CsvText:
    """Decode a CSV file and detect its delimiter: comma, semicolon or tab.

    Raises
    ------
    DataError
        If it is not UTF-8, has no rows, or has a single column.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = line_and_column(content, error.start)
        msg = f"the byte 0x{content[error.start]:02X} is not UTF-8; save the file as 'CSV UTF-8'"
        raise DataError(msg, file=name, line=line, column=column) from None
    beginning = text[: text.rfind("\n", 0, _SNIFFED_CHARACTERS) + 1] or text
    scores = [_regularity(CsvText(beginning, delimiter, name)) for delimiter in _DELIMITERS]
    regular, n_fields = max(scores)
    if n_fields < 2:
        msg = "the file is empty" if not text.strip() else "there is one column only; separate fields by , ; or tab"
        raise DataError(msg, file=name)
    return CsvText(text, _DELIMITERS[scores.index((regular, n_fields))], name)


def _regularity(candidate: CsvText) -> tuple[bool, int]:
    """Tell whether the first rows split into the same number (>= 2) of fields; also return the first row's number."""
    try:
        lengths = [len(cells) for _, cells in islice(candidate.rows(), _SNIFFED_ROWS)]
    except DataError:
        return False, 2
    first = lengths[0] if lengths else 0
    return first > 1 and len(set(lengths)) == 1, first


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of a table: feature columns as numbers, the other columns as text.

    ``features`` has shape (n_rows, n_feature_columns), ``texts[name]`` has n_rows cells, ``lines`` has the line of
    every row.
    """

    features: NDArray[np.float64]
    texts: dict[str, list[str]]
    lines: list[int]


def read_block(
    rows: Iterator[tuple[int, list[str]]],
    names: Sequence[str],
    text_columns: Sequence[int],
    file: str,
    *,
    may_name_documents: bool = False,
) -> Block:
    """Read all rows; the columns ``text_columns`` (from 0) stay text, all others must be finite numbers.

    Where words in another column may name documents, the message about them says how to call that column.

    Raises
    ------
    DataError
        If a row has a wrong number of fields, or a cell is missing or no finite number (with line and column name), or
        if there are no rows.
    """
    is_feature = [j not in text_columns for j in range(len(names))]
    feature_columns = list(compress(range(len(names)), is_feature))
    values = array("d")
    texts: dict[str, list[str]] = {names[j]: [] for j in text_columns}
    lines: list[int] = []
    for line, cells in rows:
        if len(cells) != len(names):
            msg = f"{len(cells)} fields where {len(names)} are expected; mend or delete this line"
            raise DataError(msg, file=file, line=line)
        try:
            values.extend(map(float, compress(cells, is_feature)))
        except ValueError:
            j = next(j for j in feature_columns if not is_number(cells[j]))
            msg = value_problem(cells[j].strip(), may_name_documents=may_name_documents)
            raise DataError(msg, file=file, line=line, column=names[j]) from None
        for j in text_columns:
            text = cells[j].strip()
            if not text:
                msg = "the value is missing; fill it in, or remove the line"
                raise DataError(msg, file=file, line=line, column=names[j])
            texts[names[j]].append(text)
        lines.append(line)
    if not lines:
        msg = "there is a header but no row below it"
        raise DataError(msg, file=file)
    features = np.array(values, dtype=np.float64).reshape(len(lines), len(feature_columns))
    for row, column in np.argwhere(~np.isfinite(features))[:1]:
        j = feature_columns[column]
        raise DataError(value_problem(str(features[row, column])), file=file, line=lines[row], column=names[j])
    return Block(features, texts, lines)


def relevance_of(block: Block, column: str, file: str) -> NDArray[np.int32]:
    """Convert the labels in a text column to grades: whole numbers, 0 or more ('2.0' is 2).

    Raises
    ------
    DataError
        At the first label that is no grade, with line and column.
    """
    levels: dict[str, int] = {}
    for line, text in zip(block.lines, block.texts[column], strict=True):
        if text not in levels:
            level = whole_grade(text)
            if level is None:
                raise DataError(relevance_problem(text), file=file, line=line, column=column)
            levels[text] = level
    return np.array([levels[text] for text in block.texts[column]], dtype=np.int32)


def is_number(text: str) -> bool:
    """Tell whether Python reads the text as a number (possibly infinite or NaN)."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def whole_grade(text: str) -> int | None:
    """Return the relevance grade that the text spells, or None."""
    if not is_number(text):
        return None
    value = float(text)
    return int(value) if 0 <= value <= MAX_RELEVANCE and value.is_integer() else None
