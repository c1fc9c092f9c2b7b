"""Parquet data whose features stay on the disk, in a temporary file of plain numbers, in blocks of whole queries."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from errno import ENOSPC
from functools import lru_cache
from itertools import pairwise
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import pyarrow as pa

from core.data.catalogue import find_entry
from core.data.dataset import Dataset, Fold
from core.data.division import divided
from core.data.errors import DataError, refuse
from core.data.feature_blocks import Arguments, Beside, Block, FeatureBlocks, IntArray, Result, block_edges
from core.data.files.disk import cache_folder
from core.data.files.file_content import AnyPath
from core.data.letor.folders import fold_files, open_folder
from core.data.naming import convention_of
from core.data.parquet.parquet_format import Labels, feature_rows, row_batches
from core.data.parquet.parts import is_parquet
from core.data.parquet.table import ParquetTable
from core.data.ranking_data import RankingData
from core.data.reading import AS_IT_STANDS, Reading
from core.data.scaling import scale_fold

BLOCK_VALUES = 1 << 22
"""Feature values of a block: 32 MB in double precision. Two or three of them are in memory at a time."""
PIECE_VALUES = 1 << 20
"""Feature values that are decoded and written at once to a temporary file, where blocks are longer."""


def rows_in_blocks(table: ParquetTable, edges: IntArray) -> Iterator[Block]:
    """Read the features of the rows between each two edges; those before the first edge are not read.

    Raises a `DataError` at the first value that cannot be used, or if the file has fewer rows than when it was opened.
    """
    start = int(edges[0])
    batches = (
        feature_rows(read, table, row)[max(start - row, 0) :]
        for row, read in row_batches(table, list(table.columns.features), start)
    )
    rest = np.empty((0, len(table.columns.features)), dtype=table.dtype)
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        filled, parts = 0, []
        while filled < last - first:
            if not len(rest):
                found = next(batches, None)
                if found is None:
                    refuse("the file has fewer rows than before; it was changed while it was read", file=table.name)
                rest = found
            parts.append(rest[: last - first - filled])
            filled, rest = filled + len(parts[-1]), rest[len(parts[-1]) :]
        yield parts[0] if len(parts) == 1 else np.concatenate(parts)


class ScratchBlocks(FeatureBlocks):
    """The features of a table in a temporary file in the cache's folder, of which one block at a time is in memory.

    The file is deleted with the last reference to the blocks, or with the process. The edges need not be those of row
    groups. Raises a `DataError` at the first value that cannot be used, or if the disk refuses the file or has no room
    for it.
    """

    def __init__(self, table: ParquetTable, edges: IntArray) -> None:
        super().__init__(edges, len(table.columns.features), table.dtype)
        folder, most = cache_folder(), max(PIECE_VALUES // self.shape[1], 1)
        # Pieces are no longer than the longest block.
        pieces = np.arange(0, len(self), min(most, int(np.diff(edges).max(initial=1))))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(folder).free <= self.nbytes:
                raise OSError(ENOSPC, "there is no room")
            self._file = TemporaryFile(dir=folder)  # noqa: SIM115  # open as long as the blocks are in use
            for piece in rows_in_blocks(table, np.append(pieces, len(self))):
                self._file.write(piece.data)
            self._file.flush()
        except OSError as error:
            msg = (
                f"its features, {self.nbytes / 1e9:.1f} GB, cannot be written to {folder} "
                f"({error.strerror or 'the disk refused it'}); SPARSE_RANK_CACHE names another folder"
            )
            raise DataError(msg, file=table.name) from None
        pa.default_memory_pool().release_unused()

    def apply(self, function: Callable[..., Result], arguments: Arguments, beside: Beside) -> Iterator[Result]:
        """See `FeatureBlocks.apply`."""
        row_bytes = self.shape[1] * self.dtype.itemsize
        for (first, last), more in zip(pairwise(self.edges.tolist()), beside, strict=True):
            mapped: Any = np.memmap(
                self._file, dtype=self.dtype, mode="r", offset=first * row_bytes, shape=(last - first, self.shape[1])
            )
            yield function(mapped.view(np.ndarray), *more, *arguments(first, last))


Home = Callable[[ParquetTable, IntArray], FeatureBlocks]
"""Takes a table and the edges of its blocks; says where the features are between two passes."""


def read_blocks(table: ParquetTable, rows: int | None = None, home: Home = ScratchBlocks) -> RankingData:
    """Return the data of a table whose features stay elsewhere; relevance and queries are in memory.

    A block has so many ``rows``, as for `block_edges`; by default `BLOCK_VALUES` feature values. The features stay at
    ``home``, by default in a temporary file. Raises a `DataError` at the first error, an `UngroupedQueriesError` if the
    documents of a query are apart.
    """
    columns, labels = table.columns, Labels(table)
    for row, read in row_batches(table, columns.texts):
        labels.add(read, row)
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


_NO_PARQUET = (
    "this is no Parquet; --out-of-core and --dask read a Parquet file or a folder with folds of such, which the "
    "command convert makes"
)
_POSSIBLE = ("query_column", "relevance_column", "drop_columns", "scale")


def open_out_of_core(
    name_or_path: str, reading: Reading = AS_IT_STANDS, rows: int | None = None, home: Home = ScratchBlocks
) -> Dataset:
    """Open Parquet data without its features in memory: a file, a folder of part files, or one with folds of such.

    It is given by its path or its name in the catalogue. The reading may name the columns of query and relevance,
    columns to leave out, and a scaling; ``rows`` and ``home`` are those of `read_blocks`. Raises a `DataError` if the
    data is no Parquet, or is to be read in another way.
    """
    if impossible := [name for name in reading.said() if name not in _POSSIBLE]:
        option = f"--{impossible[0].replace('_', '-')}"
        refuse(f"{option} needs the data in memory and cannot be combined with --out-of-core or --dask")
    entry = find_entry(name_or_path)
    path = entry.path
    if path is None or not (path.is_dir() or is_parquet(path)):
        refuse(_NO_PARQUET, file=name_or_path)
    if is_parquet(path):
        table = ParquetTable.of(path, path.name, reading.table)
        data = read_blocks(table, rows, home)
        convention = table.described.convention or convention_of(str(path.absolute()), lambda: data)[0]
        dataset = divided(data, reading.division, name=entry.name, convention=convention, provenance=entry.provenance)
        return replace(dataset, query_texts=table.described.query_texts)
    layout = fold_files(path, name=entry.name)
    if not all(is_parquet(file) for files in layout for file in (*files.train, *files.vali, *files.test)):
        refuse(_NO_PARQUET, file=entry.name)
    if any(len(files.train) > 1 for files in layout):
        msg = "partitions S1, S2, ... are joined in memory; convert the data, which makes one file of each part"
        raise DataError(msg, file=entry.name)

    def read(file: AnyPath, name: str, like: RankingData | None) -> RankingData:
        features = None if like is None else like.feature_names
        return read_blocks(ParquetTable.of(file, name, reading.table, features), rows, home)

    dataset = open_folder(path, name=entry.name, read=read)

    def load(position: int) -> Fold:
        return scale_fold(dataset.load(position), reading.scale)

    return replace(dataset, load=lru_cache(maxsize=1)(load), notes=(), provenance=entry.provenance)
