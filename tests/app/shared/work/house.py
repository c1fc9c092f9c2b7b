"""A board for tests: work that goes on when a test says so, and sessions that come and go."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

from core.work import Steps
from pages.shared.work.board import MOST_JOBS, JobBoard
from pages.shared.work.jobs import Job, Task
from tests.app.fitting import until


def walk(steps: int, gate: threading.Semaphore | None = None) -> Steps[bool]:
    """Work of so many steps; ``gate`` lets one step through at a time where it is given."""
    return Steps(repeat(True) if gate is None else iter(gate.acquire, None), steps)


ENDLESS = 10**9


class House:
    """A board whose sessions come and go as a test says, which also lets steps of gated work through one by one."""

    def __init__(self, workers: int = 2, most_jobs: int = MOST_JOBS) -> None:
        self.present = {"ann", "bob"}
        self.browser = "a browser"
        self.board = JobBoard(
            lambda session: session in self.present,
            workers=workers,
            most_jobs=most_jobs,
            browser=lambda: self.browser,
        )
        self.begun: list[str] = []
        self.kept: list[int] = []
        self.jobs: list[Job[Steps[bool]]] = []
        self.gates: dict[str, threading.Semaphore] = {}

    def job(
        self, key: str, steps: int = 3, owner: str = "ann", *, gated: bool = True, delay: float = 0.0, **options: Any
    ) -> Job[Steps[bool]]:
        gate = self.gates.setdefault(key, threading.Semaphore(0)) if gated else None

        def make() -> Steps[bool]:
            self.begun.append(key)
            return walk(steps, gate)

        return Job(Task(key, make, keep=lambda run: self.kept.append(run.count), **options), owner, delay=delay)

    def submit(self, key: str, steps: int = 3, *, gated: bool = False, **options: Any) -> Job[Steps[bool]]:
        return self.put(self.job(key, steps, gated=gated, **options))

    def put(self, job: Job[Steps[bool]]) -> Job[Steps[bool]]:
        self.jobs.append(job)
        return self.board.submit(job)

    def asks(self, owner: str, key: str = "path", steps: int = 3, **options: Any) -> Job[Steps[bool]]:
        """Ask for gated work, which others may have asked for."""
        return self.board.ask(self.job(key, steps, owner, **options))

    def lets(self, steps: int, key: str = "path") -> None:
        self.gates[key].release(steps)

    def fill(self) -> tuple[Job[Steps[bool]], Job[Steps[bool]]]:
        """Keep both workers busy."""
        one = self.submit("one", gated=True)
        until(lambda: self.begun == ["one"])
        two = self.submit("two", gated=True)
        until(lambda: self.begun == ["one", "two"])
        return one, two

    def clear(self) -> None:
        for job in self.jobs:
            self.board.stop(job)
        for gate in self.gates.values():
            gate.release(1000)


def reaches(job: Job[Steps[bool]], state: str) -> None:
    """Wait until a job is in this state."""
    until(lambda: job.state == state)


@contextmanager
def process_board() -> Iterator[JobBoard]:
    """A board whose process is ready; the process ends with it."""
    board = JobBoard(lambda _: True, workers=2, own_process=True)
    board.fits.start()
    until(lambda: board.fits.ready)
    try:
        yield board
    finally:
        board.close(5)
