"""What pages have built, kept on this server: forty who open a link see one picture, which was built once.

A key names everything that the thing is built from: plain values, and objects that never change, which count by what
they are, not by what they contain (``eq=False``).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Built = TypeVar("Built")
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


def called(thing: Built | Callable[[], Built]) -> Built:
    """The thing itself, or what it makes."""
    return thing() if callable(thing) else thing


def clear() -> None:
    """Forget everything that pages have built."""
    _SHELF.clear()
