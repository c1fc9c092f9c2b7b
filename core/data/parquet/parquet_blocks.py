"""A Parquet table whose features stay on the disk and are read in blocks of whole queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from core.data.errors import DataError
from core.data.feature_blocks import Block, FeatureBlocks, IntArray, block_edges
from core.data.parquet.parquet_format import ParquetTable, Runs, feature_rows, label_rows, reading
from core.data.ranking_data import RankingData

BLOCK_VALUES = 1 << 22
"""Feature values of a block: 32 MB in double precision. Two or three of them are in memory at a time."""
_BATCH_VALUES = 1 << 19
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
        self, function: Callable[..., Result], arguments: Callable[[int, int], tuple[Any, ...]]
    ) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""
        batches = self._batches()
        rest = self._next(batches)
        for first, last in zip(self.edges[:-1].tolist(), self.edges[1:].tolist(), strict=True):
            block, filled = np.empty((last - first, self.shape[1]), dtype=self.dtype), 0
            while True:
                taken = rest[: len(block) - filled]
                block[filled : filled + len(taken)] = taken
                filled, rest = filled + len(taken), rest[len(taken) :]
                if filled == len(block):
                    break
                rest = self._next(batches)
            yield function(block, *arguments(first, last))

    def _next(self, batches: Iterator[Block]) -> Block:
        rows = next(batches, None)
        if rows is None:
            msg = "the file has fewer rows than before; it was changed while it was read"
            raise DataError(msg, file=self._table.name)
        return rows

    def _batches(self) -> Iterator[Block]:
        """Yield the rows in order, some at a time."""
        size = max(_BATCH_VALUES // self.shape[1], 1)
        for part in self._table.parts:
            row = 0
            with reading(part.name):
                for number in range(part.file.metadata.num_row_groups):  # all at once, they would be decoded together
                    for batch in part.file.iter_batches(size, row_groups=[number], columns=list(part.columns.features)):
                        yield feature_rows(pa.Table.from_batches([batch]), part, self._table.dtype, row)
                        row += batch.num_rows


def read_blocks(table: ParquetTable, rows: int | None = None) -> RankingData:
    """Return the data of a table whose features stay on the disk; relevance and queries are in memory.

    Parameters
    ----------
    table : ParquetTable
    rows : int, optional
        Documents of a block, as for `block_edges`; by default `BLOCK_VALUES` feature values.

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
    blocks: Any = ParquetBlocks(table, block_edges(offsets, rows or max(BLOCK_VALUES // len(columns.features), 1)))
    return RankingData(
        features=blocks,
        relevance=relevance,
        query_offsets=offsets,
        query_ids=tuple(runs.ids),
        feature_names=columns.features,
        document_ids=None if documents is None else tuple(documents),
    )
