"""A Parquet table whose features stay on the disk and are read in blocks of whole queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from core.data.errors import DataError
from core.data.feature_blocks import Block, FeatureBlocks, IntArray, block_edges
from core.data.parquet.parquet_format import Runs
from core.data.parquet.table import ParquetTable, reading
from core.data.parquet.values import feature_columns, label_rows
from core.data.ranking_data import RankingData

BLOCK_VALUES = 1 << 22
"""Feature values of a block: 32 MB in double precision. Two or three of them are in memory at a time."""
LARGEST_GROUP = 1 << 23
"""Feature values of a row group that is decoded as a whole; a larger one is in parts of that size."""
Result = TypeVar("Result")


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

    def apply(
        self,
        function: Callable[..., Result],
        arguments: Callable[[int, int], tuple[Any, ...]],
        beside: Sequence[tuple[Any, ...]],
    ) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""
        blocks = rows_in_blocks(self._table, self.edges)
        for (first, last), more in zip(pairwise(self.edges.tolist()), beside, strict=True):
            yield function(next(blocks), *more, *arguments(first, last))


def rows_in_blocks(table: ParquetTable, edges: IntArray) -> Iterator[Block]:
    """Read the features of the rows between each two edges; those before the first edge are not read.

    A block lies in memory by columns, as the file has them: to turn it would take longer than a product.

    Raises
    ------
    DataError
        At the first value that cannot be used, or if the file has fewer rows than when it was opened.
    """
    batches = _batches(table, int(edges[0]))
    rest = np.empty((len(table.columns.features), 0), dtype=table.dtype)
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        filled, parts = 0, []
        while filled < last - first:
            if not rest.shape[1]:
                found = next(batches, None)
                if found is None:
                    msg = "the file has fewer rows than before; it was changed while it was read"
                    raise DataError(msg, file=table.name)
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
    columns = table.columns
    relevance, runs, row = np.empty(table.n_rows, dtype=np.int32), Runs(), 0
    documents: list[str] | None = None if columns.document is None else []
    for part in table.parts:
        for number in range(part.file.metadata.num_row_groups):
            with reading(part.name):
                read = part.file.read_row_group(number, columns=columns.texts)
            labels = label_rows(read, part, row - part.first_row)
            relevance[row : row + read.num_rows] = labels.relevance
            runs.add(labels.run_ids, labels.run_starts + row)
            if documents is not None:
                documents += labels.document_ids or []
            row += read.num_rows
    runs.refuse_apart(table)
    offsets = np.array([*runs.starts, table.n_rows], dtype=np.int64)
    blocks: Any = home(table, block_edges(offsets, rows or max(BLOCK_VALUES // len(columns.features), 1)))
    return RankingData(
        features=blocks,
        relevance=relevance,
        query_offsets=offsets,
        query_ids=tuple(runs.ids),
        feature_names=columns.features,
        document_ids=None if documents is None else tuple(documents),
    )
