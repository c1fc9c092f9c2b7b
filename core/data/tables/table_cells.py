"""Cells of a table as numbers, labels and grades."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.letor._letor_kernel import MAX_RELEVANCE
from core.data.letor.value_problems import relevance_problem, value_problem
from core.data.numbers import is_number, read_number, read_numbers
from core.data.tables.table_text import CsvText, Row


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
    rows: Iterator[Row],
    names: Sequence[str],
    text_columns: Sequence[int],
    table: CsvText,
    *,
    may_name_documents: bool = False,
) -> Block:
    """Read all rows, each of which has a cell for every name.

    The columns ``text_columns`` (from 0) stay text, all others must be finite numbers. Where words in
    another column may name documents, the message about them says how to call that column.

    Raises
    ------
    DataError
        If a cell is missing or no finite number (with line and column name), or if there are no rows, or more than the
        limits allow.
    """
    is_feature = [j not in text_columns for j in range(len(names))]
    feature_columns = list(compress(range(len(names)), is_feature))
    values = array("d")
    texts: dict[str, list[str]] = {names[j]: [] for j in text_columns}
    lines: list[int] = []
    file, limits = table.name, table.limits
    most = min(limits.rows, limits.numbers // (8 * max(len(feature_columns), 1)))
    for line, cells in rows:
        if len(lines) >= most:
            limits.check_rows(len(lines) + 1, file)
            limits.check_numbers((len(lines) + 1) * len(feature_columns), file)
        try:
            values.extend(read_numbers(list(compress(cells, is_feature))))
        except ValueError:
            j = next(j for j in feature_columns if not is_number(cells[j]))
            msg = value_problem(cells[j].strip(), may_name_documents=may_name_documents)
            raise DataError(msg, file=file, line=line, column=names[j]) from None
        for j in text_columns:
            cell = cells[j].strip()
            if not cell:
                msg = "the value is missing; fill it in or remove the line"
                raise DataError(msg, file=file, line=line, column=names[j])
            texts[names[j]].append(cell)
        lines.append(line)
    if not lines:
        msg = "there is a header but no row below it"
        raise DataError(msg, file=file)
    features = np.frombuffer(values, dtype=np.float64).reshape(len(lines), len(feature_columns))
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
    texts = block.texts[column]
    levels = {text: whole_grade(text) for text in dict.fromkeys(texts)}
    wrong = next((text for text, level in levels.items() if level is None), None)
    if wrong is not None:
        raise DataError(relevance_problem(wrong), file=file, line=block.lines[texts.index(wrong)], column=column)
    return np.array([levels[text] for text in texts], dtype=np.int32)


def whole_grade(text: str) -> int | None:
    """Return the relevance grade that the text spells, or None."""
    try:
        value = read_number(text)
    except ValueError:
        return None
    return int(value) if 0 <= value <= MAX_RELEVANCE and value.is_integer() else None
