"""A Parquet table as it is opened: its files and columns; nothing of the rows is read yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.data.errors import DataError, refuse
from core.data.limits import Limits
from core.data.packed import AnyPath
from core.data.parquet.columns import ParquetColumns, columns_of, first_cells, plain_type, refuse_type
from core.data.parquet.parts import ParquetDescription, files_of
from core.data.tables.table_cells import Head
from core.data.tables.table_options import USUAL, TableOptions


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
    source : Path or bytes
        Where the file is, or its content.
    """

    file: pq.ParquetFile
    name: str
    columns: ParquetColumns
    first_row: int
    source: Path | bytes

    def opened_again(self) -> pq.ParquetFile:
        """Open the file once more, for a thread of its own."""
        coded = [text for text in self.columns.texts if text != self.columns.relevance]
        return _opened(self.source, self.name, coded, self.file.metadata)


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
                columns = columns_of(file, described, options, shown)
                if features is not None:
                    _refuse_difference(set(features), set(columns.features), "the training part", shown)
                    columns = replace(columns, features=tuple(features))
            else:
                _refuse_other_columns(file, parts[0], shown)
            with reading(shown):
                coded = [text for text in columns.texts if text != columns.relevance]
                file = _opened(content, shown, coded, file.metadata)
                size += _size(file, columns)
            parts.append(ParquetPart(file, shown, columns, n_rows, content))
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


def _refuse_other_columns(file: pq.ParquetFile, first: ParquetPart, name: str) -> None:
    columns = first.columns
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
