"""Objects of which a server has one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar

Built = TypeVar("Built")


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
