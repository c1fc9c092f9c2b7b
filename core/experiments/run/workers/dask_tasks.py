"""Connections to a Dask scheduler, and tasks there: their names, and waiting for them as long as there is a cluster."""

from __future__ import annotations

import asyncio
import itertools
import time
import uuid
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.data.errors import refuse
from core.data.feature_blocks import IntArray

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

CONNECT_SECONDS = 5.0
"""Time limit; long enough for a scheduler that is starting at the same time."""
MADE_KNOWN = partial(exec, "try:\n    import sparse_ranking_lab\nexcept ImportError:\n    pass\n", {})
"""Puts an installed program on the path of a scheduler or worker, which unpickles `core`; travels without a module."""


def connect(address: str) -> Client:
    """Connect to the scheduler at the address, which may have spaces around it.

    Raises
    ------
    DataError
        As `check_scheduler`.
    """
    check_scheduler(address.strip())
    from distributed import Client

    client = Client(address.strip(), timeout=CONNECT_SECONDS, set_as_default=False)
    make_known(client)
    return client


def make_known(client: Client) -> None:
    """Let the scheduler and all workers import the installed program."""
    client.run_on_scheduler(MADE_KNOWN)
    client.register_worker_callbacks(MADE_KNOWN)


def check_scheduler(address: str) -> None:
    """Check that a Dask scheduler answers at the address.

    Dask itself waits without end for a server that accepts the connection and says nothing, and reads another server's
    answer as the length of a message.

    Raises
    ------
    DataError
        If Dask is not installed, or something else answers, or nothing does.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        refuse("Dask is not installed; pip install 'sparse-ranking-lab[dask]', or run on this machine")
    if not address.strip():
        refuse("the address of the Dask scheduler is empty; give one such as tcp://10.0.0.1:8786")
    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address), CONNECT_SECONDS))
    except Exception:  # whatever a stranger's answer, or an address of another form, brings about
        refuse(
            f"no Dask scheduler answers at {address}; start one there with dask scheduler, check the address "
            "(tcp://HOST:PORT), or run on this machine"
        )
    if kind != "Scheduler":
        refuse(f"a Dask {kind.lower()} answers at {address}, not a scheduler; give the scheduler's address")


async def _kind(address: str) -> str:
    """Which part of Dask it is."""
    from distributed.comm import connect
    from distributed.security import Security

    args = Security().get_connection_args("client")
    comm = await connect(address, timeout=CONNECT_SECONDS, **args)
    try:
        await comm.write({"op": "identity", "reply": True})
        answer = await comm.read()
    finally:
        await comm.close()
    return str(answer["type"])


WORKER_SECONDS = 15.0
"""How long to wait for a first worker, or for one in the place of the last that was lost."""
LOOK_SECONDS = 2.0
"""How often the cluster is asked whether it is still there, while a result is waited for."""
Result = TypeVar("Result")
_numbers, _HERE = itertools.count(1), uuid.uuid4().hex


def new_key(what: str) -> str:
    """Return a name for a task that no other task has, also of another client."""
    return f"{what}-{next(_numbers)}-{_HERE}"


def results_of(client: Client, futures: Sequence[Future]) -> list[Any]:
    """Wait for results, which come in one message, as long as there is a worker to compute them.

    Raises
    ------
    OSError
        If the scheduler or all workers have gone; `while_there_is_a_cluster` says which.
    """
    gathered = partial(client.gather, futures, asynchronous=True)
    return _patiently(client, lambda: client.sync(gathered, callback_timeout=LOOK_SECONDS))


def wait_until_computed(client: Client, futures: Iterable[Future]) -> None:
    """Wait as `results_of` does, but leave the results where they are.

    Raises
    ------
    Exception
        What a task has raised; OSError as `results_of`.
    """
    for future in futures:
        if future.status != "finished":
            error = _patiently(client, partial(future.exception, LOOK_SECONDS))
            if error is not None:
                raise error


def _patiently(client: Client, attempt: Callable[[], Result]) -> Result:
    """Attempt it again whenever it has taken `LOOK_SECONDS`, as long as there is a worker or may soon be one."""
    seen = time.monotonic()
    while True:
        try:
            return attempt()
        except TimeoutError:
            if client.status != "running":
                raise
            if client.nthreads():
                seen = time.monotonic()
            elif time.monotonic() - seen > WORKER_SECONDS:
                raise


@contextmanager
def while_there_is_a_cluster(client: Client, then: str = "") -> Iterator[None]:
    """Say in one sentence that the cluster has gone, and ``then`` what can be done.

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
        msg = f"the Dask scheduler at {address} {what}{then}"
        raise OSError(msg) from error


ROUNDS = 3
"""In which a block may be put; Dask may run a task elsewhere than it was asked to."""
ALIGNMENT = 16
"""Bytes to which the system's allocator aligns; part of a network buffer that is itself an array may lie anywhere."""


def spread(client: Client, blocks: Sequence[Future], edges: IntArray) -> list[Future]:
    """Wait for the blocks, and copy some so that all threads have as many rows, each block in memory of its own.

    Dask makes a block wherever a thread is free, or moves it there, into a buffer of the network; at every pass all
    wait for the worker with the most rows, and a block in a buffer would be copied.
    """
    put, rows = list(blocks), np.diff(edges).tolist()
    for _ in range(ROUNDS):
        wait_until_computed(client, put)
        holders = client.who_has(put)
        homes = [next(iter(holders[block.key]), "") for block in put]
        chosen = dict(moves(rows, homes, client.nthreads()))
        found = client.run(own_there, [block.key for block in put], on_error="ignore").values()
        as_they_are = set[Any]().union(*found)
        again = [number for number, block in enumerate(put) if number in chosen or block.key not in as_they_are]
        if not again:
            break
        for number in again:
            there = chosen.get(number, homes[number])
            put[number] = client.submit(
                own, put[number], key=new_key("block"), workers=[there] if there else None, allow_other_workers=True
            )
    return put


def own_there(keys: Sequence[Any], dask_worker: Worker) -> set[Any]:
    """What a worker runs to say which of these results it holds in memory of their own."""
    held = dask_worker.data
    return {key for key in keys if key in held and is_own(held[key])}


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


def own(value: Any) -> Any:
    """Copy arrays that came over the network into memory of their own.

    Arrays lie in the network's buffers, at any address: kernels would have to be compiled for that, and round
    differently in the last bit. What has its own memory is returned as it is.
    """
    if isinstance(value, np.ndarray):
        return value if is_own(value) else value.copy(order="C")
    if isinstance(value, tuple):
        return tuple(map(own, value))
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: made for name, part in held.items() if (made := own(part)) is not part}
        return replace(value, **changed) if changed else value
    return value


def is_own(array: np.ndarray) -> bool:
    """Whether `own` returns this array as it is."""
    holder = array.base if isinstance(array.base, np.ndarray) else array
    fits = holder.flags.owndata and array.flags.writeable and array.flags.c_contiguous
    return bool(fits and array.ctypes.data % ALIGNMENT == 0)
