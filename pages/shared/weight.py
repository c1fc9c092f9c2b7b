"""How much memory a value holds, with everything that it refers to."""

from __future__ import annotations

import gc
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

LARGE = 4096
"""Bytes from which an array or a text counts once, however many entries refer to it."""
_LEAVES = (ModuleType, type, BuiltinFunctionType)
_FLOAT = sys.getsizeof(1.0)
_HEAD = 128
"""Bytes of an array besides its values."""


def weight_of(thing: object) -> tuple[int, dict[int, int]]:
    """The bytes that a value holds alone, and those of its large parts by identity, which others may hold, too.

    Modules, classes and what functions refer to by their module's names do not count.
    """
    small, large = 0, {}
    seen: set[int] = set()
    coming: list[Any] = [thing]
    while coming:
        one = coming.pop()
        if id(one) in seen or isinstance(one, _LEAVES):
            continue
        seen.add(id(one))
        size, held = _alone(one)
        rest = [part for part in held if type(part) is not float]
        if len(rest) < len(held):  # almost everything that is kept are curves
            size += _FLOAT * len({id(part) for part in held if type(part) is float})
        coming += rest
        if size >= LARGE:
            large[id(one)] = size
        else:
            small += size
    return small, large


def _alone(one: Any) -> tuple[int, list[Any]]:
    """The bytes of an object without what it refers to, and that."""
    if isinstance(one, np.ndarray):
        objects = one.ravel().tolist() if one.dtype.hasobject else []
        return (_HEAD + int(one.nbytes), objects) if one.base is None else (_HEAD, [one.base])
    if isinstance(one, FunctionType):
        return sys.getsizeof(one), [*(one.__closure__ or ()), *(one.__defaults__ or ())]
    if isinstance(one, tuple) and set(map(type, one)) == {str}:  # ids of documents, a million of them
        return sys.getsizeof(one) + sum(map(sys.getsizeof, one)), []
    if type(one).__module__.partition(".")[0] in ("pandas", "pyarrow"):  # each tells the size of all that it holds
        return max(sys.getsizeof(one), getattr(one, "nbytes", 0)), []
    return sys.getsizeof(one), gc.get_referents(one)
