"""Work in the process that computes, as a worker thread drives it."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from typing import Any, Protocol

from pages.shared.work.process.handle import Process, ProcessLostError
from pages.shared.work.process.messages import Reply
from pages.shared.work.process.travel import Excerpt, Seeing, maker_of, parcel

SLICE_SECONDS = 0.1
"""Of steps between two looks at whether the work is to stop."""


class Rests(Protocol):
    """Where work is remembered that is at rest."""

    def rests(self, run: RemoteRun) -> None:
        """Work has come to rest."""
        ...

    def works(self, run: RemoteRun) -> None:
        """Work goes on that rested."""
        ...


class RemoteRun:
    """Work in the process that computes.

    Attributes
    ----------
    done, extendable : bool
        Of the work.
    seen : object or None
        The work as it stood when it was looked at last; None before it has been made.
    """

    def __init__(self, fits: Rests, process: Process, number: int, make: Callable[[], Any]) -> None:
        self.number = number
        self.done = self.extendable = False
        self.seen: Any | None = None
        self._fits, self._process, self._make = fits, process, make
        self._seeing: Seeing | None = None
        self._extensions = 0
        self._cost = 0.0
        self._gone = False

    @property
    def gone(self) -> bool:
        """Whether it cannot go on: its process was lost, or has given it up."""
        return self._gone or self._process.lost

    def begin(self, line: int) -> None:
        """Make the work where it has not been, and raise limits that it was to raise."""
        self._fits.works(self)
        if self.gone:
            raise ProcessLostError
        if self._seeing is None:
            self._made(line)
        while self._extensions:
            self._extensions -= 1
            self._take(self._process.ask(line, "extend", self.number))

    def advance(self, line: int, *, single: bool) -> None:
        """Take a step, or as many as fit between two looks at whether the work is to stop."""
        cost, self._cost = self._cost, 0.0
        self._take(self._process.ask(line, "advance", self.number, 0.0 if single else SLICE_SECONDS, cost))

    def look(self, line: int) -> None:
        """See the work as it stands."""
        self._take(self._process.ask(line, "show", self.number))

    def extend(self) -> None:
        """Raise a limit before the next step."""
        self._extensions += 1
        self.done = False

    def stop(self) -> None:
        """Have the step under way be the last for now. Any thread may call it."""
        if not self.gone:
            self._process.interrupt(self.number)

    def rest(self) -> None:
        """Nothing is to be done for now."""
        self._fits.rests(self)

    def forget(self) -> None:
        """Give the work up."""
        if not self._gone:
            self._gone = True
            self._process.forgotten.append(self.number)

    def __del__(self) -> None:
        self.forget()

    def _made(self, line: int) -> None:
        process = self._process
        shared: dict[str, Any] = {}
        made = parcel(self._make, shared)
        data: dict[str, Any] = {}
        with process.sent.lock:
            works = [process.forgotten.popleft() for _ in range(len(process.forgotten))]
            if (keys := process.sent.forgotten()) or works:
                process.ask(line, "forget", works, keys)
            for key, one in shared.items():
                if isinstance(one, Excerpt):
                    continue
                if not process.sent.has(key, one):
                    try:
                        _raised(process.ask(line, "put", key, parcel=parcel(maker_of(one), dict(data))))
                    except BaseException:
                        process.sent.lacks(key)
                        raise
                data[key] = one
        self._seeing = Seeing(shared)
        self._take(process.ask(line, "make", self.number, list(data), parcel=made))

    def _take(self, answer: Reply) -> None:
        if answer.copy is not None and self._seeing is not None:
            begun = time.perf_counter()
            self.seen = self._seeing.work(answer.copy)
            self._cost += time.perf_counter() - begun
        self.done, self.extendable = answer.done, answer.extendable
        _raised(answer)


class _RemoteTraceback(Exception):
    """Where an exception was raised in the other process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _raised(answer: Reply) -> None:
    if answer.error is not None:
        error: Exception = pickle.loads(answer.error)
        raise error from _RemoteTraceback(answer.trace)
