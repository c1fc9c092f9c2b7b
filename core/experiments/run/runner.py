"""A run of the protocol: it hands out cells to workers and stores their results; no cell is computed twice."""

from __future__ import annotations

import time
from collections import Counter, deque
from types import TracebackType

from core.experiments.run.cells import Cell
from core.experiments.run.learners.registry import check_installed
from core.experiments.run.plan import Plan
from core.experiments.run.progress import Progress, progress
from core.experiments.run.protocol import CellResult
from core.experiments.run.store.searches import forget, forget_abandoned
from core.experiments.run.store.store import LEASE_SECONDS, RunStore
from core.experiments.run.workers.workers import Failure, Lost, Outcome, Workers

WAIT_SECONDS = 0.25
"""How long a step waits for a result; short, so that Stop and a redrawn page need not wait long for the step's end."""
HEARTBEAT_SECONDS = LEASE_SECONDS / 4
MOST_LOSSES = 3


class ProtocolRun:
    """Work in steps: to stop, take no further step; to continue, make another run with the same store.

    Several runs may share a store: each takes the cells that no other run is computing, and waits for the rest. A cell
    that was killed goes on from the searches that are kept beside the store, if its method has such searches.

    Parameters
    ----------
    plan : Plan
    store : RunStore
    workers : Workers
        Closed with the run, and as soon as nothing is left to do.

    Raises
    ------
    DataError
        If something is left to do that needs what is not installed.

    Attributes
    ----------
    failures : dict of Cell to Failure
        What could not be worked out, and why.
    """

    def __init__(self, plan: Plan, store: RunStore, workers: Workers) -> None:
        self.plan = plan
        self.failures: dict[Cell, Failure] = {}
        self._store, self._workers = store, workers
        self._seconds = store.seconds(plan.cells)
        # The same content under two names is one piece of work.
        unfinished = {cell.key: cell for cell in plan.cells if cell.key not in self._seconds}
        check_installed(cell.choice.method for cell in unfinished.values())
        forget_abandoned(store.path)
        self._waiting = deque(unfinished.values())
        self._out: dict[str, Cell] = {}
        self._losses: Counter[str] = Counter()
        self._beat = time.monotonic()

    def __enter__(self) -> ProtocolRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def done(self) -> bool:
        """Whether nothing is left to work out."""
        return not self._waiting and not self._out

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

    @property
    def problems(self) -> dict[str, str]:
        """The failures by name of the cell, in a sentence each."""
        return {f"{cell.where}, fold {cell.fold}": failure.sentence for cell, failure in self.failures.items()}

    def advance(self) -> None:
        """Keep the workers busy, and take in what they have finished; waits a moment for it."""
        if self.done:
            return
        self._hand_out()
        for cell, outcome in self._workers.finished(WAIT_SECONDS):
            self._take_in(cell, outcome)
        if time.monotonic() - self._beat > HEARTBEAT_SECONDS:
            self._store.heartbeat()
            self._beat = time.monotonic()
        if not self._waiting and not self._out:
            self._workers.close()

    def finish(self) -> None:
        """Run until nothing is left."""
        while not self.done:
            self.advance()

    def close(self) -> None:
        """Release the workers and the cells in flight; the store stays open."""
        self._workers.close()
        self._store.release()

    def results(self) -> dict[Cell, CellResult]:
        """Return the finished results by cell."""
        found = ((cell, self._store.result(cell)) for cell in self.plan.cells)
        return {cell: result for cell, result in found if result is not None}

    def _hand_out(self) -> None:
        """Claim cells until every worker has one; those that others are at go to the end."""
        for _ in range(len(self._waiting)):
            if len(self._out) >= self._workers.capacity:
                return
            cell = self._waiting.popleft()
            match self._store.claim(cell):
                case "finished":
                    self._seconds |= self._store.seconds([cell])
                case "taken":
                    self._waiting.append(cell)
                case "ours":
                    self._out[cell.key] = cell
                    self._workers.submit(cell, self._store.path)

    def _take_in(self, cell: Cell, outcome: Outcome) -> None:
        self._out.pop(cell.key, None)
        match outcome:
            case CellResult():
                self._store.put(cell, outcome)
                forget(self._store.path, cell)
                self._seconds[cell.key] = float(outcome.record["times"]["cell"])
            case Failure():
                self.failures[cell] = outcome
                self._store.release(cell)
            case Lost():
                self._losses[cell.key] += 1
                if self._losses[cell.key] < MOST_LOSSES:
                    self._waiting.appendleft(cell)
                else:
                    words = f"its worker died {MOST_LOSSES} times, perhaps for lack of memory; use fewer workers"
                    self.failures[cell] = Failure(words, bad_data=False)
                self._store.release(cell)
