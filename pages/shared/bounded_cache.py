"""Values by key, within a bound of bytes and of age, which go with the files that they are made from.

And objects of which a server has one, which stay.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, update_wrapper
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Generic, TypeVar

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


Built = TypeVar("Built")
DAY = 86_400.0
"""Seconds after its last use at which an entry is removed."""
_OF_ENTRY = 600
"""Bytes of an entry besides its value: its key, its place among others and what is known of it."""


@dataclass(eq=False)
class _Entry:
    value: Any
    uploads: frozenset[str]
    made: float
    asked: float
    weighed: float = 0.0
    small: int = 0
    large: Mapping[int, int] = field(default_factory=dict)


class Cache:
    """Values by key, within a bound of bytes and of age.

    Parameters
    ----------
    most_bytes : int
        What all values may hold together; what several hold counts once.
    least : int
        How many of the last ones stay whatever they weigh.
    most_seconds : float
        Seconds after its last use at which a value is removed.
    weighed_again : float, optional
        Seconds after which a value that is asked for is weighed again; by default values do not grow.
    clock : callable
        The time in seconds.
    """

    def __init__(
        self,
        most_bytes: int,
        *,
        least: int = 0,
        most_seconds: float = DAY,
        weighed_again: float = float("inf"),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most_bytes, self._least, self._most_seconds = most_bytes, least, most_seconds
        self._weighed_again, self._clock = weighed_again, clock
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._holders = Counter[int]()
        self.n_bytes = 0  # what all values hold together, with their keys
        self._uploads: set[str] = set()
        self._under_way: dict[bytes, threading.Event] = {}
        self._lock = threading.RLock()

    def find(
        self,
        key: bytes,
        build: Callable[[], Built],
        *,
        uploads: Callable[[], frozenset[str]] = frozenset,
        most_seconds: float | None = None,
        worth: Callable[[Built], bool] = lambda _: True,
    ) -> Built:
        """The value of a key, built once; concurrent requests for the same key wait for it.

        An error is not cached: a request that waited builds the value itself.

        Parameters
        ----------
        key : bytes
            From `content_key`.
        build : callable
        uploads : callable
            Gives the sha256 of the visitors' files that it is made from; it goes with the first of them, and is not
            kept if one has gone meanwhile. Called where it is built.
        most_seconds : float, optional
            How old it may be at most.
        worth : callable
            Whether a value that was built is kept.
        """
        ended = threading.Event()
        while True:
            with self._lock:
                known: tuple[Built] | None = self.peek(key, most_seconds)
                if known is not None:
                    return known[0]
                builder = self._under_way.setdefault(key, ended)
            if builder is ended:
                break
            builder.wait()
        try:
            used = uploads()
            value = build()
            if worth(value):
                self.put(key, value, uploads=used)
            return value
        finally:
            with self._lock:
                del self._under_way[key]
            ended.set()

    def peek(self, key: bytes, most_seconds: float | None = None) -> tuple[Any] | None:
        """The value of a key in a tuple, None where there is none, or it is older; nothing is built."""
        with self._lock:
            entry, now = self._entries.get(key), self._clock()
            if entry is None:
                return None
            if now - entry.asked > self._most_seconds or (most_seconds is not None and now - entry.made > most_seconds):
                self.drop(key)
                return None
            entry.asked = now
            self._entries.move_to_end(key)
            if now - entry.weighed > self._weighed_again:
                self._count(entry, -1)
                self._weigh(entry)
                self._count(entry, 1)
                self._make_room()
            return (entry.value,)

    def put(self, key: bytes, value: object, *, uploads: frozenset[str] = frozenset()) -> None:
        """Keep a value in place of any other of this key, unless a file that it is made from has gone."""
        now = self._clock()
        entry = _Entry(value, uploads, now, now)
        self._weigh(entry)
        with self._lock:
            if uploads <= self._uploads:
                self.drop(key)
                self._entries[key] = entry
                self._count(entry, 1)
                self._make_room()

    def drop(self, key: bytes) -> None:
        """Forget a value, if there is one."""
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._count(entry, -1)

    def use_upload(self, digest: str) -> None:
        """From now on, and until `drop_upload`, values that are made from this visitor's file are kept."""
        with self._lock:
            self._uploads.add(digest)

    def drop_upload(self, digest: str) -> None:
        """Forget everything that was made from a visitor's file; work on it that still goes on leaves nothing."""
        with self._lock:
            self._uploads.discard(digest)
            for key in [key for key, entry in self._entries.items() if digest in entry.uploads]:
                self.drop(key)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._holders.clear()
            self.n_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def _weigh(self, entry: _Entry) -> None:
        small, entry.large = weight_of(entry.value)
        entry.small, entry.weighed = small + _OF_ENTRY, self._clock()

    # What follows holds the lock.

    def _make_room(self) -> None:
        """Remove entries that have expired, then the least recently used ones."""
        oldest = self._clock() - self._most_seconds
        while self._entries:
            key, entry = next(iter(self._entries.items()))
            if entry.asked >= oldest and (self.n_bytes <= self.most_bytes or len(self._entries) <= self._least):
                break
            self.drop(key)

    def _count(self, entry: _Entry, by: int) -> None:
        """Count what an entry holds, or no longer; a large part counts from its first holder to its last."""
        self.n_bytes += by * entry.small
        for part, size in entry.large.items():
            self._holders[part] += by
            if self._holders[part] == (by > 0):
                self.n_bytes += by * size
            if not self._holders[part]:
                del self._holders[part]


class Single(Generic[Built]):
    """Decorator: one object a server, made when it is first asked for, which stays as long as the server does."""

    def __init__(self, make: Callable[[], Built]) -> None:
        update_wrapper(self, make)
        self._made, self._lock = cache(make), threading.RLock()

    def __call__(self) -> Built:
        """The object."""
        with self._lock:
            return self._made()

    def clear(self) -> None:
        """Make another one the next time, as a new server would."""
        self._made.cache_clear()
