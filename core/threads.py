"""A shared thread pool for compiled kernels; results do not depend on the number of threads.

The kernels release the interpreter lock, so plain threads suffice. numba's own parallel loops are not used: under the
``workqueue`` layer they abort the process when several Python threads (two visitors of the app, say) enter them at
once. Chunks are cut by size, never by the number of threads: partial sums are then added in the same order everywhere,
so a result is the same on every machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

Result = TypeVar("Result")

_pools: dict[tuple[str, int], ThreadPoolExecutor] = {}
if hasattr(os, "register_at_fork"):  # a forked child has the pool's record but none of its threads
    os.register_at_fork(after_in_child=_pools.clear)


def thread_count() -> int:
    """Number of kernel threads: ``SPARSE_RANK_THREADS``, else the number of usable cores."""
    asked = os.environ.get("SPARSE_RANK_THREADS", "")
    if asked.isascii() and asked.isdigit() and int(asked) > 0:
        return int(asked)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else (os.cpu_count() or 1)


def use_one_blas_thread() -> None:
    """Limit BLAS to one thread in the whole process; parallel work belongs to the pool.

    BLAS threads spin while they wait for each other. Beside the pool, or on a busy machine, a product of a few
    microseconds then takes milliseconds.
    """
    _libraries(tuple(sys.modules)).limit(limits=1, user_api="blas")


@lru_cache(maxsize=1)
def _libraries(modules: tuple[str, ...]) -> ThreadpoolController:
    """Find the libraries that have threads, in 2.5 ms; again where modules were imported since, which may load one."""
    return ThreadpoolController()


def cut(sizes: NDArray[np.int64], target: int) -> list[tuple[int, int]]:
    """Cut consecutive items into ranges of about ``target`` total size.

    Parameters
    ----------
    sizes : ndarray of int64, shape (n_items,)
    target : int
        Size at which a range is closed.

    Returns
    -------
    list of (first, last)
        Half-open ranges that cover all items in order; empty where there are none.
    """
    if len(sizes) == 0:
        return []
    block = (np.cumsum(sizes) - sizes) // target
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return list(zip(starts.tolist(), [*starts[1:].tolist(), len(sizes)], strict=True))


def over_chunks(
    kernel: Callable[[int, int], Result], chunks: Sequence[tuple[int, int]], *, small: bool = False
) -> list[Result]:
    """Call ``kernel(first, last)`` for every chunk, in parallel where that can help; results are in order.

    ``small`` work, of a few milliseconds in all, is done by the caller: handing it to threads takes as long, and far
    longer where other threads want the interpreter, as pages do beside fits.
    """
    threads = min(thread_count(), len(chunks)) if len(chunks) > 1 and not small else 1
    if threads <= 1:
        return [kernel(first, last) for first, last in chunks]
    return list(pool_of(threads, "kernel").map(kernel, *zip(*chunks, strict=True)))


def pool_of(threads: int, name: str) -> ThreadPoolExecutor:
    """Return the shared pool of that name with so many threads; its work may wait for another pool's, not its own."""
    pool = _pools.get((name, threads))
    if pool is None:
        pool = _pools[name, threads] = ThreadPoolExecutor(threads, thread_name_prefix=name)
    return pool
