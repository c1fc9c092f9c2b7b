"""The values of some rows of a Parquet table, checked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.data.errors import DataError, MissingValuesError, NoNumbersError, refuse
from core.data.letor.value_problems import relevance_problem
from core.data.missing import WAYS, gap
from core.data.parquet._rows_kernel import COLUMNS, write_columns
from core.data.parquet.table import ParquetPart
from core.data.ranking_data import IntArray
from core.data.tables.table_cells import UNJUDGED, whole_grade


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

    Raises a `DataError` at the first error, with file, row and column.
    """
    columns = part.columns
    _refuse_nulls(table.column(columns.query), columns.query, before, part)
    codes, queries = _coded(table.column(columns.query), part.name, columns.query)
    starts = np.flatnonzero(np.diff(codes, prepend=-1)).astype(np.int64)
    return LabelRows(
        _grades(table.column(columns.relevance), columns.relevance, before, part),
        [queries[code] for code in codes[starts].tolist()],
        starts,
        None if columns.document is None else _texts(table.column(columns.document), part.name, columns.document),
    )


def feature_columns(table: pa.Table, part: ParquetPart, dtype: type[np.floating], before: int) -> NDArray[np.floating]:
    """Read the features by column, shape (n_features, n_rows); ``before`` rows of the part come before these.

    Raises a `DataError` at the first value that is missing or not finite, with file, row and column.
    """
    names = part.columns.features
    for column in names:
        _refuse_nulls(table.column(column), column, before, part, feature=True)
    values = np.empty((len(names), table.num_rows), dtype=dtype)
    for j, column in enumerate(names):
        values[j] = _numbers(table.column(column), dtype, may_lack=part.columns.missing is not None)
        _refuse_infinite(values[j], column, before, part)
    return values


def feature_rows(
    table: pa.Table, part: ParquetPart, rows: NDArray[np.floating], first: int, end: int, before: int
) -> None:
    """Read the features ``first:end`` into ``rows``.

    Parameters
    ----------
    table : pyarrow.Table
        With these features at least.
    part : ParquetPart
    rows : ndarray, shape (n_rows, n_features)
        C-contiguous; of all features.
    first, end : int
        Numbers of features, from 0.
    before : int
        Rows of the part that come before these.

    Raises
    ------
    DataError
        As `feature_columns`.
    """
    for start in range(first, end, COLUMNS):
        names = part.columns.features[start : min(start + COLUMNS, end)]
        for name in names:
            _refuse_nulls(table.column(name), name, before, part, feature=True)
        lack = part.columns.missing is not None
        columns = [_numbers(table.column(name), rows.dtype.type, may_lack=lack) for name in names]
        columns += columns[-1:] * (COLUMNS - len(columns))
        if not write_columns(tuple(columns), rows, start, start + len(names) - 1):
            for name, column in zip(names, columns, strict=False):
                _refuse_infinite(column, name, before, part)


def _refuse_infinite(values: NDArray[np.floating], name: str, before: int, part: ParquetPart) -> None:
    wrong = ~np.isfinite(values)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        number = before + row + 1
        if np.isnan(values[row]):
            msg = "the value is nan, so missing; leave such rows out, or fill in 0 or the column's median"
            raise MissingValuesError(msg, ways=WAYS, file=part.name, row=number, column=name)
        msg = f"the value is {values[row]}, which is no finite number; leave the column out or change the value"
        raise NoNumbersError(msg, columns=(name,), file=part.name, row=number, column=name)


def _refuse_nulls(column: pa.ChunkedArray, name: str, before: int, part: ParquetPart, *, feature: bool = False) -> None:
    if column.null_count and not (feature and part.columns.missing is not None):
        row = before + int(np.flatnonzero(column.is_null().to_numpy())[0]) + 1
        if feature:
            msg = "the value is missing; leave such rows out, or fill in 0 or the column's median"
            raise MissingValuesError(msg, ways=WAYS, file=part.name, row=row, column=name)
        refuse("the value is missing; fill it in, or leave the row out", file=part.name, row=row, column=name)


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


def _grades(column: pa.ChunkedArray, name: str, before: int, part: ParquetPart) -> NDArray[np.int32]:
    """Return the relevance of every row; -1 where nobody judged the document and such rows are to be left out."""
    texts_of = column.cast(pa.int8()) if pa.types.is_boolean(column.type) else column
    codes, texts = _coded(texts_of, part.name, name)
    levels = [-1 if text in UNJUDGED else whole_grade(text) for text in texts]
    wrong = np.isin(codes, [code for code, level in enumerate(levels) if level is None])
    missing = column.is_null().to_numpy()
    if (wrong & ~missing).any():
        row = int(np.flatnonzero(wrong & ~missing)[0])
        raise DataError(relevance_problem(texts[codes[row]]), file=part.name, row=before + row + 1, column=name)
    grades: NDArray[np.int32] = np.array([level or 0 for level in levels] or [0], dtype=np.int32)[codes]
    grades[missing] = -1
    if part.columns.missing != "drop" and (grades < 0).any():
        row = int(np.flatnonzero(grades < 0)[0])
        said = "the value is missing" if missing[row] else relevance_problem(texts[codes[row]])
        msg = f"{said}; such rows, which nobody judged, can be left out"
        raise MissingValuesError(msg, ways=("drop",), file=part.name, row=before + row + 1, column=name)
    return grades


def _numbers(column: pa.ChunkedArray, dtype: type[np.floating], *, may_lack: bool = False) -> NDArray[np.floating]:
    kind = pa.float32() if dtype is np.float32 else pa.float64()
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type != kind:
        column = pc.cast(column, kind, safe=False)
    if may_lack:
        column = pc.fill_null(pc.if_else(pc.is_nan(column), None, column), pa.scalar(gap(np.dtype(dtype)), kind))
    if column.num_chunks == 1:  # without a copy
        column = column.chunk(0)
    numbers: NDArray[np.floating] = column.to_numpy()
    numbers.setflags(write=False)  # as those without a copy are: one type for the kernel
    return numbers
