"""Runs: they hand out cells to workers and store their outcomes; no cell is computed twice."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, Self

from core.data import DataError
from core.experiments.run.cells import Cell
from core.experiments.run.learners.registry import get_learner
from core.experiments.run.plan import Plan
from core.experiments.run.progress import Progress, progress
from core.experiments.run.protocol import CellResult
from core.experiments.run.store.store import LEASE_SECONDS, RunStore
from core.experiments.run.workers.workers import AnyCell, Failure, Lost, Workers

WAIT_SECONDS = 0.25
"""How long a step waits for a result; short, so that Stop and a redrawn page need not wait long for the step's end."""
HEARTBEAT_SECONDS = LEASE_SECONDS / 4
MOST_LOSSES = 3


class Run(Generic[AnyCell]):
    """Work in steps: to stop, take no further step; to continue, take the next, or make another run of the same store.

    It holds its store and its workers until `close`; the next step opens both again, and tries what has failed again.
    Several runs may share a store: each takes the cells that no other run is computing, and waits for the rest. A cell
    that was killed goes on from the searches that are kept beside the store, if its method has such searches.

    Parameters
    ----------
    cells : sequence
        In the order in which they are handed out.
    place : Path
        Of the store; see `RunStore`.
    make_workers : callable
        Called whenever the store is opened. The workers are closed with it, and as soon as nothing is left to do.

    Attributes
    ----------
    failures : dict of cell to Failure
        What could not be worked out, and why.

    Raises
    ------
    DataError, OSError
        As `RunStore`, and as the workers are made.
    """

    def __init__(self, cells: Sequence[AnyCell], place: Path, make_workers: Callable[[], Workers[AnyCell]]) -> None:
        self.cells = tuple(cells)
        self._place, self._make_workers = place, make_workers
        self._open()

    def _open(self) -> None:
        self._out: dict[str, AnyCell] = {}
        self._losses: Counter[str] = Counter()
        self._beat = time.monotonic()
        self.store = RunStore(self._place)
        try:
            self._seconds = self.store.seconds(self.cells)
            # The same content under two names is one piece of work.
            self._waiting = deque({cell.key: cell for cell in self.cells if cell.key not in self._seconds}.values())
            self._check()
            self._workers = self._make_workers()
        except BaseException:
            self.store.close()
            raise
        self.failures: dict[AnyCell, Failure] = {}
        self.closed = False

    def _check(self) -> None:
        """Refuse work that cannot be done here; by default none."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def done(self) -> bool:
        """Whether nothing is left to work out."""
        return not self._waiting and not self._out

    @property
    def left(self) -> int:
        """How many cells are still to be worked out."""
        return len(self._waiting) + len(self._out)

    @property
    def problems(self) -> dict[str, str]:
        """The failures by the part of the table that the cell belongs to, in a sentence each."""
        return {cell.where: failure.sentence for cell, failure in self.failures.items()}

    def advance(self) -> None:
        """Keep the workers busy, and take in what they have finished; waits a moment for it."""
        if self.done:
            return
        if self.closed:
            self._open()
        self._hand_out()
        for cell, outcome in self._workers.finished(WAIT_SECONDS):
            self._take_in(cell, outcome)
        if time.monotonic() - self._beat > HEARTBEAT_SECONDS:
            self.store.heartbeat()
            self._beat = time.monotonic()
        if not self._waiting and not self._out:
            self._workers.close()

    def finish(self) -> None:
        """Run until nothing is left."""
        while not self.done:
            self.advance()

    def close(self) -> None:
        """End the workers and close the store; cells in flight are given back."""
        if not self.closed:
            self.closed = True
            try:
                self._workers.close()
            finally:
                self.store.close()

    def results(self) -> dict[AnyCell, Any]:
        """Return the finished results by cell."""
        found = ((cell, self.store.result(cell)) for cell in self.cells)
        return {cell: result for cell, result in found if result is not None}

    def _hand_out(self) -> None:
        """Claim cells until every worker has one; those that others are at go to the end."""
        for _ in range(len(self._waiting)):
            if len(self._out) >= self._workers.capacity:
                return
            cell = self._waiting.popleft()
            match self.store.claim(cell):
                case "finished":
                    self._seconds |= self.store.seconds([cell])
                case "taken":
                    self._waiting.append(cell)
                case "ours":
                    self._out[cell.key] = cell
                    self._workers.submit(cell, self.store.path)

    def _take_in(self, cell: AnyCell, outcome: Any) -> None:
        self._out.pop(cell.key, None)
        match outcome:
            case Failure():
                self.failures[cell] = outcome
                self.store.release(cell)
            case Lost():
                self._losses[cell.key] += 1
                if self._losses[cell.key] < MOST_LOSSES:
                    self._waiting.appendleft(cell)
                else:
                    words = f"its worker died {MOST_LOSSES} times, perhaps for lack of memory; use fewer workers"
                    self.failures[cell] = Failure(words, bad_data=False)
                self.store.release(cell)
            case _:
                self.store.put(cell, outcome)
                self._seconds[cell.key] = outcome.record["times"]["cell"] if isinstance(outcome, CellResult) else 0.0


class ProtocolRun(Run[Cell]):
    """A run of the protocol.

    Parameters
    ----------
    plan : Plan
    place, make_workers
        As for `Run`.

    Raises
    ------
    DataError
        Also if something is left to do that needs what is not installed.
    """

    def __init__(self, plan: Plan, place: Path, make_workers: Callable[[], Workers[Cell]]) -> None:
        self.plan = plan
        super().__init__(plan.cells, place, make_workers)

    def _check(self) -> None:
        for method in dict.fromkeys(cell.choice.method for cell in self._waiting):
            if (missing := get_learner(method).missing) is not None:
                raise DataError(missing)

    @property
    def progress(self) -> Progress:
        """How far it is, by dataset and method, and the time left."""
        return progress(self.plan.cells, self._seconds, self.failures, self._workers.capacity)

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.progress.share

    @property
    def seconds_left(self) -> float | None:
        """A guess from the cells done so far; None before there is one."""
        return self.progress.seconds_left
