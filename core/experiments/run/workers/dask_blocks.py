"""Features in the memory of a Dask cluster's workers, block by block.

The loop stays here; workers run pure functions on a block. What is lost with a worker is read and computed again by
another one, with the same bits.
"""

from __future__ import annotations

import asyncio
import itertools
import time
import uuid
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.data import DataError
from core.data.feature_blocks import Block, FeatureBlocks, IntArray
from core.data.parquet.parquet_blocks import rows_in_blocks
from core.data.parquet.table import ParquetTable
from core.data.tables.table_options import TableOptions
from core.experiments.run.workers.dask_address import CONNECT_SECONDS, check_scheduler
from core.experiments.run.workers.dask_workers import MADE_KNOWN, WORKER_SECONDS
from core.experiments.run.workers.workers import one_thread

if TYPE_CHECKING:
    from distributed import Client, Future

LOOK_SECONDS = 2.0
"""How often the cluster is asked whether it is still there, while a result is waited for."""
ALIGNMENT = 16
"""Bytes to which the system's allocator aligns; part of a network buffer that is itself an array may lie anywhere."""
Result = TypeVar("Result")
_numbers, _HERE = itertools.count(1), uuid.uuid4().hex


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
        Tasks that have been sent to workers.
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
            (function, block, *more, *arguments(*edges))
            for block, more, edges in zip(self._blocks, beside, ends, strict=True)
        ]
        run = new_key("run")
        keys = [(run, block) for block in range(len(given))]
        if not given:
            return
        with while_there_is_a_cluster(self._client):
            futures = self._client.map(run_on_block, *zip(*given, strict=True), key=keys, pure=False)
            self._latest, self.messages = futures, self.messages + len(futures)
            yield from results_of(self._client, futures)

    def put(self, part: Any, block: int) -> Future:
        """Send it as the argument of a task, so that another worker gets it again if this one is lost."""
        return self._client.submit(own_beside, part, self._blocks[block], key=new_key("beside"))


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


def spread(client: Client, blocks: Sequence[Future], edges: IntArray) -> list[Future]:
    """Wait for the blocks, and copy some to other workers so that all threads have as many rows; return the blocks.

    Dask makes a block wherever a thread is free, and at every pass all wait for the worker with the most rows.
    """
    run = new_key("rows")
    results_of(client, client.map(len, blocks, key=[(run, block) for block in range(len(blocks))], pure=False))
    holders, spread_out = client.who_has(blocks), list(blocks)
    homes = [next(iter(holders[block.key]), "") for block in blocks]
    for number, worker in moves(np.diff(edges).tolist(), homes, client.nthreads()):
        spread_out[number] = client.submit(
            np.copy, blocks[number], key=new_key("block"), workers=[worker], allow_other_workers=True
        )
    return spread_out


def moves(rows: Sequence[int], homes: Sequence[str], threads: Mapping[str, int]) -> list[tuple[int, str]]:
    """Choose blocks to move from the worker with the most rows a thread to that with the fewest, while that helps.

    Parameters
    ----------
    rows : sequence of int, length n_blocks
    homes : sequence of str, length n_blocks
        The worker that holds each block.
    threads : mapping
        Threads of each worker.

    Returns
    -------
    list of (block, worker)
    """
    held: dict[str, list[tuple[int, int]]] = {worker: [] for worker in threads}
    load = dict.fromkeys(threads, 0.0)  # rows a thread
    for block, home in enumerate(homes):
        if home in threads:  # others have just left, and their blocks are made again
            insort(held[home], (rows[block], block))
            load[home] += rows[block] / threads[home]
    chosen: dict[int, str] = {}
    while threads:
        most, least = max(load, key=load.__getitem__), min(load, key=load.__getitem__)
        wanted = (load[most] - load[least]) / (1 / threads[most] + 1 / threads[least])
        place = bisect_left(held[most], (wanted, 0))
        fitting = {
            max(load[most] - size / threads[most], load[least] + size / threads[least]): at
            for at, (size, _) in enumerate(held[most][max(place - 1, 0) : place + 1], start=max(place - 1, 0))
        }
        if not fitting or min(fitting) >= load[most]:
            break
        size, block = held[most].pop(fitting[min(fitting)])
        insort(held[least], (size, block))
        load[most] -= size / threads[most]
        load[least] += size / threads[least]
        chosen[block] = least
    return [(block, worker) for block, worker in chosen.items() if homes[block] != worker]


def new_key(what: str) -> str:
    """Return a name for a task that no other task has, also of another client."""
    return f"{what}-{next(_numbers)}-{_HERE}"


def result_of(client: Client, future: Future) -> Any:
    """Do as `results_of` for one result."""
    return results_of(client, [future])[0]


def results_of(client: Client, futures: Sequence[Future]) -> list[Any]:
    """Wait for results, which come in one message, as long as there is a worker to compute them.

    Raises
    ------
    OSError
        If the scheduler or all workers have gone; `while_there_is_a_cluster` says which.
    """
    seen, gathered = time.monotonic(), partial(client.gather, futures, asynchronous=True)
    while True:
        try:
            found: list[Any] = client.sync(gathered, callback_timeout=LOOK_SECONDS)
            return found
        except TimeoutError:
            if client.status != "running":
                raise
            if client.nthreads():
                seen = time.monotonic()
            elif time.monotonic() - seen > WORKER_SECONDS:
                raise


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
        return np.ascontiguousarray(next(rows_in_blocks(table, np.array([first, last]))))
    except DataError as error:
        msg = f"a Dask worker cannot read {path} ({error.reason}); all workers must see one file under this path"
        raise DataError(msg, file=name) from None


def run_on_block(function: Callable[..., Result], block: Block, *arguments: Any) -> Result:
    """What a worker runs on a block, on one thread."""
    one_thread()
    return function(own(block), *map(own, arguments))


def own_beside(part: Any, block: Block) -> Any:
    """Do as `own`; the block is given so that Dask runs this on the worker that holds it."""
    return own(part)


def own(value: Any) -> Any:
    """Copy arrays that came over the network into memory of their own; see `core.experiments.run.workers.dask_workers`.

    Arrays lie in the network's buffers, at any address: kernels would have to be compiled for that, and round
    differently in the last bit. What has its own memory is returned as it is.
    """
    if isinstance(value, np.ndarray):
        holder = value.base if isinstance(value.base, np.ndarray) else value
        fits = holder.flags.owndata and value.flags.writeable and value.flags.c_contiguous
        return value if fits and value.ctypes.data % ALIGNMENT == 0 else value.copy(order="C")
    if isinstance(value, tuple):
        return tuple(map(own, value))
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: made for name, part in held.items() if (made := own(part)) is not part}
        return replace(value, **changed) if changed else value
    return value


@contextmanager
def cluster(address: str) -> Iterator[Client]:
    """Connect to a Dask cluster; leave it as it was.

    Raises
    ------
    DataError
        If Dask is not installed, or no scheduler answers.
    """
    check_scheduler(address.strip())
    from distributed import Client

    with Client(address.strip(), timeout=CONNECT_SECONDS, set_as_default=False) as client:
        make_known(client)
        yield client


def make_known(client: Client) -> None:
    """Let the scheduler and all workers import the installed program."""
    client.run_on_scheduler(MADE_KNOWN)
    client.register_worker_callbacks(MADE_KNOWN)


def home_on(client: Client) -> Callable[[ParquetTable, IntArray], FeatureBlocks]:
    """Return the home of blocks on a cluster; see `core.data.parquet.parquet_blocks.read_blocks`."""
    return partial(ParquetOnDask, client=client)


@contextmanager
def while_there_is_a_cluster(client: Client) -> Iterator[None]:
    """Say in one sentence that the cluster has gone.

    Raises
    ------
    OSError
        With the address.
    """
    from distributed import KilledWorker

    try:
        yield
    except (OSError, RuntimeError, KilledWorker, CancelledError, asyncio.CancelledError) as error:
        address = getattr(client.scheduler, "address", "") or "its address"
        if isinstance(error, KilledWorker):
            what = "has lost every worker that tried a block; has each of them enough memory?"
        elif client.status != "running":
            what = "has gone"
        elif isinstance(error, TimeoutError):
            what = f"has no workers; start some with dask worker {address}"
        else:
            raise
        msg = f"the Dask scheduler at {address} {what}"
        raise OSError(msg) from error
