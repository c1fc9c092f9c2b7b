"""The interface that a run needs from its workers: this process, processes on this machine, or a Dask cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from core.data import DataError, Fold
from core.experiments.run.cells import Cell
from core.experiments.run.protocol import CellResult, cell_result
from core.experiments.run.store.store import Piece, searches_of
from core.threads import use_one_blas_thread

AnyCell = TypeVar("AnyCell", bound=Cell | Piece[Any, Any])


@dataclass(frozen=True)
class Failure:
    """Why a cell failed, in one sentence.

    ``bad_data`` distinguishes data that a person can correct from an error of this program.
    """

    sentence: str
    bad_data: bool


@dataclass(frozen=True)
class Lost:
    """The worker ended before its cell did; another worker can take the cell."""


Outcome = CellResult | Failure | Lost


class Workers(Protocol[AnyCell]):
    """Interface of workers, which each compute one cell at a time with one thread."""

    @property
    def capacity(self) -> int:
        """Number of cells that are worth handing out at a time."""
        ...

    def submit(self, cell: AnyCell, store: Path | None = None) -> None:
        """Hand out a cell.

        Parameters
        ----------
        cell : Cell or Piece
        store : Path, optional
            File of the store beside which a worker that sees it keeps unfinished searches
            (`core.experiments.run.store.store.searches_of`).
        """
        ...

    def finished(self, timeout: float) -> list[tuple[AnyCell, Any]]:
        """Return what has finished since the last call; wait up to ``timeout`` seconds for a first cell."""
        ...

    def close(self) -> None:
        """End everything at once, including cells in progress."""
        ...


class QueuedWorkers:
    """Base of workers that put each cell that has finished into a queue."""

    def __init__(self) -> None:
        self._back: SimpleQueue[tuple[Cell, Outcome]] = SimpleQueue()

    def finished(self, timeout: float) -> list[tuple[Cell, Outcome]]:
        """Return what has finished since the last call; wait up to ``timeout`` seconds for a first cell."""
        found: list[tuple[Cell, Outcome]] = []
        with suppress(Empty):
            found.append(self._back.get(timeout=timeout))
            while True:
                found.append(self._back.get_nowait())
        return found


class Here:
    """Works out pieces in this process, one after the other, so that nothing disturbs what they time.

    Parameters
    ----------
    work : callable
        From a cell and the outcomes known so far to its outcome.

    Attributes
    ----------
    known : dict
        Outcomes by cell; those that it works out are added.
    now : str
        Where the cell stands that was worked out last.
    """

    capacity = 1

    def __init__(self, work: Callable[[Any, dict[Any, Any]], Any]) -> None:
        self.known: dict[Any, Any] = {}
        self.now = ""
        self._work = work
        self._asked: list[Piece[Any, Any]] = []

    def submit(self, cell: Piece[Any, Any], store: Path | None = None) -> None:
        """Remember a piece."""
        self._asked.append(cell)

    def finished(self, timeout: float) -> list[tuple[Piece[Any, Any], Any]]:
        """Work out the piece, however long it takes; wait where another process has all that is left."""
        if not self._asked:
            time.sleep(timeout)
            return []
        piece = self._asked.pop()
        self.now = piece.where
        try:
            self.known[piece.cell] = self._work(piece.cell, self.known)
        except DataError as error:
            return [(piece, Failure(str(error), bad_data=True))]
        return [(piece, self.known[piece.cell])]

    def close(self) -> None:
        """Nothing goes on."""


def one_thread() -> None:
    """Limit this process to one thread, so that the other cores serve the other workers."""
    os.environ["SPARSE_RANK_THREADS"] = "1"
    use_one_blas_thread()


def attempt(cell: Cell, fold: Callable[[], Fold], store: str | None = None) -> CellResult | Failure:
    """Work a cell out; whatever goes wrong comes back as plain data, since not every error survives the way.

    Parameters
    ----------
    cell : Cell
    fold : callable
        Reads its fold.
    store : str, optional
        Path of the store's file on the machine that hands out cells, which may be another one.
    """
    try:
        return cell_result(cell, fold(), None if store is None else searches_of(Path(store), cell))
    except DataError as error:
        return Failure(str(error), bad_data=True)
    except Exception as error:
        return Failure(f"{type(error).__name__}: {error}", bad_data=False)
