"""The one cache of this server: results, pictures and data by their content, for all visitors.

A key is the digest of everything that the result depends on (`pages.shared.content`) and of the code of the function
that makes it, so two visitors share a result if, and only if, it is the same. Entries count with all that they hold;
those that are used least recently go where the bound is reached, and those of a visitor's file go with that file. What
is kept must not be changed.
"""

from __future__ import annotations

import inspect
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, update_wrapper
from typing import Any, Generic, Literal, ParamSpec, TypeVar

import streamlit as st

from pages.shared.content import content_key
from pages.shared.server.streamlit_private import on_a_page
from pages.shared.weight import weight_of

Built = TypeVar("Built")
Asked = ParamSpec("Asked")
Room = Literal["data", "results"]
DAY = 86_400.0
"""Seconds after which an entry that nobody has asked for goes."""
MOST_BYTES = 160_000_000
"""Of all results together."""
MOST_DATA = 2_000_000_000
"""Bytes of all data together, or a quarter of this machine's memory where that is less."""
LEAST_DATA = 6
"""Entries of data that stay though they are larger than the bound: what one page needs of one fold."""
WEIGHED_AGAIN = 60.0
"""Seconds after which data that is asked for is weighed again: it keeps what has been derived from it."""
_OF_ENTRY = 600
"""Bytes of an entry besides its value: its key, its place among others and what is known of it."""
_USED = "uploads_used"


@dataclass(eq=False)
class _Entry:
    value: Any
    uploads: frozenset[str]
    made: float
    asked: float
    weighed: float = 0.0
    small: int = 0
    large: Mapping[int, int] = field(default_factory=dict)


@dataclass(eq=False)
class _Building:
    """Somebody makes a value; others who want the same wait."""

    uploads: frozenset[str]
    lock: threading.Lock = field(default_factory=threading.Lock)
    wanted: int = 0
    outlived: bool = False
    """Whether a file that it is made from has gone meanwhile."""


class Cache:
    """Values by key, within a bound of bytes and of age.

    Parameters
    ----------
    most_bytes : int
        What all values may hold together; what several hold counts once.
    least : int
        How many of the last ones stay whatever they weigh.
    most_seconds : float
        The age at which a value goes that nobody has asked for since.
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
        weighed_again: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.most_bytes, self._least, self._most_seconds = most_bytes, least, most_seconds
        self._weighed_again, self._clock = weighed_again, clock
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._holders: dict[int, int] = {}
        self._bytes = 0
        self._under_way: dict[bytes, _Building] = {}
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
        """The value of a key, built where nobody has; who asks for the same meanwhile waits for it.

        What raises is not kept, and whoever waited builds it himself.

        Parameters
        ----------
        key : bytes
            From `content_key`.
        build : callable
        uploads : callable
            Gives the sha256 of the visitors' files that it is made from; it goes with the first of them. Called where
            it is built.
        most_seconds : float, optional
            How old it may be at most.
        worth : callable
            Whether a value that was built is kept.
        """
        known = self._known(key, most_seconds)
        if known is not None:
            found: Built = known[0]
            return found
        used = uploads()
        with self._turn(key, used) as building:
            known = self._known(key, most_seconds)
            if known is None:
                known = (build(),)
                if worth(known[0]) and not building.outlived:
                    self._keep(key, known[0], used)
        return known[0]

    def peek(self, key: bytes) -> tuple[Any] | None:
        """The value of a key in a tuple, or None; nothing is built."""
        return self._known(key, None)

    def put(self, key: bytes, value: object, *, uploads: frozenset[str] = frozenset()) -> None:
        """Keep a value in place of any other of this key."""
        self._keep(key, value, uploads)

    def drop(self, key: bytes) -> None:
        """Forget a value, if there is one."""
        with self._lock:
            self._remove(key)

    def drop_upload(self, digest: str) -> None:
        """Forget everything that was made from a visitor's file, and keep nothing that is being made from it."""
        with self._lock:
            for building in self._under_way.values():
                building.outlived |= digest in building.uploads
            for key in [key for key, entry in self._entries.items() if digest in entry.uploads]:
                self._remove(key)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._holders.clear()
            self._bytes = 0

    @property
    def n_bytes(self) -> int:
        """What all values hold together, with their keys."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)

    @contextmanager
    def _turn(self, key: bytes, uploads: frozenset[str]) -> Iterator[_Building]:
        with self._lock:
            building = self._under_way.setdefault(key, _Building(uploads))
            building.uploads |= uploads
            building.wanted += 1
        try:
            with building.lock:
                yield building
        finally:
            with self._lock:
                building.wanted -= 1
                if not building.wanted:
                    self._under_way.pop(key, None)

    def _known(self, key: bytes, most_seconds: float | None) -> tuple[Any] | None:
        with self._lock:
            entry, now = self._entries.get(key), self._clock()
            if entry is None:
                return None
            if now - entry.asked > self._most_seconds or (most_seconds is not None and now - entry.made > most_seconds):
                self._remove(key)
                return None
            entry.asked = now
            self._entries.move_to_end(key)
            if self._weighed_again is not None and now - entry.weighed > self._weighed_again:
                self._count(entry, -1)
                self._weigh(entry)
                self._count(entry, 1)
                self._make_room()
            return (entry.value,)

    def _keep(self, key: bytes, value: object, uploads: frozenset[str]) -> None:
        now = self._clock()
        entry = _Entry(value, uploads, now, now)
        self._weigh(entry)
        with self._lock:
            self._remove(key)
            self._entries[key] = entry
            self._count(entry, 1)
            self._make_room()

    def _weigh(self, entry: _Entry) -> None:
        small, entry.large = weight_of(entry.value)
        entry.small, entry.weighed = small + _OF_ENTRY, self._clock()

    # What follows holds the lock.

    def _make_room(self) -> None:
        """Let go what nobody has asked for in time, and then what was asked for longest ago."""
        oldest = self._clock() - self._most_seconds
        while self._entries:
            key, entry = next(iter(self._entries.items()))
            if entry.asked >= oldest and (self._bytes <= self.most_bytes or len(self._entries) <= self._least):
                break
            self._remove(key)

    def _count(self, entry: _Entry, by: int) -> None:
        self._bytes += by * entry.small
        for part, size in entry.large.items():
            before = self._holders.get(part, 0)
            if before + by:
                self._holders[part] = before + by
            else:
                del self._holders[part]
            self._bytes += by * size if not before or not before + by else 0

    def _remove(self, key: bytes) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._count(entry, -1)


def _memory() -> int:
    """The bytes of this machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 4 << 30


ROOMS: dict[Room, Cache] = {
    "data": Cache(min(MOST_DATA, _memory() // 4), least=LEAST_DATA, weighed_again=WEIGHED_AGAIN),
    "results": Cache(MOST_BYTES),
}


class Cached(Generic[Asked, Built]):
    """A function whose results are kept; by `cached`."""

    def __init__(
        self, function: Callable[Asked, Built], room: Room, says: str, seconds: float | None,
        worth: Callable[[Built], bool],
    ) -> None:  # fmt: skip
        update_wrapper(self, function)
        self._function, self._says, self._seconds, self._worth = function, says, seconds, worth
        self._room: Room = room
        self._signature = inspect.signature(function)
        in_order = all(one.kind is one.POSITIONAL_OR_KEYWORD for one in self._signature.parameters.values())
        self._all = len(self._signature.parameters) if in_order else None

    def __call__(self, *args: Asked.args, **kwargs: Asked.kwargs) -> Built:
        """The result for these arguments, from whoever has asked first."""

        def build() -> Built:
            with st.spinner(self._says) if self._says and on_a_page() else nullcontext():
                return self._function(*args, **kwargs)

        return ROOMS[self._room].find(
            self.key(*args, **kwargs), build, uploads=uploads_used, most_seconds=self._seconds, worth=self._worth
        )

    def key(self, *args: Asked.args, **kwargs: Asked.kwargs) -> bytes:
        """The digest of the arguments and of the function's code.

        Raises
        ------
        TypeError
            If an argument has no content that can be read.
        """
        if not kwargs and len(args) == self._all:  # what binding them would give, without
            return content_key(self._code, *args, {})
        given = self._signature.bind(*args, **kwargs)
        given.apply_defaults()
        return content_key(self._code, *given.args, given.kwargs)

    def forget(self, *args: Asked.args, **kwargs: Asked.kwargs) -> None:
        """Work it out again the next time."""
        ROOMS[self._room].drop(self.key(*args, **kwargs))

    @cached_property
    def _code(self) -> bytes:
        """The digest of the function's name and source; the modules that it calls are those of this process."""
        function = self._function
        return content_key(function.__module__, function.__qualname__, inspect.getsource(function))


def cached(
    *,
    room: Room = "results",
    says: str = "",
    seconds: float | None = None,
    worth: Callable[[Any], bool] = lambda _: True,
) -> Callable[[Callable[Asked, Built]], Cached[Asked, Built]]:
    """Decorator: keep the results of a function by the content of all its arguments.

    The function must depend on nothing else: neither on session state nor on the address.

    Parameters
    ----------
    room : {"data", "results"}
        Whose bound of bytes counts.
    says : str
        What stands on the page while it is worked out; empty for nothing.
    seconds : float, optional
        How long a result holds at most.
    worth : callable
        Whether a result is kept.
    """
    return lambda function: Cached(function, room, says, seconds, worth)


def kept(
    name: str,
    of: object,
    build: Callable[[], Built],
    *,
    says: str = "",
    worth: Callable[[Built], bool] = lambda _: True,
) -> Built:
    """What ``build`` makes of ``of``, from whoever has asked for the same ``name`` and the same content before.

    For pictures and tables, whose builders are closures: ``of`` names everything that they read. ``says`` and
    ``worth`` as for `cached`.
    """

    def built() -> Built:
        with st.spinner(says) if says and on_a_page() else nullcontext():
            return build()

    return ROOMS["results"].find(content_key("kept", name, of), built, uploads=uploads_used, worth=worth)


class Results:
    """Results of one kind by key, which work writes as it goes on, for all visitors.

    Parameters
    ----------
    kind : str
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._uploads = uploads_used()

    def __contains__(self, key: object) -> bool:
        return ROOMS["results"].peek(self._key(key)) is not None

    def __getitem__(self, key: object) -> Any:
        found = ROOMS["results"].peek(self._key(key))
        if found is None:
            raise KeyError(key)
        return found[0]

    def __setitem__(self, key: object, value: object) -> None:
        ROOMS["results"].put(self._key(key), value, uploads=self._uploads)

    def get(self, key: object) -> Any:
        """The result of a key; None if it is not known."""
        found = ROOMS["results"].peek(self._key(key))
        return None if found is None else found[0]

    def drop(self, key: object) -> None:
        """Forget the result of a key."""
        ROOMS["results"].drop(self._key(key))

    def _key(self, key: object) -> bytes:
        return content_key("result", self._kind, key)


def single(make: Callable[[], Built]) -> Single[Built]:
    """Decorator: one object a server, made when it is first asked for, which stays as long as the server does."""
    return Single(make)


class Single(Generic[Built]):
    """An object of which a server has one; by `single`."""

    def __init__(self, make: Callable[[], Built]) -> None:
        update_wrapper(self, make)
        self._make, self._lock = make, threading.RLock()
        self._made: tuple[Built] | None = None

    def __call__(self) -> Built:
        """The object."""
        made = self._made
        if made is None:
            with self._lock:
                made = self._made = self._made or (self._make(),)
        return made[0]

    def clear(self) -> None:
        """Make another one the next time, as a new server would."""
        self._made = None


def begin_run() -> None:
    """A page is drawn anew: which files it uses is yet to be seen."""
    st.session_state[_USED] = frozenset()


def use_upload(digest: str) -> None:
    """What is made from now on in this run of a page depends on a visitor's file."""
    if digest and on_a_page():
        st.session_state[_USED] = uploads_used() | {digest}


def uploads_used() -> frozenset[str]:
    """The files that this run of a page has used so far, as sha256 of their contents."""
    return st.session_state.get(_USED, frozenset()) if on_a_page() else frozenset()


def drop_upload(digest: str) -> None:
    """Forget everything that was made from a visitor's file."""
    for room in ROOMS.values():
        room.drop_upload(digest)


def n_bytes() -> int:
    """What is kept in all rooms together, in bytes."""
    return sum(room.n_bytes for room in ROOMS.values())


def clear() -> None:
    """Forget everything that is kept."""
    for room in ROOMS.values():
        room.clear()


def called(thing: Built | Callable[[], Built]) -> Built:
    """The thing itself, or what it makes."""
    return thing() if callable(thing) else thing
