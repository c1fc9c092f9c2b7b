"""How many threads a measurement may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

from core.losses.threads import thread_count

_VARIABLE = "SPARSE_RANK_THREADS"


@contextmanager
def limited_to(threads: int | None) -> Iterator[str]:
    """Limit the kernels' threads and BLAS's; None leaves both as a user finds them.

    Yields
    ------
    str
        The thread count in words, for the report.
    """
    if threads is None:
        yield f"all threads ({thread_count()})"
        return
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = str(threads)
    try:
        with threadpool_limits(threads):
            yield "1 thread" if threads == 1 else f"{threads} threads"
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before
