"""Work in steps: the contract of everything that runs beside a page or line by line in a terminal, and bases for it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Generic, Protocol, TypeVar, runtime_checkable

Step = TypeVar("Step")


@runtime_checkable
class Work(Protocol):
    """Work in steps. To stop it, do not take the next step; to go on, take it."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        ...

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1; 1 where all of it is."""
        ...

    @property
    def seconds_left(self) -> float | None:
        """A guess from the pace so far; None before the first step, and where nothing tells."""
        ...

    @property
    def problems(self) -> Mapping[str, str]:
        """What was left out, by its name, and why."""
        ...

    def advance(self) -> None:
        """Take one step."""
        ...


@runtime_checkable
class Extendable(Work, Protocol):
    """Work that may reach a limit before its goal."""

    def extend(self) -> None:
        """Allow as much again where a limit has been reached."""
        ...


class CountedWork(ABC):
    """Base of work that consists of so many things to do: models, cells, samples.

    A subclass says how many there are, how many are done, and what a step does. A step completes one of them at most;
    a thing may take several steps. Things that somebody else has done meanwhile, or that were left out, count as done,
    but not for the pace.

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
        """How many things there are to do."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many of them need no more work."""

    @abstractmethod
    def _step(self) -> None:
        """Do a step."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.count >= self.total

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        if self.done:
            return 1.0
        return min(self.count / self.total, 1.0) if self.total else 0.0

    @property
    def seconds_each(self) -> float | None:
        """The pace so far, in seconds a thing; None before the first is done."""
        return self.seconds / self._worked if self._worked else None

    @property
    def seconds_left(self) -> float | None:
        """What is left takes as long as what has been done; None before there is anything."""
        pace = self.seconds_each
        return None if pace is None else pace * (self.total - self.count)

    def advance(self) -> None:
        """Take one step; nothing where all is done."""
        if self.done:
            return
        before, begun = self.count, time.perf_counter()
        try:
            self._step()
        finally:
            self.seconds += time.perf_counter() - begun
        self._worked += min(self.count - before, 1)


class Steps(CountedWork, Generic[Step]):
    """Results that come one after the other, as many as are known beforehand.

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

    def __init__(self, coming: Iterator[Step], total: int) -> None:
        super().__init__()
        self.found: list[Step] = []
        self._coming = coming
        self._total = total

    @property
    def total(self) -> int:
        """How many results there will be."""
        return self._total

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.found)

    def _step(self) -> None:
        self.found.append(next(self._coming))


def duration(seconds: float | None) -> str:
    """A rough length of time in words."""
    if seconds is None:
        return "unknown time"
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {unit}"
    return f"about {max(seconds, 1.0):.0f} s"
