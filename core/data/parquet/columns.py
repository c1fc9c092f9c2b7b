"""The columns of a Parquet table: which one has the relevance, which one names the query, which ones are features."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.errors import DataError, NoNumbersError, refuse
from core.data.limits import check_columns
from core.data.parquet.parts import ParquetDescription
from core.data.tables.column_roles import QUERY_NAMES, check_all_differ, option_of, roles_of
from core.data.tables.table_cells import Head
from core.data.tables.table_options import TableOptions

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
    missing : {"drop", "median", "zero"}, optional
        How missing values are treated; `core.data.missing.gap` then stands for them, and -1 for a missing relevance.
    notes : tuple of str
        On columns whose role their cells tell.
    """

    relevance: str
    query: str
    document: str | None
    features: tuple[str, ...]
    others: frozenset[str] = frozenset()
    told: bool = False
    missing: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def texts(self) -> list[str]:
        """The columns that are no features."""
        return [name for name in (self.relevance, self.query, self.document) if name is not None]


def columns_of(file: pq.ParquetFile, described: ParquetDescription, options: TableOptions, name: str) -> ParquetColumns:
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
        refuse(f"{what or 'a positive class'} can be chosen only for a CSV file with a class column", file=name)
    schema = file.schema_arrow
    names: list[str] = list(schema.names)
    check_columns(len(names), name)
    check_all_differ(names, name, None)
    index = tuple(column for column in names if _PANDAS_INDEX.fullmatch(column))
    head = first_cells(file, name)
    said = {"query": described.query, "relevance": described.relevance, "document": described.document}
    roles = roles_of(head, replace(options, drop_columns=(*options.named_columns, *index)), said)
    if roles is None:
        refuse(f"there is no query column; name one of the columns {' or '.join(map(repr, QUERY_NAMES))}", file=name)
    query, relevance = (names[position] for position in replace(roles, class_column=None).decided(name))
    for column, role in ((query, "query"), (relevance, "relevance")):
        refuse_type(schema.field(column), role, name)
    document = None if roles.document is None else names[roles.document]
    out = frozenset(names[position] for position in roles.left_out)
    features = tuple(column for column in names if column not in out and column not in (query, relevance, document))
    if not features:
        refuse("there is no feature column besides relevance and query", file=name)
    wrong = [column for column in features if type_problem(schema.field(column), "feature")]
    if wrong:
        columns = tuple(option_of(names, True, names.index(column)) for column in wrong)
        reason = type_problem(schema.field(wrong[0]), "feature")
        texts = [column for column in wrong if is_text(plain_type(schema.field(column).type))]
        may_name = option_of(names, True, names.index(texts[0])) if texts and document is None else None
        raise NoNumbersError(reason, columns=columns, document=may_name, file=name, column=wrong[0])
    told = options.query_column is not None or options.relevance_column is not None
    return ParquetColumns(relevance, query, document, features, out, told, options.missing, roles.notes)


def first_cells(file: pq.ParquetFile, name: str) -> Head:
    """Return header and first cells as a text has them, to tell the roles of columns; nested values are empty."""
    names = list(file.schema_arrow.names)
    n_rows = max(min(_ROWS, _CELLS // max(len(names), 1)), 20)
    kinds = [plain_type(column.type) for column in file.schema_arrow]

    def read() -> list[list[str]]:
        for batch in file.iter_batches(batch_size=n_rows):
            return [
                [""] * batch.num_rows if pa.types.is_nested(column.type) else list(map(_cell, column.to_pylist()))
                for column in batch.columns
            ]
        return [[] for _ in names]

    return Head(name, None, names, read, [j for j, kind in enumerate(kinds) if is_text(kind)])


def refuse_type(column: pa.Field, role: str, name: str) -> None:
    """Refuse a column whose type cannot have the role, ``"query"``, ``"relevance"`` or ``"feature"``.

    Raises a `DataError` with the column.
    """
    if reason := type_problem(column, role):
        raise DataError(reason, file=name, column=column.name)


def type_problem(column: pa.Field, role: str) -> str:
    """Say why a column's type cannot have a role; empty if it can."""
    kind = plain_type(column.type)
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
    return reason


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of the values of a column."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


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


def _cell(value: object) -> str:
    return "" if value is None else str(value)[:_LONGEST]
