"""What work refers to instead of containing it: data, and what is made of data, which a process is sent once.

Such an object has a key that names its content. In the pickles that go to the process that computes, and in those that
come back, the key stands for it (`pages.shared.work.process.pickling`).
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from core.analysis.evaluation import FoldJudge
from core.data import RankingData
from core.methods import Training
from pages.shared.work.process.excerpt import Excerpt

SHARED = (RankingData, Training, FoldJudge)
"""Types whose objects are sent once for each process, and known there by the fingerprint of their content."""
Kind = TypeVar("Kind")


class References:
    """Objects for which a key stands in a pickle.

    Parameters
    ----------
    objects : dict
        Objects that the reading process has already, by key.
    growing : bool
        Whether the reader will be given all objects of shared types, and all excerpts: those that the pickle refers to
        are then added to ``objects``, each after its parts.
    """

    def __init__(self, objects: dict[str, Any], *, growing: bool) -> None:
        self.objects, self.growing = objects, growing

    def key(self, shared: Any) -> str | None:
        """Return the key of an object; None where it has to be pickled."""
        key = key_of(shared)
        if self.growing and key not in self.objects:
            for part in _parts(shared):
                self.key(part)
            self.objects[key] = shared
        return key if key in self.objects else None

    def of_kind(self, kind: type[Kind]) -> Iterator[Kind]:
        """The known objects of a type."""
        return (shared for shared in self.objects.values() if isinstance(shared, kind))


_references: ContextVar[References | None] = ContextVar("references", default=None)


def current() -> References | None:
    """What is referred to by this thread; None outside `referring`."""
    return _references.get()


@contextmanager
def referring(references: References) -> Iterator[None]:
    """Within it, what is pickled and unpickled refers to these objects."""
    before = _references.set(references)
    try:
        yield
    finally:
        _references.reset(before)


def key_of(shared: Any) -> str:
    """Return the key of an object: equal for equal content."""
    return shared.key if isinstance(shared, Excerpt) else f"{type(shared).__name__} {shared.fingerprint}"


def _parts(shared: Any) -> tuple[RankingData, ...]:
    if isinstance(shared, Training):
        return (shared.data,)
    return tuple(shared.fold.parts().values()) if isinstance(shared, FoldJudge) else ()


class Sent:
    """What one process has been sent, as long as anybody here has an object of the same content."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._holders: dict[str, weakref.WeakSet[Any]] = {}

    def has(self, key: str, shared: Any) -> bool:
        """Whether the process has it; this object keeps it there from now on."""
        holders = self._holders.setdefault(key, weakref.WeakSet())
        known = len(holders) > 0
        holders.add(shared)
        return known

    def lacks(self, key: str) -> None:
        """It could not be sent."""
        self._holders.pop(key, None)

    def forgotten(self) -> list[str]:
        """Return the keys of objects that are no longer referenced, each key once."""
        keys = [key for key, holders in self._holders.items() if not len(holders)]
        for key in keys:
            del self._holders[key]
        return keys
