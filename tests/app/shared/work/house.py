"""A board for tests: work that goes on when a test says so, and sessions that come and go."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType

from pages.shared.work.board import JobBoard
from pages.shared.work.jobs import Job
from tests.app.fitting import until


class Walk:
    """A run of so many steps; ``gate`` lets one step through at a time where it is given."""

    seconds_left = None
    problems: Mapping[str, str] = MappingProxyType({})

    def __init__(self, steps: int, gate: threading.Semaphore | None = None) -> None:
        self.steps = steps
        self.gate = gate
        self.taken = 0

    @property
    def done(self) -> bool:
        return self.taken >= self.steps

    @property
    def share(self) -> float:
        return min(self.taken / self.steps, 1.0)

    def advance(self) -> None:
        if self.gate is not None:
            self.gate.acquire()
        self.taken += 1


class LimitedWalk(Walk):
    """A walk that may be allowed more."""

    def __init__(self, steps: int) -> None:
        super().__init__(steps)
        self.extended = 0

    def extend(self) -> None:
        self.extended += 1


class Stumble(Walk):
    """Fails at its first step."""

    def __init__(self, error: Exception) -> None:
        super().__init__(1)
        self.error = error

    def advance(self) -> None:
        raise self.error


ENDLESS = 10**9


class House:
    """A board whose sessions come and go as a test says."""

    def __init__(self) -> None:
        self.present = {"ann", "bob"}
        self.browser = "a browser"
        self.board = JobBoard(lambda session: session in self.present, workers=2, browser=lambda: self.browser)
        self.begun: list[str] = []
        self.jobs: list[Job[Walk]] = []
        self.gates: list[threading.Semaphore] = []

    def submit(
        self, key: str, steps: int = 3, *, owner: str = "ann", gated: bool = False, delay: float = 0.0
    ) -> Job[Walk]:
        gate = threading.Semaphore(0) if gated else None
        if gate is not None:
            self.gates.append(gate)

        def make() -> Walk:
            self.begun.append(key)
            return Walk(steps, gate)

        return self.put(Job(key=key, owner=owner, make=make, delay=delay))

    def put(self, job: Job[Walk]) -> Job[Walk]:
        self.jobs.append(job)
        return self.board.submit(job)

    def fill(self) -> tuple[Job[Walk], Job[Walk]]:
        """Keep both workers busy."""
        one = self.submit("one", gated=True)
        until(lambda: self.begun == ["one"])
        two = self.submit("two", gated=True)
        until(lambda: self.begun == ["one", "two"])
        return one, two

    def clear(self) -> None:
        for job in self.jobs:
            self.board.stop(job)
        for gate in self.gates:
            gate.release(1000)


def reaches(job: Job[Walk], state: str) -> None:
    """Wait until a job is in this state."""
    until(lambda: job.state == state)
