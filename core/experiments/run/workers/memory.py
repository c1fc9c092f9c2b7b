"""How many worker processes the machine has room for."""

from __future__ import annotations

from pathlib import Path

import psutil

WORKER_BYTES = 300 * 2**20
"""Of a worker without data: the interpreter, numpy, scipy and the compiled kernels."""
COPIES = 3
"""A worker holds a fold, and at most about twice as much beside it: a block in float64, columns in another order."""
SHARE = 0.8
"""Of the free memory; the rest is for whatever else happens meanwhile."""
_CGROUPS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


def worker_need(fold_bytes: int) -> int:
    """Bytes that a worker needs for folds whose features take up so many."""
    return WORKER_BYTES + COPIES * fold_bytes


def workers_that_fit(wanted: int, fold_bytes: int, free: int) -> int:
    """At most ``wanted``, at least 1: as many as have room side by side.

    Parameters
    ----------
    wanted : int
    fold_bytes : int
        Size of the features of the largest fold.
    free : int
        From `free_bytes`.
    """
    return max(1, min(wanted, int(SHARE * free) // worker_need(fold_bytes)))


def free_bytes() -> int:
    """Memory that is free for use, the limit of a container included."""
    machine: int = psutil.virtual_memory().available
    in_groups = (_group_free(*files) for files in _CGROUPS)
    return min([machine, *(free for free in in_groups if free is not None)])


def _group_free(limit: Path, used: Path) -> int | None:
    try:
        return max(int(limit.read_text()) - int(used.read_text()), 0)
    except (OSError, ValueError):  # no such group, or a limit of "max"
        return None
