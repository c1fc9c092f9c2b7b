"""The columns of a Parquet table: which one has the relevance, which one names the query, which ones are features."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.errors import DataError, UndecidedRolesError
from core.data.limits import Limits, check_columns
from core.data.parquet.description import ParquetDescription
from core.data.tables.query_layout import QUERY_NAMES, RELEVANCE_NAMES, query_layout
from core.data.tables.table_format import DOCUMENT_NAMES
from core.data.tables.table_header import column_position
from core.data.tables.table_options import TableOptions, resolve_column
from core.data.tables.table_text import CsvText

_PANDAS_INDEX = re.compile(r"__index_level_[0-9]+__")
_ROWS = 2000
_CELLS = 1_000_000
_LONGEST = 200  # characters of a text by which the roles of columns are told


@dataclass(frozen=True)
class ParquetColumns:
    """The columns by their roles.

    Attributes
    ----------
    relevance, query : str
    document : str or None
    features : tuple of str
    others : frozenset of str
        Columns that are left out.
    told : bool
        Whether a person has named the column of the relevance or of the query.
    may_lack : bool
        Whether features may be missing; `core.data.missing.gap` then stands for them.
    """

    relevance: str
    query: str
    document: str | None
    features: tuple[str, ...]
    others: frozenset[str] = frozenset()
    told: bool = False
    may_lack: bool = False

    @property
    def texts(self) -> list[str]:
        """The columns that are no features."""
        return [name for name in (self.relevance, self.query, self.document) if name is not None]


def columns_of(
    file: pq.ParquetFile, described: ParquetDescription, options: TableOptions, limits: Limits, name: str
) -> ParquetColumns:
    """Find the roles of the columns, by the options, by the file's own description, or by usual names.

    Raises
    ------
    DataError
        If there is no column of query or relevance, no feature, two columns of one name, one that cannot be a feature,
        or one missing that an option names.
    UndecidedRolesError
        If a person has to say which column is the query and which the relevance.
    """
    if options.positive is not None or options.class_column is not None:
        what = TableOptions(options.positive, options.class_column).about_columns
        msg = f"{what or 'a positive class'} can be chosen only for a CSV file with a class column"
        raise DataError(msg, file=name)
    schema = file.schema_arrow
    names: list[str] = list(schema.names)
    check_columns(len(names), name)
    _refuse_repeated(names, name)
    out = {names[resolve_column(column, names, name)] for column in options.named_columns}
    out |= {column for column in names if _PANDAS_INDEX.fullmatch(column)}
    query = _said(options.query_column, described.query, QUERY_NAMES, names, name)
    relevance = _said(options.relevance_column, described.relevance, RELEVANCE_NAMES, names, name)
    if query is None or relevance is None:
        query, relevance = _judged(file, options, names, limits, name)
    if query == relevance:
        msg = "the column cannot be both query and relevance"
        raise DataError(msg, file=name, column=query)
    for column, role in ((query, "query"), (relevance, "relevance")):
        if column in out:
            msg = f"the column has the {role} and cannot be left out"
            raise DataError(msg, file=name, column=column)
        refuse_type(schema.field(column), role, name)
    rest = [column for column in names if column not in out and column not in (query, relevance)]
    document = described.document if described.document in rest else _document(schema, rest)
    if options.document_column is not None:
        document = names[resolve_column(options.document_column, names, name)]
        if document not in rest:
            msg = "the column cannot name the document: it has another role or is left out"
            raise DataError(msg, file=name, column=document)
    features = tuple(column for column in rest if column != document)
    if not features:
        msg = "there is no feature column besides relevance and query"
        raise DataError(msg, file=name)
    for column in features:
        refuse_type(schema.field(column), "feature", name)
    told = options.query_column is not None or options.relevance_column is not None
    return ParquetColumns(relevance, query, document, features, frozenset(out), told, options.missing is not None)


def first_cells(file: pq.ParquetFile, limits: Limits, name: str) -> CsvText:
    """Return header and first rows as a CSV file has them, to tell the roles of columns; nested values are empty."""
    names = list(file.schema_arrow.names)
    n_rows = max(min(_ROWS, _CELLS // max(len(names), 1)), 20)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([column.replace("\n", " ")[:_LONGEST] for column in names])
    for batch in file.iter_batches(batch_size=n_rows):
        flat = [
            [""] * batch.num_rows if pa.types.is_nested(column.type) else [_cell(value) for value in column.to_pylist()]
            for column in batch.columns
        ]
        writer.writerows(zip(*flat, strict=True))
        break
    return CsvText(text.getvalue().encode("utf-8", "replace"), ",", name, limits)


def refuse_type(column: pa.Field, role: str, name: str) -> None:
    """Refuse a column whose type cannot have the role, ``"query"``, ``"relevance"`` or ``"feature"``.

    Raises
    ------
    DataError
        With the column.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    text = is_text(kind)
    if pa.types.is_nested(kind):
        reason = f"the column has lists or records ({kind}); it must have one value a row"
    elif pa.types.is_null(kind):
        reason = "the column has no value at all; leave it out"
    elif role == "query":
        whole = text or pa.types.is_integer(kind)
        reason = "" if whole else f"the column names queries and must have texts or whole numbers, not {kind}"
    elif role == "relevance":
        grades = text or number or pa.types.is_boolean(kind)
        reason = "" if grades else f"the column has the relevance and must have whole numbers, not {kind}"
    elif text:
        reason = "the column has text, and a feature must be a number; leave it out, or write a number for each text"
    else:
        features = number or pa.types.is_boolean(kind)
        reason = (
            "" if features else f"the column has values of type {kind}, and a feature must be a number; leave it out"
        )
    if reason:
        raise DataError(reason, file=name, column=column.name)


def is_text(kind: pa.DataType) -> bool:
    """Whether a type is one of texts, also as bytes."""
    types = pa.types
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
    )


def _refuse_repeated(names: Sequence[str], file: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            msg = "two columns have this name; every column needs a name of its own"
            raise DataError(msg, file=file, column=name)
        seen.add(name)


def _said(
    option: str | None, described: str | None, spellings: Sequence[str], names: Sequence[str], file: str
) -> str | None:
    if option is not None:
        return names[resolve_column(option, names, file)]
    if described in names:
        return described
    position = column_position(names, spellings)
    return None if position is None else names[position]


def _judged(
    file: pq.ParquetFile, options: TableOptions, names: Sequence[str], limits: Limits, name: str
) -> tuple[str, str]:
    """Judge by the first rows which columns have queries and relevance, as in a CSV file."""
    try:
        layout = query_layout(first_cells(file, limits, name), options)
        query, relevance = (None, None) if layout is None else replace(layout, class_column=None).decided(name)
    except UndecidedRolesError:
        raise
    except DataError as error:
        raise DataError(error.reason, file=name) from None  # its line is one of a CSV file
    if query is None or relevance is None:
        msg = f"there is no query column; name one of the columns {' or '.join(map(repr, QUERY_NAMES))}"
        raise DataError(msg, file=name)
    return names[query], names[relevance]


def _document(schema: pa.Schema, names: Sequence[str]) -> str | None:
    """Return the column that names documents; one called ``id`` does if it has texts."""
    position = column_position(names, DOCUMENT_NAMES)
    if position is not None:
        return names[position]
    position = column_position(names, ("id",))
    kind = None if position is None else schema.field(names[position]).type
    if kind is None or position is None:
        return None
    return names[position] if is_text(kind.value_type if pa.types.is_dictionary(kind) else kind) else None


def _cell(value: object) -> str:
    return "" if value is None else str(value)[:_LONGEST]
