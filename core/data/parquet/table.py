"""A Parquet table as it is opened: its files, and its columns by their roles; nothing of the rows is read yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.data.errors import DataError, NoNumbersError, refuse
from core.data.files.file_content import AnyPath
from core.data.files.packed import Limits, check_columns
from core.data.parquet.parts import ParquetDescription, files_of
from core.data.tables.column_roles import QUERY_NAMES, check_all_differ, option_of, roles_of
from core.data.tables.table_cells import Head
from core.data.tables.table_options import USUAL, Kind, TableOptions, refuse_unfit

_PANDAS_INDEX = re.compile(r"__index_level_[0-9]+__")
_ROWS = 2000
_CELLS = 1_000_000
_LONGEST = 200  # characters of a text by which the roles of columns are told


@dataclass(frozen=True)
class ParquetColumns:
    """The columns by their roles.

    ``others`` are left out; ``notes`` are on columns whose role their cells tell.
    """

    relevance: str
    query: str
    document: str | None
    features: tuple[str, ...]
    others: frozenset[str]
    notes: tuple[str, ...]

    @property
    def texts(self) -> list[str]:
        """The columns that are no features."""
        return [name for name in (self.relevance, self.query, self.document) if name is not None]


def columns_of(file: pq.ParquetFile, described: ParquetDescription, options: TableOptions, name: str) -> ParquetColumns:
    """Find the roles of the columns, by the options, by the file's own description, or by usual names.

    Raises a `DataError` if there is no column of query or relevance, no feature, two columns of one name, one that
    cannot be a feature, or one missing that an option names; an `UndecidedRolesError` if a person has to say which
    column is the query and which the relevance.
    """
    refuse_unfit(options, Kind.PARQUET, name)
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
    return ParquetColumns(relevance, query, document, features, out, roles.notes)


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


@dataclass(frozen=True, eq=False)
class ParquetPart:
    """One file of a table, opened, with its name in messages; ``first_row`` is the number of rows before it."""

    file: pq.ParquetFile
    name: str
    first_row: int


@dataclass(frozen=True, eq=False)
class ParquetTable:
    """The files of a table, opened, with their columns; nothing of the rows is read yet.

    ``source`` and ``options`` are those that it was opened with.
    """

    source: AnyPath | bytes
    options: TableOptions
    parts: tuple[ParquetPart, ...]
    columns: ParquetColumns
    described: ParquetDescription
    name: str
    n_rows: int
    dtype: type[np.floating]

    @classmethod
    def of(
        cls,
        source: AnyPath | bytes,
        name: str,
        options: TableOptions = USUAL,
        features: Sequence[str] | None = None,
    ) -> ParquetTable:
        """Open a file, its content, or a folder of part files, which has a name in messages.

        The options name columns where the usual ones do not do. ``features``, if given, are those that the table must
        have, in the order to read them in. Raises a `DataError` if a file is damaged, a part is missing or has other
        columns, a column cannot have its role, or the limits do not allow so much.
        """
        contents = _contents(source, name)
        limits = Limits.of(contents[0][0])
        parts: list[ParquetPart] = []
        described, columns, n_rows, size = ParquetDescription(), None, 0, 0
        for content, shown in contents:
            file = _opened(content, shown)
            if columns is None:
                described = ParquetDescription.of(file.metadata.metadata)
                columns = columns_of(file, described, options, shown)
                if features is not None:
                    _refuse_difference(set(features), set(columns.features), "the training part", shown)
                    columns = replace(columns, features=tuple(features))
            else:
                _refuse_other_columns(file, columns, parts[0], shown)
            with reading(shown):
                coded = [text for text in columns.texts if text != columns.relevance]
                file = _opened(content, shown, coded, file.metadata)
                size += _size(file, columns)
            parts.append(ParquetPart(file, shown, n_rows))
            n_rows += file.metadata.num_rows
            limits.check_text(size, None, name)
            limits.check_rows(n_rows, name)
            limits.check_numbers(n_rows * len(columns.features), name)
        if columns is None or n_rows == 0:
            refuse("there is no row in it", file=name)
        schemas = [part.file.schema_arrow for part in parts]  # made at every call
        kinds = {schema.field(column).type for schema in schemas for column in columns.features}
        dtype = np.float32 if kinds <= {pa.float32(), pa.float16()} else np.float64
        return cls(source, options, tuple(parts), columns, described, name, n_rows, dtype)

    def place(self, row: int) -> tuple[str, int]:
        """Return the file of a row, counted from 0 over all parts, and the row's number in it from 1."""
        part = next(part for part in reversed(self.parts) if part.first_row <= row)
        return part.name, row - part.first_row + 1

    def at(self, row: int, column: str) -> dict[str, Any]:
        """Return the place of a value for a `DataError`; rows count from 0 over all parts."""
        file, number = self.place(row)
        return {"file": file, "row": number, "column": column}


def described_by(source: AnyPath | bytes, name: str) -> ParquetDescription:
    """Return what a table says about itself, without reading its rows.

    Raises a `DataError` if it is damaged.
    """
    file, _ = _first_part(source, name)
    return ParquetDescription.of(file.metadata.metadata)


def first_rows(source: AnyPath | bytes, name: str) -> Head:
    """Return header and first rows of a table as a text has them, for questions about its columns.

    Raises a `DataError` if it is damaged.
    """
    file, shown = _first_part(source, name)
    with reading(shown):
        return first_cells(file, shown)


def _first_part(source: AnyPath | bytes, name: str) -> tuple[pq.ParquetFile, str]:
    content, shown = _contents(source, name)[0]
    return _opened(content, shown), shown


def _contents(source: AnyPath | bytes, name: str) -> list[tuple[Path | bytes, str]]:
    """Return the files of a table, those of an archive as their content, with their names in messages."""
    if isinstance(source, bytes):
        return [(source, name)]
    if isinstance(source, Path):
        return [*files_of(source, name)]
    return [(path.read_bytes(), shown) for path, shown in files_of(source, name)]


def _opened(
    source: Path | bytes, name: str, coded: Sequence[str] = (), metadata: pq.FileMetaData | None = None
) -> pq.ParquetFile:
    with reading(name):
        place = pa.BufferReader(source) if isinstance(source, bytes) else str(source)
        return pq.ParquetFile(place, metadata=metadata, read_dictionary=list(coded), pre_buffer=False)


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Say in one sentence that a file cannot be read.

    Raises a `DataError` with the way out.
    """
    try:
        yield
    except DataError:
        raise
    except OSError as error:
        reason = error.strerror or "the Parquet file is damaged or cut off; fetch it again"
        raise DataError(reason, file=name) from None
    except (pa.ArrowException, ValueError, KeyError, OverflowError):
        refuse("the Parquet file is damaged, cut off or encrypted; fetch or write it again", file=name)


def _size(file: pq.ParquetFile, columns: ParquetColumns) -> int:
    """Compute the bytes of the columns that are read, unpacked but not decoded."""
    read = {*columns.texts, *columns.features}
    total = 0
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        chunks = (group.column(j) for j in range(group.num_columns))
        total += sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in read)
    return total


def _refuse_other_columns(file: pq.ParquetFile, columns: ParquetColumns, first: ParquetPart, name: str) -> None:
    schema, known = file.schema_arrow, first.file.schema_arrow
    wanted = {*columns.texts, *columns.features}
    _refuse_difference(wanted, set(schema.names) - columns.others, first.name, name)
    for column, role in ((columns.query, "query"), (columns.relevance, "relevance")):
        refuse_type(schema.field(column), role, name)
    for column in columns.features:
        refuse_type(schema.field(column), "feature", name)
    kinds = [plain_type(one.field(columns.query).type) for one in (known, schema)]
    if pa.types.is_integer(kinds[0]) != pa.types.is_integer(kinds[1]):
        msg = f"the queries are of type {kinds[1]} here and {kinds[0]} in {first.name}; write one type in all parts"
        raise DataError(msg, file=name, column=columns.query)


def _refuse_difference(wanted: set[str], found: set[str], other: str, name: str) -> None:
    for column in sorted(wanted - found):
        refuse(f"the column is missing here; {other} has it", file=name, column=column)
    for column in sorted(found - wanted):
        refuse(f"the column is here only; {other} has none of this name", file=name, column=column)
