"""Features in the memory of a Dask cluster's workers, block by block.

The loop stays here; workers run pure functions on a block. What is lost with a worker is read and computed again by
another one, with the same bits.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.data import DataError
from core.data.feature_blocks import Block, FeatureBlocks, IntArray
from core.data.parquet.parquet_blocks import rows_in_blocks
from core.data.parquet.table import ParquetTable
from core.data.tables.table_options import TableOptions
from core.experiments.run.workers.dask_tasks import (
    new_key,
    own,
    results_of,
    spread,
    while_there_is_a_cluster,
)
from core.experiments.run.workers.workers import one_thread

if TYPE_CHECKING:
    from distributed import Client, Future

Result = TypeVar("Result")


class DaskBlocks(FeatureBlocks):
    """Features in the memory of a cluster's workers.

    At a pass each block gets its arguments (the weights, or its part of a vector over documents), and sends back what
    the function returns; the features are sent nowhere, and what stands beside them only once.

    Parameters
    ----------
    edges : ndarray of int64
    n_features : int
    dtype : type
        As for `FeatureBlocks`.
    client : distributed.Client
    blocks : sequence of distributed.Future
        Of the blocks' arrays, in order.

    Attributes
    ----------
    messages : int
        Calls of a function on a block that have been sent to workers.
    """

    def __init__(
        self, edges: IntArray, n_features: int, dtype: type[np.floating], client: Client, blocks: Sequence[Future]
    ) -> None:
        super().__init__(edges, n_features, dtype)
        self._client, self._blocks, self.messages = client, blocks, 0
        self._latest: Sequence[Future] = []

    def apply(
        self,
        function: Callable[..., Result],
        arguments: Callable[[int, int], tuple[Any, ...]],
        beside: Sequence[tuple[Any, ...]],
    ) -> Iterator[Result]:
        """See `FeatureBlocks.apply`.

        All tasks go in one message, as a group of their own: for Dask a group of many tasks on few blocks is one of
        roots, which go to any worker, and their blocks with them. Results are released after the next pass has been
        sent, since a client that has just sent a message sends none for 10 ms.
        """
        ends = itertools.pairwise(self.edges.tolist())
        given = [
            (block, *more, *arguments(*edges)) for block, more, edges in zip(self._blocks, beside, ends, strict=True)
        ]
        self.messages += len(given)
        with while_there_is_a_cluster(self._client):
            run = new_key("run")
            keys = [(run, number) for number in range(len(given))]
            call = partial(run_on_block, function)
            self._latest = self._client.map(call, *zip(*given, strict=True), key=keys, pure=False)
            yield from results_of(self._client, self._latest)

    def put(self, parts: list[Any]) -> list[Any]:
        """Send them as arguments of tasks, so that another worker gets them again if one is lost."""
        put = new_key("beside")
        keys = [(put, number) for number in range(len(parts))]
        return list(self._client.map(own_beside, parts, self._blocks, key=keys, pure=False)) if parts else []


class ParquetOnDask(DaskBlocks):
    """The features of a Parquet table, which every worker sees under the same path.

    Parameters
    ----------
    table : ParquetTable
        Opened from a path.
    edges : ndarray of int64
        As for `FeatureBlocks`.
    client : distributed.Client
    """

    def __init__(self, table: ParquetTable, edges: IntArray, client: Client) -> None:
        if not isinstance(table.source, Path):
            msg = "a Dask cluster reads Parquet files by their path; unpack the archive"
            raise DataError(msg, file=table.name)
        where = str(table.source.absolute()), table.name, table.options, table.columns.features, table.n_rows
        with while_there_is_a_cluster(client):
            blocks = [
                client.submit(load_block, *where, first, last, key=new_key("block"))
                for first, last in itertools.pairwise(edges.tolist())
            ]
            blocks = spread(client, blocks, edges)
        super().__init__(edges, len(table.columns.features), table.dtype, client, blocks)
        self._table = table

    def each(self) -> Iterator[Block]:
        """Yield the blocks as they are in the file here: a digest, for one, cannot be put together of parts."""
        return rows_in_blocks(self._table, self.edges)


def load_block(
    path: str, name: str, options: TableOptions, features: tuple[str, ...], n_rows: int, first: int, last: int
) -> Block:
    """What a worker runs to have a block in memory, by rows: another layout would round differently.

    Raises
    ------
    DataError
        If the worker has no such file, or another one.
    """
    try:
        table = ParquetTable.of(Path(path), name, options, features)
        if table.n_rows != n_rows:
            msg = f"it has {table.n_rows:,} rows there and {n_rows:,} here"
            raise DataError(msg)
        return next(rows_in_blocks(table, np.array([first, last]))).copy()  # without what it was a part of
    except DataError as error:
        if error.column is not None:  # the worker has the file, and a value of it cannot be used
            raise
        msg = f"a Dask worker cannot read {path} ({error.reason}); all workers must see one file under this path"
        raise DataError(msg, file=name) from None


def run_on_block(function: Callable[..., Result], block: Block, *arguments: Any) -> Result:
    """What a worker runs on a block, on one thread."""
    one_thread()
    return function(own(block), *map(own, arguments))


def own_beside(part: Any, block: Block) -> Any:
    """Do as `own`; the block is given so that Dask runs this on the worker that holds it."""
    return own(part)
