"""How many worker processes the machine has room for."""

from __future__ import annotations

import os
from pathlib import Path

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


def workers_that_fit(wanted: int, fold_bytes: int, free: int | None) -> int:
    """At most ``wanted``, at least 1: as many as have room side by side.

    Parameters
    ----------
    wanted : int
    fold_bytes : int
        Size of the features of the largest fold.
    free : int or None
        From `free_bytes`.
    """
    if free is None:
        return max(wanted, 1)
    return max(1, min(wanted, int(SHARE * free) // worker_need(fold_bytes)))


def free_bytes() -> int | None:
    """Memory that is free for use, the limit of a container included; None where the system does not tell."""
    known = [found for found in (_system_free(), *(_group_free(*files) for files in _CGROUPS)) if found is not None]
    return min(known, default=None)


def _system_free() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:  # a system without /proc: half of what is built in is a cautious guess
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return None


def _group_free(limit: Path, used: Path) -> int | None:
    try:
        return max(int(limit.read_text()) - int(used.read_text()), 0)
    except (OSError, ValueError):  # no such group, or a limit of "max"
        return None
