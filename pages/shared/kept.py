"""What pages have built, kept on this server: forty who open a link see one picture, which was built once.

A key names everything that the thing is built from: plain values, and objects that never change, which count by what
they are, not by what they contain (``eq=False``).
"""

from __future__ import annotations

import inspect
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

Built = TypeVar("Built")
Asked = ParamSpec("Asked")
MOST = 6000
MOST_BYTES = 160_000_000
USUAL_BYTES = 50_000
"""Of what does not tell its size."""


class Shelf:
    """The things last asked for, by key.

    Parameters
    ----------
    most : int
        How many.
    most_bytes : int
        How large they may be together; what tells no size counts as `USUAL_BYTES`.
    """

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._things: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._under_way: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def find(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """The thing of this key, built where nobody has; whoever asks for the same meanwhile waits for it."""
        known = self._known(key)
        if known is None:
            with self._lock:
                building = self._under_way.setdefault(key, threading.Lock())
            with building:
                known = self._known(key)
                if known is None:
                    known = (build(),)
                    self._keep(key, known[0])
            with self._lock:
                self._under_way.pop(key, None)
        built: Built = known[0]
        return built

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._things.clear()
            self._bytes = 0

    @property
    def n_bytes(self) -> int:
        """How large the things are together."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._things)

    def _known(self, key: Hashable) -> tuple[Any] | None:
        with self._lock:
            found = self._things.get(key)
            if found is None:
                return None
            self._things.move_to_end(key)
            return (found[0],)

    def _keep(self, key: Hashable, thing: object) -> None:
        size = int(getattr(thing, "n_bytes", USUAL_BYTES))
        with self._lock:
            self._bytes += size - self._things.pop(key, (None, 0))[1]
            self._things[key] = (thing, size)
            while len(self._things) > 1 and (len(self._things) > self._most or self._bytes > self._most_bytes):
                self._bytes -= self._things.popitem(last=False)[1][1]


_SHELF = Shelf()


def kept(key: Hashable, build: Callable[[], Built]) -> Built:
    """What ``build`` makes, from whoever has asked for the same key before on this server. It must not be changed."""
    return _SHELF.find(key, build)


def kept_bytes() -> int:
    """How large everything is together that is kept on this server."""
    return _SHELF.n_bytes


class Once(Generic[Asked, Built]):
    """A function whose last results are at hand, for all visitors; by `once`."""

    def __init__(self, function: Callable[Asked, Built], most: int, says: str, seconds: float | None) -> None:
        update_wrapper(self, function)
        self._function, self._says, self._seconds = function, says, seconds
        self._results = Shelf(most)
        parameters = inspect.signature(function).parameters
        self._told = [not name.startswith("_") for name in parameters]
        self._usual = [(name, parameter.default) for name, parameter in parameters.items()]

    def __call__(self, *args: Asked.args, **kwargs: Asked.kwargs) -> Built:
        """The result for these arguments, from whoever has asked first."""
        given = (*args, *(kwargs.get(name, usual) for name, usual in self._usual[len(args) :]))
        key: tuple[Hashable, ...] = tuple(thing for thing, told in zip(given, self._told, strict=True) if told)
        if self._seconds is not None:
            key += (time.monotonic() // self._seconds,)

        def work() -> Built:
            with st.spinner(self._says) if self._says and on_a_page() else nullcontext():
                return self._function(*args, **kwargs)

        return self._results.find(key, work)

    def clear(self) -> None:
        """Forget all results."""
        self._results.clear()


def once(
    most: int = 1, says: str = "", seconds: float | None = None
) -> Callable[[Callable[Asked, Built]], Once[Asked, Built]]:
    """Decorator: work a function out once a server for the same arguments, as ``st.cache_resource`` does.

    For what a page asks for dozens of times: Streamlit takes the arguments apart to hash them, which costs a known
    page a sixth of its time. Here they are told apart as keys of a dictionary are; those that begin with an underscore
    do not count, as in Streamlit. Results must not be changed; what raises is not kept.

    Parameters
    ----------
    most : int
        How many results are at hand, the ones last asked for.
    says : str
        What stands on the page while it is worked out; empty for nothing.
    seconds : float, optional
        How long a result holds at most.
    """
    return lambda function: Once(function, most, says, seconds)


def on_a_page() -> bool:
    """Whether a page's script runs here, which can show something."""
    return get_script_run_ctx(suppress_warning=True) is not None


def called(thing: Built | Callable[[], Built]) -> Built:
    """The thing itself, or what it makes."""
    return thing() if callable(thing) else thing


def clear() -> None:
    """Forget everything that pages have built."""
    _SHELF.clear()
