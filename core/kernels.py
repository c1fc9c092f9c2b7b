"""Compiled kernels, and how a process leaves compiling them to another one.

Compiling takes seconds, in which no other thread of the process runs. A server's pages therefore leave it to the
process that computes, and load from the cache what that has compiled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numba import njit
from numba.core import event
from numpy.typing import NDArray

Asked = ParamSpec("Asked")
Result = TypeVar("Result")
Scalar = TypeVar("Scalar", bound=np.generic)
Others = Callable[[str], None]

compiled_here: set[str] = set()
"""Names of the kernels that this process has compiled, not loaded."""
_others: Others | None = None
_this_thread = threading.local()


class NotCompiledError(Exception):
    """A kernel is not in the cache."""


def kernel(function: Callable[Asked, Result]) -> Callable[Asked, Result]:
    """Decorator: compile a function that Python calls; what kernels call is plain `numba.njit`.

    A function that both call is compiled already. Where `leave_compiling_to` says so, a call that would have to compile
    waits for others first.
    """
    compiled: Callable[Asked, Result] = (
        function if hasattr(function, "py_func") else njit(nogil=True, cache=True)(function)
    )

    @wraps(function)
    def call(*args: Asked.args, **kwargs: Asked.kwargs) -> Result:
        try:
            return compiled(*args, **kwargs)
        except NotCompiledError:
            if getattr(_this_thread, "only_loads", False):
                raise
        if _others is not None:
            _others(function.__name__)
        _this_thread.compiles = True  # what they have not compiled either
        try:
            return compiled(*args, **kwargs)
        finally:
            _this_thread.compiles = False

    vars(call)["compiled"] = compiled
    return call


def read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return a contiguous array that cannot be written: kernels are compiled for either, and so for one only."""
    fixed = np.ascontiguousarray(array).view()
    fixed.setflags(write=False)
    return fixed


def leave_compiling_to(others: Others | None) -> None:
    """Have this called, with a kernel's name, before the kernel would be compiled here.

    It returns once the cache has the kernel, or never will. None: kernels are compiled where they are called.
    """
    global _others
    _others = others


def is_cached(load: Callable[[], object]) -> bool:
    """Whether all kernels that a function calls are in the cache, from which it loads them; nothing is compiled."""
    _this_thread.only_loads = True
    try:
        load()
    except NotCompiledError:
        return False
    finally:
        _this_thread.only_loads = False
    return True


class _Compiling(event.Listener):
    def on_start(self, event: Any) -> None:
        elsewhere = _others is not None and not getattr(_this_thread, "compiles", False)
        if elsewhere or getattr(_this_thread, "only_loads", False):
            _this_thread.refused = True
            raise NotCompiledError

    def on_end(self, event: Any) -> None:
        if not getattr(_this_thread, "refused", False):
            compiled_here.add(event.data["dispatcher"].py_func.__name__)
        _this_thread.refused = False


event.register("numba:compile", _Compiling())  # type: ignore[no-untyped-call]
