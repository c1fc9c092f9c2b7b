"""A Parquet table whose features stay on the disk, in its files or a temporary one, in blocks of whole queries."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
import pyarrow as pa

from core.data.errors import refuse
from core.data.feature_blocks import Arguments, Beside, Block, FeatureBlocks, IntArray, Result, block_edges
from core.data.files.disk import cache_folder
from core.data.parquet.parquet_format import Labels, feature_columns, label_rows
from core.data.parquet.table import ParquetTable, reading
from core.data.ranking_data import RankingData

BLOCK_VALUES = 1 << 22
"""Feature values of a block: 32 MB in double precision. Two or three of them are in memory at a time."""
PIECE_VALUES = 1 << 20
"""Feature values that are decoded and written at once to a temporary file, where blocks are longer."""
LARGEST_GROUP = 1 << 23
"""Feature values of a row group that is decoded as a whole; a larger one is in parts of that size."""
_log = logging.getLogger(__name__)


class ParquetBlocks(FeatureBlocks):
    """The features of a Parquet table, read from its files at every pass.

    Memory holds a block, a batch of rows, and one row group.

    Parameters
    ----------
    table : ParquetTable
    edges : ndarray of int64
        As for `FeatureBlocks`. They need not be those of row groups.
    """

    def __init__(self, table: ParquetTable, edges: IntArray) -> None:
        super().__init__(edges, len(table.columns.features), table.dtype)
        self._table = table

    def apply(self, function: Callable[..., Result], arguments: Arguments, beside: Beside) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""
        blocks = rows_in_blocks(self._table, self.edges)
        for (first, last), more in zip(pairwise(self.edges.tolist()), beside, strict=True):
            yield function(next(blocks), *more, *arguments(first, last))


def rows_in_blocks(table: ParquetTable, edges: IntArray) -> Iterator[Block]:
    """Read the features of the rows between each two edges; those before the first edge are not read.

    A block lies in memory by columns, as the file has them: to turn it would take longer than a product. Raises a
    `DataError` at the first value that cannot be used, or if the file has fewer rows than when it was opened.
    """
    batches = _batches(table, int(edges[0]))
    rest = np.empty((len(table.columns.features), 0), dtype=table.dtype)
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        filled, parts = 0, []
        while filled < last - first:
            if not rest.shape[1]:
                found = next(batches, None)
                if found is None:
                    refuse("the file has fewer rows than before; it was changed while it was read", file=table.name)
                rest = found
            parts.append(rest[:, : last - first - filled])
            filled, rest = filled + parts[-1].shape[1], rest[:, parts[-1].shape[1] :]
        yield (parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)).T


def _batches(table: ParquetTable, start: int) -> Iterator[Block]:
    """Yield the rows from ``start`` on in order, by columns, a row group or a part of a large one at a time."""
    columns = list(table.columns.features)
    most = max(LARGEST_GROUP // len(columns), 1)
    for part in table.parts:
        row = part.first_row
        with reading(part.name):
            for number in range(part.file.metadata.num_row_groups):
                end = row + part.file.metadata.row_group(number).num_rows
                if end <= start:
                    row = end
                    continue
                if end - row <= most:
                    tables = iter([part.file.read_row_group(number, columns=columns)])
                else:  # of one group only: asked for several at once, they would be decoded together
                    batches = part.file.iter_batches(most, row_groups=[number], columns=columns)
                    tables = (pa.Table.from_batches([batch]) for batch in batches)
                for read in tables:
                    values = feature_columns(read, part, table.dtype, row - part.first_row)
                    row += read.num_rows
                    yield values[:, max(start - (row - read.num_rows), 0) :]


Home = Callable[[ParquetTable, IntArray], FeatureBlocks]
"""Takes a table and the edges of its blocks; says where the features are between two passes."""


def read_blocks(table: ParquetTable, rows: int | None = None, home: Home = ParquetBlocks) -> RankingData:
    """Return the data of a table whose features stay elsewhere; relevance and queries are in memory.

    Parameters
    ----------
    table : ParquetTable
    rows : int, optional
        Documents of a block, as for `block_edges`; by default `BLOCK_VALUES` feature values.
    home : callable
        Where the features stay: takes the table and the edges of the blocks. By default on the disk.

    Raises
    ------
    DataError
        At the first error in the columns of relevance, query and document. Errors in features are found as they are
        read.
    UngroupedQueriesError
        If the documents of a query are apart.
    """
    columns, labels, row = table.columns, Labels(table), 0
    for part in table.parts:
        for number in range(part.file.metadata.num_row_groups):
            with reading(part.name):
                read = part.file.read_row_group(number, columns=columns.texts)
            labels.add(label_rows(read, part, row - part.first_row), row)
            row += read.num_rows
    labels.refuse_apart()
    offsets = np.array([*labels.starts, table.n_rows], dtype=np.int64)
    blocks: Any = home(table, block_edges(offsets, rows or max(BLOCK_VALUES // len(columns.features), 1)))
    return RankingData(
        features=blocks,
        relevance=labels.relevance,
        query_offsets=offsets,
        query_ids=tuple(labels.ids),
        feature_names=columns.features,
        document_ids=None if labels.documents is None else tuple(labels.documents),
    )


class ScratchBlocks(FeatureBlocks):
    """Features in a file of plain numbers, of which one block at a time is mapped into memory.

    Parameters
    ----------
    rows : iterator of ndarray
        All rows, in pieces of any length.
    edges, n_features, dtype
        As for `FeatureBlocks`.
    file : binary file
        Opened for writing and reading, and empty. It is closed, which deletes a temporary one, with the last reference.

    Raises
    ------
    OSError
        If the disk refuses the file.
    """

    def __init__(
        self, rows: Iterator[Block], edges: IntArray, n_features: int, dtype: type[np.floating], file: IO[bytes]
    ) -> None:
        super().__init__(edges, n_features, dtype)
        self._file = file
        for piece in rows:
            file.write(np.ascontiguousarray(piece, dtype=dtype).data)
        file.flush()

    def apply(self, function: Callable[..., Result], arguments: Arguments, beside: Beside) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""
        row_bytes = self.shape[1] * self.dtype.itemsize
        for (first, last), more in zip(pairwise(self.edges.tolist()), beside, strict=True):
            mapped: Any = np.memmap(
                self._file, dtype=self.dtype, mode="r", offset=first * row_bytes, shape=(last - first, self.shape[1])
            )
            yield function(mapped.view(np.ndarray), *more, *arguments(first, last))


def scratch_or_table(table: ParquetTable, edges: IntArray) -> FeatureBlocks:
    """Return the features of a table from a temporary file in the cache's folder; from the table if there is no room.

    The file is deleted with the last reference to the blocks, or with the process. Raises a `DataError` at the first
    value that cannot be used.
    """
    folder, n_features = cache_folder(), len(table.columns.features)
    needed = int(edges[-1]) * n_features * np.dtype(table.dtype).itemsize
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder).free > needed:
            rows = rows_in_blocks(table, _pieces(edges, max(PIECE_VALUES // n_features, 1)))
            file = TemporaryFile(dir=folder)  # noqa: SIM115  # stays open as long as the blocks are in use
            made = ScratchBlocks(rows, edges, n_features, table.dtype, file)
            pa.default_memory_pool().release_unused()
            return made
        reason = "there is no room"
    except OSError as error:
        reason = error.strerror or "the disk refused it"
    _log.warning(
        "%s is decoded again at every pass, which is slower: its features, %.1f GB, cannot be written to %s (%s); "
        "SPARSE_RANK_CACHE names another folder",
        table.name, needed / 1e9, folder, reason,
    )  # fmt: skip
    return ParquetBlocks(table, edges)


def _pieces(edges: IntArray, most: int) -> IntArray:
    """Return edges of pieces that are no longer than the longest block, and than ``most`` rows."""
    n_rows = int(edges[-1])
    length = min(most, int(np.diff(edges).max(initial=1)))
    return np.append(np.arange(0, n_rows, length), n_rows)
