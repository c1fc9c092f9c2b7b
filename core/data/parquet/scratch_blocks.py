"""A Parquet table's features in a temporary file, row by row: decoded and checked once, read at every pass."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar

import numpy as np
import pyarrow as pa

from core.data.disk_cache import cache_folder
from core.data.feature_blocks import Block, FeatureBlocks, IntArray
from core.data.parquet.parquet_blocks import ParquetBlocks, rows_in_blocks
from core.data.parquet.table import ParquetTable

PIECE_VALUES = 1 << 20
"""Feature values that are decoded and written at once, where blocks are longer."""
Result = TypeVar("Result")
_log = logging.getLogger(__name__)


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

    def apply(
        self,
        function: Callable[..., Result],
        arguments: Callable[[int, int], tuple[Any, ...]],
        beside: Sequence[tuple[Any, ...]],
    ) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""
        row_bytes = self.shape[1] * self.dtype.itemsize
        for (first, last), more in zip(pairwise(self.edges.tolist()), beside, strict=True):
            mapped: Any = np.memmap(
                self._file, dtype=self.dtype, mode="r", offset=first * row_bytes, shape=(last - first, self.shape[1])
            )
            yield function(mapped.view(np.ndarray), *more, *arguments(first, last))


def scratch_or_table(table: ParquetTable, edges: IntArray) -> FeatureBlocks:
    """Return the features of a table from a temporary file in the cache's folder; from the table if there is no room.

    The file is deleted with the last reference to the blocks, or with the process.

    Raises
    ------
    DataError
        At the first value that cannot be used.
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
