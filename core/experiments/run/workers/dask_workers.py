"""Workers of a Dask cluster; the cells of a lost worker are computed elsewhere."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.data import Fold
from core.experiments.run.cells import Cell
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult
from core.experiments.run.workers.dask_tasks import WORKER_SECONDS, connect, own, while_there_is_a_cluster
from core.experiments.run.workers.workers import Failure, Lost, Outcome, QueuedWorkers, attempt, one_thread

COUNT_SECONDS = 2.0
"""How often the cluster is asked for its workers, which come and go."""
KEPT_FOLDS = 2
"""Folds held by the cluster at a time; cells come fold by fold."""


def cell_result_alone(cell: Cell, fold: Fold, store: str | None = None) -> CellResult | Failure:
    """What a Dask worker runs: a cell on one thread."""
    one_thread()
    return attempt(cell, lambda: own(fold), store)


class DaskWorkers(QueuedWorkers):
    """Runs cells on the workers behind a Dask scheduler.

    They need this program at the same version, not the data: folds are read here and sent to the cluster. Workers that
    join later are used too, and those that leave cost the cells they were computing. A worker that sees the store's
    file under the path that it has here keeps its searches beside it; on any other machine they begin anew.

    Parameters
    ----------
    plan : Plan
        Whose cells will be handed out.
    address : str
        Of the scheduler, such as ``"tcp://10.0.0.1:8786"``.

    Raises
    ------
    DataError
        If Dask is not installed, or no scheduler answers.
    """

    def __init__(self, plan: Plan, address: str) -> None:
        super().__init__()
        self._client = connect(address)
        self._plan = plan
        self._folds: dict[tuple[str, int], Any] = {}
        self._out: dict[str, tuple[Any, Any]] = {}  # by key of the cell: its future, and that of its fold
        self._tries = itertools.count(1)
        self._lock = threading.Lock()
        self._capacity, self._counted = 1, -COUNT_SECONDS

    @property
    def capacity(self) -> int:
        """Number of cells in flight: one for every thread of every worker, and one more each, so that none waits.

        Once closed, the last one.
        """
        if self._client.status == "running" and time.monotonic() - self._counted > COUNT_SECONDS:
            with suppress(OSError, TimeoutError):  # a scheduler that does not answer now may answer later
                threads = self._client.nthreads().values()
                self._capacity = max(sum(threads) + len(threads), 1)
            self._counted = time.monotonic()
        return self._capacity

    def submit(self, cell: Cell, store: Path | None = None) -> None:
        """Hand out a cell.

        Raises
        ------
        OSError
            If the scheduler has gone, or has no workers.
        """
        with while_there_is_a_cluster(self._client, "; finished cells are saved: run again to continue"):
            fold = self._fold(cell)
            place = None if store is None else str(store.absolute())
            name = f"cell-{cell.key}-{next(self._tries)}"
            future = self._client.submit(cell_result_alone, cell, fold, place, key=name)
        with self._lock:
            self._out[cell.key] = future, fold
        future.add_done_callback(lambda done: self._back.put((cell, _outcome(done))))

    def finished(self, timeout: float) -> list[tuple[Cell, Outcome]]:
        """See `QueuedWorkers.finished`; a fold that was lost with its worker is sent anew."""
        found = super().finished(timeout)
        for cell, outcome in found:
            with self._lock:
                _, fold = self._out.pop(cell.key)
            where = cell.dataset, cell.fold
            # The fold may have been lost with the worker; unless another cell has found that out before.
            if isinstance(outcome, Lost) and self._folds.get(where) is fold:
                del self._folds[where]
        return found

    def close(self) -> None:
        """Cancel what has been handed out, and leave the cluster as it was."""
        with self._lock:
            futures, self._out = [future for future, _ in self._out.values()], {}
        with suppress(Exception):  # a cluster that has gone needs no tidying
            self._client.cancel(futures)
        self._folds.clear()
        self._client.close()

    def _fold(self, cell: Cell) -> Any:
        """Return the cell's fold as held by the cluster."""
        key = (cell.dataset, cell.fold)
        if key not in self._folds:
            while len(self._folds) >= KEPT_FOLDS:
                self._folds.pop(next(iter(self._folds)))  # the cluster keeps it until its cells are done
            fold = self._plan.source(cell.dataset).open().fold(cell.fold)
            self._folds[key] = self._client.scatter(fold, hash=False, timeout=WORKER_SECONDS)
        return self._folds[key]


def _outcome(future: Any) -> Outcome:
    """Return the outcome of a finished future; the function never raises, so an exception is the cluster's."""
    from distributed import KilledWorker

    try:
        outcome: Outcome = future.result()
    except (KilledWorker, CancelledError, asyncio.CancelledError, OSError, TimeoutError):
        return Lost()
    except Exception as error:
        words = (
            f"a Dask worker could not run the cell ({type(error).__name__}: {error}); is this program installed there?"
        )
        return Failure(words, bad_data=False)
    return outcome
