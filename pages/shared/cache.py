"""The one cache of this server: results, pictures and data by their content, for all visitors.

A key is the digest of everything that the result depends on (`core.content`) and of the code of the function
that makes it, so two visitors share a result if, and only if, it is the same. Entries count with all that they hold;
those that are used least recently go where the bound is reached, and those of a visitor's file go with that file. What
is kept must not be changed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache, wraps
from typing import Any, Literal, ParamSpec, TypeVar

import psutil
import streamlit as st

from core.content import content_key
from core.work import KeyedWork
from pages.shared.bounded_cache import Cache
from pages.shared.server.visits import on_a_page

Built = TypeVar("Built")
Asked = ParamSpec("Asked")
Room = Literal["data", "results"]
MOST_BYTES = 160_000_000
"""Of all results together."""
MOST_DATA = 2_000_000_000
"""Bytes of all data together, or a quarter of this machine's memory where that is less."""
LEAST_DATA = 7
"""Entries of data that stay though they are larger than the bound: what one page needs of one fold."""
WEIGHED_AGAIN = 60.0
"""Seconds after which data that is asked for is weighed again: it keeps what has been derived from it."""
_USED = "uploads_used"


ROOMS: dict[Room, Cache] = {
    "data": Cache(min(MOST_DATA, psutil.virtual_memory().total // 4), least=LEAST_DATA, weighed_again=WEIGHED_AGAIN),
    "results": Cache(MOST_BYTES),
}


def cached(
    *,
    room: Room = "results",
    says: str = "",
    seconds: float | None = None,
    version: Callable[[Any], object] | None = None,
) -> Callable[[Callable[Asked, Built]], Callable[Asked, Built]]:
    """Decorator: keep the results of a function by the content of all its arguments.

    The function must depend on nothing else: neither on session state nor on the address. Its key names it with its
    source; the modules that it calls are those of this process.

    Parameters
    ----------
    room : {"data", "results"}
        Whose bound of bytes counts.
    says : str
        What stands on the page while it is worked out; empty for nothing.
    seconds : float, optional
        How long a result holds at most.
    version : callable, optional
        Takes the first argument, returns the state of what it names, such as of files, which counts as an argument.

    Raises
    ------
    TypeError
        Where it is called, if an argument has no content that can be read.
    """

    def keeping(function: Callable[Asked, Built]) -> Callable[Asked, Built]:
        signature = inspect.signature(function)
        in_order = all(one.kind is one.POSITIONAL_OR_KEYWORD for one in signature.parameters.values())

        @cache
        def code() -> bytes:
            return content_key(function.__module__, function.__qualname__, inspect.getsource(function))

        @wraps(function)
        def found(*args: Asked.args, **kwargs: Asked.kwargs) -> Built:
            state = () if version is None else (version(args[0]),)
            if in_order and not kwargs and len(args) == len(signature.parameters):
                key = content_key(code(), *state, *args, {})  # what binding them gives, without
            else:
                given = signature.bind(*args, **kwargs)
                given.apply_defaults()
                key = content_key(code(), *state, *given.args, given.kwargs)
            build = _saying(says, lambda: function(*args, **kwargs))
            made: Built = ROOMS[room].find(key, build, uploads=uploads_used, most_seconds=seconds)
            return made

        return found

    return keeping


def _saying(says: str, build: Callable[[], Built]) -> Callable[[], Built]:
    def said() -> Built:
        with st.spinner(says) if says and on_a_page() else nullcontext():
            return build()

    return said


def kept(
    name: str,
    of: object,
    build: Callable[[], Built],
    *,
    says: str = "",
    worth: Callable[[Built], bool] = lambda _: True,
) -> Built:
    """What ``build`` makes of ``of``, cached among the `Results` of that name for all sessions.

    For pictures and tables, whose builders are closures: ``of`` names everything that they read. ``says`` as
    for `cached`; ``worth`` tells whether a result is kept.
    """
    return ROOMS["results"].find(_key(name, of), _saying(says, build), uploads=uploads_used, worth=worth)


def _key(kind: str, of: object) -> bytes:
    return content_key("result", kind, of)


class Results:
    """Results of one kind by key, which work writes as it goes on, for all visitors."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._uploads = uploads_used()

    def __contains__(self, key: object) -> bool:
        return self._peek(key) is not None

    def __getitem__(self, key: object) -> Any:
        found = self._peek(key)
        if found is None:
            raise KeyError(key)
        return found[0]

    def __setitem__(self, key: object, value: object) -> None:
        ROOMS["results"].put(_key(self._kind, key), value, uploads=self._uploads)

    def get(self, key: object) -> Any:
        """The result of a key; None if it is not known."""
        return (self._peek(key) or (None,))[0]

    def take(self, known: set[str] | dict[str, Any], run: KeyedWork[Any]) -> None:
        """Add what work has found so far, also to what it leaves out where it begins anew."""
        for key, value in run.found:
            if key not in self:
                self[key] = value
        known.update(dict(run.found))

    def drop(self, key: object) -> None:
        """Forget the result of a key."""
        ROOMS["results"].drop(_key(self._kind, key))

    def _peek(self, key: object) -> tuple[Any] | None:
        return ROOMS["results"].peek(_key(self._kind, key))


def begin_run() -> None:
    """A page is drawn anew: which files it uses is yet to be seen."""
    st.session_state.pop(_USED, None)


def use_upload(digest: str) -> None:
    """What is made from now on in this run of a page depends on a visitor's file."""
    if digest and on_a_page():
        st.session_state[_USED] = uploads_used() | {digest}
        for room in ROOMS.values():
            room.use_upload(digest)


def uploads_used() -> frozenset[str]:
    """The files that this run of a page has used so far, as sha256 of their contents."""
    return st.session_state.get(_USED, frozenset()) if on_a_page() else frozenset()


def drop_upload(digest: str) -> None:
    """Forget everything that was made from a visitor's file; work on it that still goes on leaves nothing."""
    for room in ROOMS.values():
        room.drop_upload(digest)


def n_bytes() -> int:
    """What is kept in all rooms together, in bytes."""
    return sum(room.n_bytes for room in ROOMS.values())


def clear() -> None:
    """Forget everything that is kept."""
    for room in ROOMS.values():
        room.clear()
