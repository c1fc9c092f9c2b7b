"""The interface of work in steps, which runs beside a page or in a terminal, and base classes for it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

Step = TypeVar("Step")
Result = TypeVar("Result")


@runtime_checkable
class Work(Protocol):
    """Interface of work in steps. To stop is to take no further step, to resume is to take the next."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        ...

    @property
    def share(self) -> float:
        """Share of the work that is done, from 0 to 1."""
        ...

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the time left at the pace so far; None if it is unknown, as before the first step."""
        ...

    @property
    def problems(self) -> Mapping[str, str]:
        """Parts that were left out, by name, with the reason."""
        ...

    def advance(self) -> None:
        """Take one step."""
        ...


@runtime_checkable
class Extendable(Work, Protocol):
    """Interface of work that may reach a limit before its goal."""

    def extend(self) -> None:
        """Raise a limit that has been reached, to allow as much work again."""
        ...


class Snapshots:
    """Base of work whose state can be shown elsewhere: in the web process, where a worker process does the work.

    Its pickle is a snapshot: of the same class and plain data. It says all that the work says of itself, but it cannot
    go on.
    """

    only_at_work: ClassVar[tuple[str, ...]] = ()
    """Attributes that only work under way needs, such as a generator or a function: snapshots are without them."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self.only_at_work}


class Growing(list[Step]):
    """A list to which work adds, if anything: to those who watch the work only what is new is sent."""


class OpenEndedWork(Snapshots, ABC):
    """Base of work whose length is not known before, and which leaves nothing out."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether there is nothing left to do."""

    @property
    def share(self) -> float:
        """0 until the end, then 1."""
        return 1.0 if self.done else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None: nothing tells."""
        return None

    @property
    def problems(self) -> Mapping[str, str]:
        """Empty: nothing is left out."""
        return {}

    @abstractmethod
    def advance(self) -> None:
        """Take one step."""


class CountedWork(Snapshots, ABC):
    """Base of work that consists of a known number of items: models, cells, samples.

    A subclass says how many items there are, how many are done, and what a step does. A step completes at most one
    item; an item may take several steps. Items that another process has done meanwhile, or that were left out, count as
    done, but not for the pace.

    Attributes
    ----------
    problems : dict of str to str
        What was left out, by its name, and why.
    now : str
        The name of the part under way; empty where the work has no parts.
    seconds : float
        Time spent in steps.
    """

    def __init__(self) -> None:
        self.problems: dict[str, str] = {}
        self.now = ""
        self.seconds = 0.0
        self._worked = 0

    @property
    @abstractmethod
    def total(self) -> int:
        """Number of items."""

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of items that need no more work."""

    @abstractmethod
    def _step(self) -> None:
        """Do a step."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.count >= self.total

    @property
    def share(self) -> float:
        """Share of the items that are done, from 0 to 1."""
        if self.done:
            return 1.0
        return min(self.count / self.total, 1.0) if self.total else 0.0

    @property
    def seconds_each(self) -> float | None:
        """Pace so far, in seconds an item; None before the first one is done."""
        return self.seconds / self._worked if self._worked else None

    @property
    def seconds_left(self) -> float | None:
        """Estimate of the time left at the pace so far; None before the first item is done."""
        pace = self.seconds_each
        return None if pace is None else pace * (self.total - self.count)

    def advance(self) -> None:
        """Take one step; do nothing if all is done."""
        if self.done:
            return
        before, begun = self.count, time.perf_counter()
        try:
            self._step()
        finally:
            self.seconds += time.perf_counter() - begun
        self._worked += min(self.count - before, 1)


class Steps(CountedWork, Generic[Step]):
    """Results of an iterator, one after the other; their number is known beforehand.

    Parameters
    ----------
    coming : iterator
        Does a step each time it is asked for the next result.
    total : int
        How many there will be.

    Attributes
    ----------
    found : list
        The results so far.
    """

    only_at_work: ClassVar[tuple[str, ...]] = ("_coming",)

    def __init__(self, coming: Iterator[Step], total: int) -> None:
        super().__init__()
        self.found = Growing[Step]()
        self._coming = coming
        self._total = total

    @property
    def total(self) -> int:
        """Number of results there will be."""
        return self._total

    @property
    def count(self) -> int:
        """Number of results so far."""
        return len(self.found)

    def _step(self) -> None:
        self.found.append(next(self._coming))


class KeyedWork(CountedWork, Generic[Result]):
    """Base of work whose results go into a mapping shared with others, each once it is complete.

    Parameters
    ----------
    known : mutable mapping
        Results by key.

    Attributes
    ----------
    found : list of (str, result)
        What this work has added to ``known``.
    """

    only_at_work: ClassVar[tuple[str, ...]] = ("_coming", "_known")

    def __init__(self, known: MutableMapping[str, Result]) -> None:
        super().__init__()
        self.found = Growing[tuple[str, Result]]()
        self._known = known
        self._ended = False
        self._coming = self._steps()

    @abstractmethod
    def _steps(self) -> Iterator[str]:
        """Do a step each time that the next one is asked for."""

    @property
    def done(self) -> bool:
        """Whether every result is there or left out."""
        return self._ended

    def _step(self) -> None:
        self._ended = next(self._coming, None) is None

    def _keep(self, key: str, result: Result) -> None:
        self._known[key] = result
        self.found.append((key, result))


def duration(seconds: float | None) -> str:
    """A rough length of time in words."""
    if seconds is None:
        return "unknown time"
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {unit}"
    return f"about {max(seconds, 1.0):.0f} s"
