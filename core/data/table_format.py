"""Readers of CSV tables: ranking data with relevance and query columns, or two classes in the last column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from core.data.class_column import ClassColumn
from core.data.errors import DataError
from core.data.file_content import file_label, read_content
from core.data.query_groups import assemble
from core.data.ranking_data import RankingData
from core.data.table_cells import CsvText, csv_text, is_number, read_block, relevance_of

# Spellings of a column's name, in lower case, the first that a header has is taken.
RELEVANCE_NAMES = ("relevance", "label", "rel", "grade", "y")
QUERY_NAMES = ("qid", "query_id", "query id", "queryid", "query")
DOCUMENT_NAMES = ("docid", "document_id", "doc_id", "document id", "document")
CLASS_NAMES = ("class", "label", "target", "y")


def table_kind(source: Path | bytes, *, name: str | None = None) -> Literal["ranking", "bipartite"]:
    """Which kind of table a CSV file holds: "ranking" if its header has a query column, else "bipartite".

    Raises
    ------
    DataError
        If it is no CSV file.
    """
    label = name or file_label(source)
    return _kind(csv_text(read_content(source, label), label))


def _kind(table: CsvText) -> Literal["ranking", "bipartite"]:
    _, header, _ = table.header_and_rows()
    return "bipartite" if _position(header, QUERY_NAMES) is None else "ranking"


def read_table(
    source: Path | bytes,
    *,
    name: str | None = None,
    positive: str | None = None,
    group: bool = False,
    dtype: type[np.floating] = np.float64,
) -> RankingData:
    """Read a CSV table of either kind; see `read_ranking_table` and `read_bipartite_table`."""
    label = name or file_label(source)
    table = csv_text(read_content(source, label), label)
    if _kind(table) == "bipartite":
        return _bipartite(table, positive, dtype)
    if positive is not None:
        msg = "a positive class can be chosen only where the last column is a class; here relevance is given"
        raise DataError(msg, file=label)
    return _ranking(table, group, dtype)


def read_ranking_table(
    source: Path | bytes,
    *,
    name: str | None = None,
    group: bool = False,
    dtype: type[np.floating] = np.float64,
) -> RankingData:
    """Read a CSV file with a header that names a relevance and a query column.

    A document id column is optional; all other columns are features by their names. Fields are separated
    by comma, semicolon or tab, and may be quoted.

    Raises
    ------
    DataError
        With line and column name, at the first thing that is wrong.
    UngroupedQueriesError
        If the documents of a query are apart and ``group`` is False.
    """
    label = name or file_label(source)
    return _ranking(csv_text(read_content(source, label), label), group, dtype)


def _ranking(table: CsvText, group: bool, dtype: type[np.floating]) -> RankingData:
    label = table.name
    line, names, rows = table.header_and_rows()
    _check_header(names, label, line)
    relevance = _needed(names, "relevance", RELEVANCE_NAMES, label, line)
    query = _needed(names, "query", QUERY_NAMES, label, line)
    document = _position(names, DOCUMENT_NAMES)
    text_columns = [relevance, query] if document is None else [relevance, query, document]
    _need_features(len(names) - len(text_columns), label)
    block = read_block(rows, names, text_columns, label)
    queries = block.texts[names[query]]
    starts = [row for row in range(len(queries)) if row == 0 or queries[row] != queries[row - 1]]
    return assemble(
        block.features.astype(dtype, copy=False),
        relevance_of(block, names[relevance], label),
        [queries[row] for row in starts],
        np.array(starts, dtype=np.int64),
        document_ids=None if document is None else block.texts[names[document]],
        feature_names=[name for j, name in enumerate(names) if j not in text_columns],
        group=group,
        file=label,
        line_of_document=block.lines.__getitem__,
    )


def read_bipartite_table(
    source: Path | bytes,
    *,
    name: str | None = None,
    positive: str | None = None,
    dtype: type[np.floating] = np.float64,
) -> RankingData:
    """Read a CSV file whose last column is a class, with or without a header, as one query.

    Parameters
    ----------
    source : Path or bytes
    name : str, optional
        What messages call the file.
    positive : str, optional
        The class with relevance 1; all others get 0. By default that of `ClassColumn.usual`.
    dtype : type
        float64 or float32.

    Returns
    -------
    RankingData
        Its only query's id says which class is positive, e.g. ``"b-against-g"``; documents are known by their lines.

    Raises
    ------
    DataError
        With line and column name, at the first thing that is wrong; or if there are not two classes.
    """
    label = name or file_label(source)
    return _bipartite(csv_text(read_content(source, label), label), positive, dtype)


def _bipartite(table: CsvText, positive: str | None, dtype: type[np.floating]) -> RankingData:
    names, rows = _class_table(table)
    block = read_block(rows, names, [len(names) - 1], table.name)
    classes = ClassColumn(block.texts[names[-1]], names[-1], table.name)
    chosen = classes.positive(positive)
    return RankingData.build(
        block.features,
        classes.relevance(chosen),
        [0, len(block.lines)],
        query_ids=[classes.query_id(chosen)],
        feature_names=names[:-1],
        document_ids=[f"line {line}" for line in block.lines],
        dtype=dtype,
    )


def _class_table(table: CsvText) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Names of the columns, supplied where there is no header, and the rows."""
    line, names, rows = table.header_and_rows()
    if _is_header(names):
        _check_header(names, table.name, line)
        return names, rows
    return [f"feature {j}" for j in range(1, len(names))] + ["class"], table.rows()


def read_class_column(source: Path | bytes, *, name: str | None = None) -> ClassColumn | None:
    """The classes in the last column of a CSV file; None where it has a query column, and so no classes.

    The features are not looked at, and a row without a class is left out: reading the table says what is wrong.

    Raises
    ------
    DataError
        If it is no CSV file.
    """
    label = name or file_label(source)
    table = csv_text(read_content(source, label), label)
    if _kind(table) == "ranking":
        return None
    names, rows = _class_table(table)
    cells = (row[-1].strip() for _, row in rows if len(row) == len(names))
    return ClassColumn([cell for cell in cells if cell], names[-1], label)


def _position(header: Sequence[str], spellings: Sequence[str]) -> int | None:
    lower = [name.lower() for name in header]
    return next((lower.index(spelling) for spelling in spellings if spelling in lower), None)


def _needed(header: Sequence[str], what: str, spellings: Sequence[str], file: str, line: int) -> int:
    position = _position(header, spellings)
    if position is None:
        msg = f"there is no {what} column; name one of the columns {' or '.join(map(repr, spellings))}"
        raise DataError(msg, file=file, line=line)
    return position


def _check_header(names: Sequence[str], file: str, line: int) -> None:
    for j, name in enumerate(names):
        if not name:
            msg = f"column {j + 1} has no name; name it, or remove it if it only numbers the rows"
            raise DataError(msg, file=file, line=line)
        if name in names[:j]:
            msg = f"two columns are named {name!r}; every column needs a name of its own"
            raise DataError(msg, file=file, line=line, column=name)


def _need_features(n_features: int, file: str) -> None:
    if n_features == 0:
        msg = "there is no feature column beside relevance and query"
        raise DataError(msg, file=file)


def _is_header(first: Sequence[str]) -> bool:
    """A first row is a header if it names the class column, or if most of its feature cells are words."""
    words = sum(not is_number(cell) and any(map(str.isalpha, cell)) for cell in first[:-1])
    return first[-1].lower() in CLASS_NAMES or 2 * words > len(first) - 1
