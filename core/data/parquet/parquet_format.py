"""Reader of Parquet tables: one column of relevance, one of query, features by name; one file or many parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.data.errors import DataError, UngroupedQueriesError
from core.data.letor.query_groups import assemble
from core.data.letor.value_problems import relevance_problem
from core.data.limits import Limits
from core.data.parquet.columns import ParquetColumns, columns_of, first_cells, refuse_type
from core.data.parquet.description import ParquetDescription
from core.data.parquet.parts import files_of
from core.data.ranking_data import IntArray, RankingData
from core.data.tables.class_table import USUAL
from core.data.tables.table_cells import whole_grade
from core.data.tables.table_options import TableOptions
from core.data.tables.table_text import CsvText
from core.data.zipped import AnyPath

_ROWS_AT_ONCE = 4096
"""Rows that are turned from columns into rows together: they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class ParquetReading:
    """The data of a Parquet table, notes on how it was read, and what the file says about itself."""

    data: RankingData
    notes: tuple[str, ...]
    described: ParquetDescription


@dataclass(frozen=True, eq=False)
class ParquetPart:
    """One file of a table, opened.

    Attributes
    ----------
    file : pyarrow.parquet.ParquetFile
    name : str
        In messages.
    columns : ParquetColumns
        The same in all parts.
    first_row : int
        Rows in the parts before it.
    """

    file: pq.ParquetFile
    name: str
    columns: ParquetColumns
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
        """Open a file, its content, or a folder of part files.

        Parameters
        ----------
        source : Path, ZippedPath or bytes
        name : str
            Its name in messages.
        options : TableOptions
            Columns of the query and the relevance, and columns to leave out, where the usual ones do not do.
        features : sequence of str, optional
            The features that the table must have, in the order to read them in.

        Raises
        ------
        DataError
            If a file is damaged, a part is missing or has other columns, a column cannot have its role, or the limits
            do not allow so much.
        """
        contents = _contents(source, name)
        limits = Limits.of(contents[0][0])
        parts: list[ParquetPart] = []
        described, columns, n_rows, size = ParquetDescription(), None, 0, 0
        for content, shown in contents:
            file = _opened(content, shown)
            if columns is None:
                described = ParquetDescription.of(file.metadata.metadata)
                columns = columns_of(file, described, options, limits, shown)
                if features is not None:
                    columns = _with_features(columns, features, shown)
            else:
                _refuse_other_columns(file, parts[0], shown)
            with reading(shown):
                file = _opened(content, shown, [text for text in columns.texts if text != columns.relevance])
                size += _size(file, columns)
            parts.append(ParquetPart(file, shown, columns, n_rows))
            n_rows += file.metadata.num_rows
            limits.check_text(size, None, name)
            limits.check_rows(n_rows, name)
            limits.check_numbers(n_rows * len(columns.features), name)
        if columns is None or n_rows == 0:
            msg = "there is no row in it"
            raise DataError(msg, file=name)
        kinds = {part.file.schema_arrow.field(column).type for part in parts for column in columns.features}
        dtype = np.float32 if kinds <= {pa.float32(), pa.float16()} else np.float64
        return cls(source, options, tuple(parts), columns, described, name, n_rows, dtype)

    def place(self, row: int) -> tuple[str, int]:
        """Return the file of a row, counted from 0 over all parts, and the row's number in it from 1."""
        part = next(part for part in reversed(self.parts) if part.first_row <= row)
        return part.name, row - part.first_row + 1


def read_parquet(
    source: AnyPath | bytes,
    *,
    name: str,
    options: TableOptions = USUAL,
    group: bool = False,
    features: Sequence[str] | None = None,
) -> ParquetReading:
    """Read a Parquet file, its content, or a folder of part files.

    Features are float64; they are float32 where every feature column of the file is of single precision.

    Parameters
    ----------
    source, name, options, features
        As for `ParquetTable.of`.
    group : bool
        Put the documents of a query together if the file has them apart.

    Raises
    ------
    DataError
        At the first error, with file, row and column. There is no partial result.
    UngroupedQueriesError
        If the documents of a query are apart and ``group`` is False.
    """
    table = ParquetTable.of(source, name, options, features)
    columns = table.columns
    values = np.empty((table.n_rows, len(columns.features)), dtype=table.dtype)
    relevance = np.empty(table.n_rows, dtype=np.int32)
    runs = Runs()
    documents: list[str] | None = None if columns.document is None else []
    row = 0
    for part in table.parts:
        for number in range(part.file.metadata.num_row_groups):
            with reading(part.name):
                read = part.file.read_row_group(number, columns=[*columns.texts, *columns.features])
            end, before = row + read.num_rows, row - part.first_row
            labels = label_rows(read, part, before)
            _into_rows(feature_columns(read, part, table.dtype, before), values[row:end])
            relevance[row:end] = labels.relevance
            runs.add(labels.run_ids, labels.run_starts + row)
            if documents is not None:
                documents += labels.document_ids or []
            row = end
    if not group:
        runs.refuse_apart(table)
    data = assemble(
        values,
        relevance,
        runs.ids,
        np.array(runs.starts, dtype=np.int64),
        document_ids=documents,
        feature_names=columns.features,
        group=group,
        file=name,
        line_of_document=lambda row: row + 1,
    )
    levels = ", ".join(map(str, np.unique(data.relevance).tolist()))
    told = (
        f"Column {columns.query!r} names the query ({data.n_queries:,}), column {columns.relevance!r} has the "
        f"relevance ({levels})."
    )
    return ParquetReading(data, (told,) if columns.told else (), table.described)


def described_by(source: AnyPath | bytes, name: str) -> ParquetDescription:
    """Return what a table says about itself, without reading its rows.

    Raises
    ------
    DataError
        If it is damaged.
    """
    file, _ = _first_part(source, name)
    return ParquetDescription.of(file.metadata.metadata)


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


def first_documents(source: AnyPath | bytes, name: str, most: int = 100) -> RankingData:
    """Read the first documents of a table as one list: enough to recognise a published set.

    Raises
    ------
    DataError
        If the table cannot be used.
    """
    table = ParquetTable.of(source, name)
    part = next(part for part in table.parts if part.file.metadata.num_rows)
    with reading(part.name):
        columns = [*part.columns.texts, *part.columns.features]
        batch = next(part.file.iter_batches(batch_size=most, columns=columns))
    read = pa.Table.from_batches([batch])
    labels = label_rows(read, part, 0)
    return RankingData.build(
        feature_columns(read, part, table.dtype, 0).T,
        labels.relevance,
        [0, len(labels.relevance)],
        feature_names=part.columns.features,
        document_ids=labels.document_ids,
        dtype=table.dtype,
    )


@dataclass
class Runs:
    """Runs of consecutive documents with the same query id; one that is cut by the end of a block is one run."""

    ids: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def add(self, ids: Sequence[str], starts: IntArray) -> None:
        """Add the runs of the next block."""
        goes_on = bool(self.ids) and bool(ids) and ids[0] == self.ids[-1]
        self.ids += ids[goes_on:]
        self.starts += starts[goes_on:].tolist()

    def refuse_apart(self, table: ParquetTable) -> None:
        """Refuse a query whose documents are apart.

        Raises
        ------
        UngroupedQueriesError
            With the places.
        """
        if len(set(self.ids)) == len(self.ids):
            return
        seen: dict[str, int] = {}
        for run, query in enumerate(self.ids):
            if query in seen:
                file, row = table.place(self.starts[run])
                before, ended = table.place(self.starts[seen[query] + 1] - 1)
                where = f"row {ended}" if before == file else f"row {ended} of {before}"
                reason = (
                    f"the documents of query {query} are not consecutive: the query ended in {where} and appears again "
                    "here; they can be brought together when reading"
                )
                raise UngroupedQueriesError(reason, file=file, row=row, column=table.columns.query)
            seen[query] = run


@dataclass(frozen=True, eq=False)
class LabelRows:
    """Relevance, queries and documents of some rows.

    Attributes
    ----------
    relevance : ndarray of int32, shape (n_rows,)
    run_ids : list of str, length n_runs
    run_starts : ndarray of int64, shape (n_runs,)
        First row of each run of equal query ids, within these rows.
    document_ids : list of str or None
    """

    relevance: NDArray[np.int32]
    run_ids: list[str]
    run_starts: IntArray
    document_ids: list[str] | None


def label_rows(table: pa.Table, part: ParquetPart, before: int) -> LabelRows:
    """Read the columns that are no features; ``before`` rows of the part come before these.

    Raises
    ------
    DataError
        At the first error, with file, row and column.
    """
    columns = part.columns
    for column in (columns.relevance, columns.query):
        _refuse_nulls(table.column(column), column, before, part.name)
    codes, queries = _coded(table.column(columns.query), part.name, columns.query)
    starts = np.flatnonzero(np.diff(codes, prepend=-1)).astype(np.int64)
    return LabelRows(
        _grades(table.column(columns.relevance), columns.relevance, before, part.name),
        [queries[code] for code in codes[starts].tolist()],
        starts,
        None if columns.document is None else _texts(table.column(columns.document), part.name, columns.document),
    )


def feature_columns(table: pa.Table, part: ParquetPart, dtype: type[np.floating], before: int) -> NDArray[np.floating]:
    """Read the features by column, shape (n_features, n_rows); ``before`` rows of the part come before these.

    Raises
    ------
    DataError
        At the first value that is missing or not finite, with file, row and column.
    """
    names = part.columns.features
    for column in names:
        _refuse_nulls(table.column(column), column, before, part.name)
    values = np.empty((len(names), table.num_rows), dtype=dtype)
    for j, column in enumerate(names):
        values[j] = _numbers(table.column(column), dtype)
        wrong = ~np.isfinite(values[j])
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            msg = f"the value is {values[j, row]}, which is no finite number"
            raise DataError(msg, file=part.name, row=before + row + 1, column=column)
    return values


def _into_rows(columns: NDArray[np.floating], rows: NDArray[np.floating]) -> None:
    """Copy columns into rows, few at a time so that they stay in the processor's cache."""
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        rows[first : first + _ROWS_AT_ONCE] = columns[:, first : first + _ROWS_AT_ONCE].T


def first_rows(source: AnyPath | bytes, name: str) -> CsvText:
    """Return header and first rows of a table as those of a CSV file, for questions about its columns.

    Raises
    ------
    DataError
        If it is damaged.
    """
    file, shown = _first_part(source, name)
    with reading(shown):
        return first_cells(file, Limits.of(source if isinstance(source, bytes) else Path()), shown)


def _opened(source: Path | bytes, name: str, coded: Sequence[str] = ()) -> pq.ParquetFile:
    with reading(name):
        place = pa.BufferReader(source) if isinstance(source, bytes) else str(source)
        return pq.ParquetFile(place, read_dictionary=list(coded))


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Say in one sentence that a file cannot be read.

    Raises
    ------
    DataError
        With the way out.
    """
    try:
        yield
    except DataError:
        raise
    except OSError as error:
        reason = error.strerror or "the Parquet file is damaged or cut off; fetch it again"
        raise DataError(reason, file=name) from None
    except (pa.ArrowException, ValueError, KeyError, OverflowError):
        msg = "the Parquet file is damaged, cut off or encrypted; fetch or write it again"
        raise DataError(msg, file=name) from None


def _size(file: pq.ParquetFile, columns: ParquetColumns) -> int:
    """Compute the bytes of the columns that are read, unpacked but not decoded."""
    read = {*columns.texts, *columns.features}
    total = 0
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        chunks = (group.column(j) for j in range(group.num_columns))
        total += sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in read)
    return total


def _with_features(columns: ParquetColumns, features: Sequence[str], name: str) -> ParquetColumns:
    _refuse_difference(set(features), set(columns.features), "the training part", name)
    return ParquetColumns(
        columns.relevance, columns.query, columns.document, tuple(features), columns.others, columns.told
    )


def _refuse_other_columns(file: pq.ParquetFile, first: ParquetPart, name: str) -> None:
    columns = first.columns
    schema, known = file.schema_arrow, first.file.schema_arrow
    wanted = {*columns.texts, *columns.features}
    _refuse_difference(wanted, set(schema.names) - columns.others, first.name, name)
    for column, role in ((columns.query, "query"), (columns.relevance, "relevance")):
        refuse_type(schema.field(column), role, name)
    for column in columns.features:
        refuse_type(schema.field(column), "feature", name)
    kinds = [_plain(one.field(columns.query).type) for one in (known, schema)]
    if pa.types.is_integer(kinds[0]) != pa.types.is_integer(kinds[1]):
        msg = f"the queries are of type {kinds[1]} here and {kinds[0]} in {first.name}; write one type in all parts"
        raise DataError(msg, file=name, column=columns.query)


def _refuse_difference(wanted: set[str], found: set[str], other: str, name: str) -> None:
    for column in sorted(wanted - found):
        msg = f"the column is missing here; {other} has it"
        raise DataError(msg, file=name, column=column)
    for column in sorted(found - wanted):
        msg = f"the column is here only; {other} has none of this name"
        raise DataError(msg, file=name, column=column)


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _refuse_nulls(column: pa.ChunkedArray, name: str, before: int, file: str) -> None:
    if column.null_count:
        row = before + int(np.flatnonzero(column.is_null().to_numpy())[0]) + 1
        msg = "the value is missing; fill it in, or leave the row or the column out"
        raise DataError(msg, file=file, row=row, column=name)


def _coded(column: pa.ChunkedArray, file: str, name: str) -> tuple[IntArray, list[str]]:
    """Return a number for each row, and the text of each number; equal texts have one number."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    chunk = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    texts = [_text(value, file, name) for value in chunk.dictionary.to_pylist()]
    numbers = {text: number for number, text in reversed(list(enumerate(texts)))}
    codes = chunk.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    same = np.array([numbers[text] for text in texts], dtype=np.int64)
    return (same[codes] if len(texts) else codes), texts


def _texts(column: pa.ChunkedArray, file: str, name: str) -> list[str]:
    """Return the text of every row; an empty one where it is missing."""
    missing = column.is_null().to_numpy() if column.null_count else None
    codes, texts = _coded(column, file, name)
    if missing is None:
        return [texts[code] for code in codes.tolist()]
    return ["" if gone else texts[code] for code, gone in zip(codes.tolist(), missing.tolist(), strict=True)]


def _text(value: object, file: str, name: str) -> str:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            msg = "the column has bytes that are no text in UTF-8"
            raise DataError(msg, file=file, column=name) from None
    return "" if value is None else str(value)


def _grades(column: pa.ChunkedArray, name: str, before: int, file: str) -> NDArray[np.int32]:
    codes, texts = _coded(_as_text_where_boolean(column), file, name)
    levels = [whole_grade(text) for text in texts]
    wrong = np.isin(codes, [code for code, level in enumerate(levels) if level is None])
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise DataError(relevance_problem(texts[codes[row]]), file=file, row=before + row + 1, column=name)
    grades: NDArray[np.int32] = np.array(levels, dtype=np.int32)[codes]
    return grades


def _as_text_where_boolean(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.int8()) if pa.types.is_boolean(column.type) else column


def _numbers(column: pa.ChunkedArray, dtype: type[np.floating]) -> NDArray[np.floating]:
    kind = pa.float32() if dtype is np.float32 else pa.float64()
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type != kind:
        column = pc.cast(column, kind, safe=False)
    numbers: NDArray[np.floating] = column.to_numpy()
    return numbers
