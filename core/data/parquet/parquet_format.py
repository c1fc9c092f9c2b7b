"""Reader of Parquet tables: one column of relevance, one of query, features by name; one file or many parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.data.errors import DataError, MissingValuesError, NoNumbersError, refuse
from core.data.files.cache import Kept
from core.data.files.file_content import AnyPath
from core.data.letor.letor_format import assemble, refuse_apart
from core.data.letor.letor_lines import relevance_problem
from core.data.missing import WAYS, gap
from core.data.parquet.table import ParquetTable, reading
from core.data.ranking_data import IntArray, RankingData
from core.data.tables.table_cells import UNJUDGED, whole_grade
from core.data.tables.table_format import role_note
from core.data.tables.table_options import USUAL, TableOptions
from core.kernels import kernel
from core.names.counted import counted
from core.threads import over_chunks, thread_count

LARGEST_GROUP = 1 << 23
"""Values of a row group that is decoded as a whole; a larger one is in parts of that size."""
_FEW_VALUES = 1 << 19
"""Feature values that one thread writes: 4 MB in double precision."""
_COLUMNS = 16
"""Columns that `_write_columns` takes: one or two cache lines of a row."""


def read_parquet(
    source: AnyPath | bytes,
    *,
    name: str,
    options: TableOptions = USUAL,
    group: bool = False,
    features: Sequence[str] | None = None,
) -> Kept:
    """Read a Parquet file, its content, or a folder of part files.

    Features are float64; they are float32 where every feature column of the file is of single precision. With
    ``group``, documents of a query are put together if the file has them apart; else that is an
    `UngroupedQueriesError`. Other parameters are those of `ParquetTable.of`. Raises a `DataError` at the first error,
    with file, row and column; there is no partial result.
    """
    table = ParquetTable.of(source, name, options, features)
    columns = table.columns
    values = np.empty((table.n_rows, len(columns.features)), dtype=table.dtype)
    labels = Labels(table)
    for row, read in row_batches(table, [*columns.texts, *columns.features]):
        labels.add(read, row)
        _read_features(read, table, values[row : row + read.num_rows], row)
    if not group:
        labels.refuse_apart()
    relevance, documents, run_ids, run_starts = labels.relevance, labels.documents, labels.ids, labels.starts
    judged = relevance >= 0
    unjudged = len(judged) - int(judged.sum())
    if unjudged:
        if unjudged == len(judged):
            refuse("no row has a relevance; choose another column", file=name, column=columns.relevance)
        of = np.repeat(np.arange(len(run_ids)), np.diff([*run_starts, table.n_rows]))[judged]
        values, relevance = values[judged], relevance[judged]
        documents = None if documents is None else list(compress(documents, judged))
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        run_ids, run_starts = [run_ids[run] for run in of[starts].tolist()], starts.tolist()
    data = assemble(
        values,
        relevance,
        run_ids,
        np.array(run_starts, dtype=np.int64),
        document_ids=documents,
        feature_names=columns.features,
        group=group,
        file=name,
        line_of_document=lambda row: row + 1,
    )
    told = role_note(options, f"column {columns.query!r}", f"column {columns.relevance!r}", data)
    gone = (f"The reader leaves out {counted(unjudged, 'row')} without relevance.",) if unjudged else ()
    return Kept(data, (*told, *columns.notes, *gone), table.described.query_texts, table.described)


def first_documents(source: AnyPath | bytes, name: str) -> RankingData:
    """Read the first documents of a table as one list: enough to recognise a published set.

    Raises a `DataError` if the table cannot be used.
    """
    table = ParquetTable.of(source, name)
    part = next(part for part in table.parts if part.file.metadata.num_rows)
    with reading(part.name):
        columns = [*table.columns.texts, *table.columns.features]
        batch = next(part.file.iter_batches(batch_size=100, columns=columns))
    read, labels = pa.Table.from_batches([batch]), Labels(table)
    labels.add(read, 0)  # the parts before it have no row
    return RankingData.build(
        feature_rows(read, table, 0),
        labels.relevance[: len(read)],
        [0, len(read)],
        feature_names=table.columns.features,
        document_ids=labels.documents,
        dtype=table.dtype,
    )


def row_batches(table: ParquetTable, columns: list[str], start: int = 0) -> Iterator[tuple[int, pa.Table]]:
    """Yield some columns of all rows in order, a row group or a part of a large one at a time.

    Before them comes the number of their first row. Row groups that end before the row ``start`` are not read.
    """
    most, threads = max(LARGEST_GROUP // len(columns), 1), thread_count() > 1
    pa.set_cpu_count(thread_count())
    for part in table.parts:
        row = part.first_row
        with reading(part.name):
            for number in range(part.file.metadata.num_row_groups):
                size = part.file.metadata.row_group(number).num_rows
                if row + size <= start:
                    row += size
                    continue
                if size <= most:
                    tables = iter([part.file.read_row_group(number, columns=columns, use_threads=threads)])
                else:  # of one group only: asked for several at once, they would be decoded together
                    batches = part.file.iter_batches(most, row_groups=[number], columns=columns, use_threads=threads)
                    tables = (pa.Table.from_batches([batch]) for batch in batches)
                for read in tables:
                    yield row, read
                    row += read.num_rows


class Labels:
    """Relevance, runs of equal query ids and documents of all rows; a run that is cut by the end of a block is one."""

    def __init__(self, table: ParquetTable) -> None:
        self.table = table
        self.relevance: NDArray[np.int32] = np.empty(table.n_rows, dtype=np.int32)
        self.ids: list[str] = []
        self.starts: list[int] = []
        self.documents: list[str] | None = None if table.columns.document is None else []

    def add(self, rows: pa.Table, first: int) -> None:
        """Add the next rows, of which the number ``first`` is the first.

        Raises a `DataError` at the first error, with file, row and column.
        """
        columns, file = self.table.columns, self.table.place(first)[0]
        asked = rows.column(columns.query)
        if asked.null_count:
            row = first + int(np.flatnonzero(asked.is_null().to_numpy())[0])
            refuse("the value is missing; fill it in, or leave the row out", **self.table.at(row, columns.query))
        codes, queries = _coded(asked, file, columns.query)
        starts = np.flatnonzero(np.diff(codes, prepend=-1))
        self.relevance[first : first + len(codes)] = _grades(rows.column(columns.relevance), first, self.table)
        ids = [queries[code] for code in codes[starts].tolist()]
        goes_on = ids[:1] == self.ids[-1:]
        self.ids += ids[goes_on:]
        self.starts += (starts[goes_on:] + first).tolist()
        if self.documents is not None and columns.document is not None:
            self.documents += _texts(rows.column(columns.document), file, columns.document)

    def refuse_apart(self) -> None:
        """Refuse a query whose documents are apart, with the places; see `refuse_apart` of `letor_format`."""
        refuse_apart(self.ids, self.starts, self.table.place, "row", self.table.columns.query)


def feature_rows(read: pa.Table, table: ParquetTable, row: int) -> NDArray[np.floating]:
    """Return all features of rows that were read, shape (n_rows, n_features); ``row`` is the first one's number.

    Raises a `DataError` at the first value that is missing or not finite, with file, row and column.
    """
    rows = np.empty((read.num_rows, len(table.columns.features)), dtype=table.dtype)
    _read_features(read, table, rows, row)
    return rows


def _read_features(read: pa.Table, table: ParquetTable, rows: NDArray[np.floating], row: int) -> None:
    """Read all features into ``rows``, C-contiguous, as `feature_rows`; each thread takes some columns."""
    features, lack = table.columns.features, table.options.missing is not None

    def some(first: int, end: int) -> None:
        names = features[first:end]
        columns = [_numbers(read.column(name), rows.dtype.type, may_lack=lack) for name in names]
        columns += columns[-1:] * (_COLUMNS - len(columns))
        if not _write_columns(tuple(columns), rows, first, end - 1):
            for name, column in zip(names, columns, strict=False):
                _refuse_infinite(column, read.column(name), name, row, table)

    starts = range(0, len(features), _COLUMNS)
    over_chunks(some, [(j, min(j + _COLUMNS, len(features))) for j in starts], small=rows.size <= _FEW_VALUES)


@kernel
def _write_columns(columns, rows, first, last):  # type: ignore[no-untyped-def]
    """Write columns into ``rows[:, first : last + 1]``; return whether all their values are finite.

    ``columns`` is a tuple of `_COLUMNS` arrays; those beyond ``last`` must be the last one again. They are taken in
    pairs: all at once, LLVM gathers the values of a row into one vector first, which takes up to three times as long.
    """
    zero = rows.dtype.type(0)
    even = odd = zero
    for i in range(rows.shape[0]):
        for k in range(0, len(columns), 2):
            a, b = columns[k][i], columns[k + 1][i]
            rows[i, min(first + k, last)] = a
            rows[i, min(first + k + 1, last)] = b
            even += a * zero  # not a number where a is none or infinite
            odd += b * zero
    return np.isfinite(even + odd)


def _refuse_infinite(
    values: NDArray[np.floating], column: pa.ChunkedArray, name: str, first: int, table: ParquetTable
) -> None:
    wrong = ~np.isfinite(values)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        place = table.at(first + row, name)
        if np.isnan(values[row]):
            said = "nan, so missing" if column[row].is_valid else "missing"
            msg = f"the value is {said}; leave such rows out, or fill in 0 or the column's median"
            raise MissingValuesError(msg, ways=WAYS, **place)
        msg = f"the value is {values[row]}, which is no finite number; leave the column out or change the value"
        raise NoNumbersError(msg, columns=(name,), **place)


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
            refuse("the column has bytes that are no text in UTF-8", file=file, column=name)
    return "" if value is None else str(value)


def _grades(column: pa.ChunkedArray, first: int, table: ParquetTable) -> NDArray[np.int32]:
    """Return the relevance of every row; -1 for a document without a judgment, if such rows are to be left out."""
    texts_of = column.cast(pa.int8()) if pa.types.is_boolean(column.type) else column
    name = table.columns.relevance
    codes, texts = _coded(texts_of, table.place(first)[0], name)
    levels = [-1 if text in UNJUDGED else whole_grade(text) for text in texts]
    wrong = np.isin(codes, [code for code, level in enumerate(levels) if level is None])
    missing = column.is_null().to_numpy()
    if (wrong & ~missing).any():
        row = int(np.flatnonzero(wrong & ~missing)[0])
        raise DataError(relevance_problem(texts[codes[row]]), **table.at(first + row, name))
    grades: NDArray[np.int32] = np.array([level or 0 for level in levels] or [0], dtype=np.int32)[codes]
    grades[missing] = -1
    if table.options.missing != "drop" and (grades < 0).any():
        row = int(np.flatnonzero(grades < 0)[0])
        said = "the value is missing" if missing[row] else relevance_problem(texts[codes[row]])
        msg = f"{said}; rows without a judgment can be left out"
        raise MissingValuesError(msg, ways=("drop",), **table.at(first + row, name))
    return grades


def _numbers(column: pa.ChunkedArray, dtype: type[np.floating], *, may_lack: bool = False) -> NDArray[np.floating]:
    kind = pa.float32() if dtype is np.float32 else pa.float64()
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type != kind:
        column = pc.cast(column, kind, safe=False)
    if may_lack:
        column = pc.fill_null(pc.if_else(pc.is_nan(column), None, column), pa.scalar(gap(np.dtype(dtype)), kind))
    if column.num_chunks == 1 and not column.null_count:  # without a copy
        column = column.chunk(0)
    numbers: NDArray[np.floating] = column.to_numpy()
    numbers.setflags(write=False)  # as those without a copy are: one type for the kernel
    return numbers
