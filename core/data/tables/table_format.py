"""Readers of CSV tables: ranking tables with relevance and query columns, and tables with a class for every row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np

from core.data.errors import DataError
from core.data.letor.query_groups import assemble
from core.data.missing import gap
from core.data.numbers import is_number
from core.data.ranking_data import RankingData
from core.data.tables.class_table import USUAL, ClassReading, ClassTable, read_bipartite_table, read_class_table
from core.data.tables.missing_values import filled_rows
from core.data.tables.query_layout import QUERY_NAMES, QueryLayout, query_layout
from core.data.tables.table_cells import read_block, relevance_of
from core.data.tables.table_header import column_position
from core.data.tables.table_options import TableOptions, resolve_column
from core.data.tables.table_text import CsvText, Row, of_width, read_csv

__all__ = ["read_bipartite_table", "read_class_columns", "read_ranking_table", "read_table", "table_kind"]

# Spellings of a column's name, in lower case, the first that a header has is taken.
DOCUMENT_NAMES = ("docid", "document_id", "doc_id", "document id", "document", "doc", "url")


def table_kind(source: Path | bytes, *, name: str | None = None) -> Literal["ranking", "bipartite"]:
    """Return the kind of a CSV file: "ranking" if it has, or may have, a query column, else "bipartite".

    Raises
    ------
    DataError
        If the file is no CSV file.
    """
    return "bipartite" if query_layout(read_csv(source, name), USUAL) is None else "ranking"


def read_table(
    source: Path | bytes,
    *,
    name: str | None = None,
    options: TableOptions = USUAL,
    group: bool = False,
    dtype: type[np.floating] = np.float64,
) -> ClassReading:
    """Read a CSV table of either kind, with notes; see `read_ranking_table` and `read_class_table`.

    Raises
    ------
    UndecidedRolesError
        If the table may have a query and a relevance column, and a person has to say which.
    """
    table = read_csv(source, name)
    layout = query_layout(table, options)
    if layout is None:
        return read_class_table(table, options, dtype)
    of_classes = TableOptions(options.positive, options.class_column)
    if of_classes != USUAL:
        what = of_classes.about_columns or "a positive class"
        msg = f"{what} can be chosen only if a column has classes; this file gives relevance"
        raise DataError(msg, file=table.name)
    data = _ranking(table, layout, group, dtype, options)
    said = options.query_column is not None or options.relevance_column is not None
    return ClassReading(data, (*([_role_note(layout, data)] if said else []), *table.notes))


def read_ranking_table(
    source: Path | bytes,
    *,
    name: str | None = None,
    group: bool = False,
    dtype: type[np.floating] = np.float64,
) -> RankingData:
    """Read a CSV file with a header that names a relevance and a query column.

    A document id column is optional (``id`` is one where its first value is no number); all other columns are features,
    called by their names. Fields are separated by comma, semicolon or tab, and may be quoted.

    Raises
    ------
    DataError
        At the first error, with line and column name.
    UngroupedQueriesError
        If the documents of a query are apart and ``group`` is False.
    """
    table = read_csv(source, name)
    layout = query_layout(table, USUAL)
    if layout is None:
        msg = f"there is no query column; name one of the columns {' or '.join(map(repr, QUERY_NAMES))}"
        raise DataError(msg, file=table.name, line=1)
    return _ranking(table, layout, group, dtype)


def _ranking(
    table: CsvText, layout: QueryLayout, group: bool, dtype: type[np.floating], options: TableOptions = USUAL
) -> RankingData:
    label = table.name
    every_row = table.header_and_rows()[2] if layout.headed else table.rows()
    roles = layout.decided(label)
    header = list(layout.names) if layout.headed else [f"column {name}" for name in layout.names]
    out = {resolve_column(name, layout.names, label) for name in options.named_columns}
    for position, what in zip(roles, ("query", "relevance"), strict=True):
        if position in out:
            msg = f"column {header[position]!r} has the {what} and cannot be left out"
            raise DataError(msg, file=label)
    names, rows = [name for j, name in enumerate(header) if j not in out], _without(out, len(header), every_row, label)
    query, relevance = (position - sum(j < position for j in out) for position in roles)
    document = column_position(names, DOCUMENT_NAMES)
    if options.document_column is not None:
        said = resolve_column(options.document_column, layout.names, label)
        if said in (*roles, *out):
            msg = f"column {header[said]!r} cannot name the document: it has another role or is left out"
            raise DataError(msg, file=label)
        document = said - sum(j < said for j in out)
    if document is None:
        document, rows = _id_column(names, rows)
    text_columns = [relevance, query] if document is None else [relevance, query, document]
    _need_features(len(names) - len(text_columns), label)
    if options.missing is not None:
        rows = filled_rows(rows, {j: gap(np.dtype(dtype)) for j in range(len(names)) if j not in text_columns})
    block = read_block(rows, names, text_columns, table, may_name_documents=document is None)
    queries = block.texts[names[query]]
    starts = [row for row in range(len(queries)) if row == 0 or queries[row] != queries[row - 1]]
    with np.errstate(over="ignore"):  # what is too large is refused with its place
        features = block.features.astype(dtype, copy=False)
    return assemble(
        features,
        relevance_of(block, names[relevance], label),
        [queries[row] for row in starts],
        np.array(starts, dtype=np.int64),
        document_ids=None if document is None else block.texts[names[document]],
        feature_names=[name for j, name in enumerate(names) if j not in text_columns],
        group=group,
        file=label,
        line_of_document=block.lines.__getitem__,
    )


def read_class_columns(
    source: Path | bytes, *, name: str | None = None, options: TableOptions = USUAL
) -> ClassTable | None:
    """Infer the roles of a CSV file's columns without reading its data; None if it has a query column, so no classes.

    Raises
    ------
    DataError
        If it is no CSV file, or has no column that an option names.
    """
    table = read_csv(source, name)
    return ClassTable.of(table, options) if query_layout(table, options) is None else None


def _role_note(layout: QueryLayout, data: RankingData) -> str:
    """Say which columns are query and relevance."""
    query, relevance = layout.decided("")
    levels = ", ".join(map(str, np.unique(data.relevance).tolist()))
    told = f"{layout.told(query)} names the query ({data.n_queries:,}), {layout.told(relevance)} has the relevance"
    return f"{told[:1].upper()}{told[1:]} ({levels})."


def _without(out: set[int], width: int, rows: Iterator[Row], file: str) -> Iterator[Row]:
    """The rows without some of their columns."""
    for line, cells in of_width(rows, width, file):
        yield line, [cell for j, cell in enumerate(cells) if j not in out] if out else cells


def _id_column(names: Sequence[str], rows: Iterator[Row]) -> tuple[int | None, Iterator[Row]]:
    """Return the position of a column ``id`` whose first value is no number, and all rows; numbers stay a feature."""
    position = column_position(names, ("id",))
    first = next(rows, None)
    if first is None:
        return None, rows
    cells = first[1]
    named = position is not None and position < len(cells) and not is_number(cells[position])
    return position if named else None, chain([first], rows)


def _need_features(n_features: int, file: str) -> None:
    if n_features == 0:
        msg = "there is no feature column besides relevance and query"
        raise DataError(msg, file=file)
