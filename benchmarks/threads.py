"""How many threads a measurement may use, and the memory of its process."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from core.threads import thread_count

Result = TypeVar("Result")
_VARIABLES = ("SPARSE_RANK_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""The first is read at every call; BLAS reads its own when a process starts, so they are for started processes."""


def side_by_side(work: Callable[..., Result], arguments: Iterable[tuple[Any, ...]], workers: int) -> list[Result]:
    """What a function of this package gives for each of the arguments, in their order; one call a process at a time."""
    calls = list(arguments)
    with limited_to(1), ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, *zip(*calls, strict=True)))


LATENCY = Path("/dev/cpu_dma_latency")
"""Linux's PM QoS: the longest time in microseconds that a processor may take to wake, as long as the file is open."""


def may_keep_processors_awake() -> bool:
    """Whether `processors_awake` may be used: on Linux, root may."""
    return os.access(LATENCY, os.W_OK)


@contextmanager
def processors_awake() -> Iterator[None]:
    """Keep idle processors from halting: on a busy host, a virtual one that has halted comes back late."""
    with LATENCY.open("wb", buffering=0) as request:
        request.write(struct.pack("i", 0))
        yield


@contextmanager
def kernels_limited_to(threads: int) -> Iterator[None]:
    """Limit the kernels' threads here, and leave BLAS as the program has it, with one thread."""
    with _environment({_VARIABLES[0]: str(threads)}), threadpool_limits(1, user_api="blas"):
        yield


@contextmanager
def limited_to(threads: int | None) -> Iterator[str]:
    """Limit the kernels' threads and BLAS's, here and in started processes; None leaves both as a user finds them.

    Yields
    ------
    str
        The thread count in words, for the report.
    """
    if threads is None:
        yield f"all threads ({thread_count()})"
        return
    with _environment(dict.fromkeys(_VARIABLES, str(threads))), threadpool_limits(threads):
        yield "1 thread" if threads == 1 else f"{threads} threads"


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def peak_megabytes() -> float:
    """The most memory that this process has had, in millions of bytes; unknown on Windows."""
    if sys.platform == "win32":
        return float("nan")
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0) / 1e6
