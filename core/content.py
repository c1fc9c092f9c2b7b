"""Digests of content: what a result depends on, as a key of caches and jobs.

Equal content has the same digest in every session; two things that differ in anything that they consist of have not.
What has no content that could be read, such as a closure or an open file, is refused.
"""

from __future__ import annotations

import hashlib
import marshal
import weakref
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property, partial
from pathlib import PurePath
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

Item = TypeVar("Item")
_PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes))
_LONG = 64
"""Bytes of an array up to which it stands in the digest's text as it is."""
_readings: dict[type, Callable[[Any], Any]] = {}
"""How things of a kind are read, found once a kind."""
_known: dict[int, tuple[weakref.ref[Any], bytes]] = {}
"""Digests of frozen objects that are alive, by their identity: a path is read once, not once a picture."""


def content_key(*things: object) -> bytes:
    """The digest of things by their content, 32 bytes.

    Plain values, arrays, collections and dataclasses of such, functions of modules, and whatever tells its content by
    a property ``fingerprint``. A tuple and a list of the same items count as the same; so do sets in any order. Fields
    by which a dataclass does not compare itself do not count: others name what they hold.

    Raises
    ------
    TypeError
        If something has no content that can be read.
    """
    return hashlib.blake2b(marshal.dumps([_plain(thing) for thing in things], 2), digest_size=32).digest()


def text_key(*things: object) -> str:
    """The same as 64 hexadecimal digits, for jobs and names."""
    return content_key(*things).hex()


class Series(tuple[Item, ...]):
    """A tuple whose digest is found once: for hundreds of things that many results depend on."""

    @cached_property
    def fingerprint(self) -> bytes:
        """The digest of its items."""
        return content_key(tuple(self))


def _plain(thing: Any) -> Any:
    """The thing as `marshal` can write it, with the name of its kind."""
    kind = type(thing)
    if kind in _PLAIN:
        return thing
    if kind is tuple or kind is list:
        return [item if type(item) in _PLAIN else _plain(item) for item in thing]
    read = _readings.get(kind)
    if read is None:
        read = _readings[kind] = _reading(kind)
    return read(thing)


def _reading(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, np.ndarray):
        return _array
    if issubclass(kind, np.generic):
        return lambda thing: ("array", thing.dtype.str, (), thing.tobytes())
    if issubclass(kind, Enum):
        return lambda thing: (_name(kind), thing.name)
    if issubclass(kind, (FunctionType, type)):
        return lambda thing: ("function", _name(thing))
    if issubclass(kind, partial):
        return lambda thing: ("partial", _plain(thing.func), _plain(thing.args), _plain(thing.keywords))
    if issubclass(kind, Mapping):
        return lambda thing: ("mapping", [[_plain(key), _plain(value)] for key, value in thing.items()])
    if issubclass(kind, Set):
        return lambda thing: ("set", sorted(marshal.dumps(_plain(item), 2) for item in thing))
    if issubclass(kind, PurePath):
        return lambda thing: ("path", str(thing))
    if isinstance(getattr(kind, "fingerprint", None), (property, cached_property)):
        return lambda thing: (_name(kind), thing.fingerprint)
    if is_dataclass(kind):
        how = kind.__dataclass_params__  # type: ignore[attr-defined]
        read = partial(_record, tuple(one.name for one in fields(kind) if one.compare or not how.eq))
        return partial(_frozen, read) if how.frozen else read
    if issubclass(kind, str):  # of a kind of its own, as the next
        return lambda thing: (_name(kind), str(thing))
    if issubclass(kind, tuple):
        return lambda thing: (_name(kind), [_plain(item) for item in thing])
    msg = f"{_name(kind)} has no content that a cache could tell apart: give what it is made from"
    raise TypeError(msg)


def _array(array: Any) -> tuple[Any, ...]:
    if array.dtype.hasobject:
        return ("objects", array.shape, [_plain(item) for item in array.ravel().tolist()])
    content = np.ascontiguousarray(array)
    if content.nbytes <= _LONG:
        return ("array", array.dtype.str, array.shape, content.tobytes())
    digest = hashlib.blake2b(content.reshape(-1).view(np.uint8).data, digest_size=32).digest()
    return ("array", array.dtype.str, array.shape, digest)


def _record(names: tuple[str, ...], thing: Any) -> Any:
    """A dataclass by its fields."""
    return _name(type(thing)), [_plain(getattr(thing, name)) for name in names]


def _frozen(read: Callable[[Any], Any], thing: Any) -> bytes:
    """The digest of a frozen dataclass, which is found once."""
    place = id(thing)
    known = _known.get(place)
    if known is not None and known[0]() is thing:
        return known[1]
    digest = hashlib.blake2b(marshal.dumps(read(thing), 2), digest_size=32).digest()
    with suppress(TypeError):  # with __slots__, small: read again next time
        _known[place] = (weakref.ref(thing, lambda _: _known.pop(place, None)), digest)
    return digest


def _name(thing: Any) -> str:
    """Of a class, or of a function of a module: what is made anew at every call has no name."""
    name = f"{thing.__module__}.{thing.__qualname__}"
    if "<" in name:
        msg = f"{name} is created at every call, so a cached result could not be found: give what it is made from"
        raise TypeError(msg)
    return name
