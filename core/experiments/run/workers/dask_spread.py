"""Blocks are spread over a cluster's workers so that no pass waits for one of them, each in memory of its own."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.data.feature_blocks import IntArray
from core.experiments.run.workers.dask_tasks import new_key, wait_until_computed

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

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
