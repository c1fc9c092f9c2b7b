"""Arrays in memory of their own: what a worker computes on must round as it does in one process."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

ALIGNMENT = 16
"""Bytes to which the system's allocator aligns; part of a network buffer that is itself an array may lie anywhere."""


def own(value: Any) -> Any:
    """Copy arrays that came over the network into memory of their own; see `core.experiments.run.workers.dask_workers`.

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
