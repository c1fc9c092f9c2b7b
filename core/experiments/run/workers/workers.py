"""The interface that a run needs from its workers, which are processes on this machine or on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.data import DataError, Fold
from core.experiments.run.cells import Cell
from core.experiments.run.protocol import CellResult, cell_result
from core.experiments.run.store.searches import folder_of
from core.threads import use_one_blas_thread


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


class Workers(Protocol):
    """Interface of workers: processes that each compute one cell at a time with one thread."""

    @property
    def capacity(self) -> int:
        """Number of cells that are worth handing out at a time."""
        ...

    def submit(self, cell: Cell, store: Path | None = None) -> None:
        """Hand out a cell.

        Parameters
        ----------
        cell : Cell
        store : Path, optional
            File of the store beside which a worker that sees it keeps unfinished searches
            (`core.experiments.run.store.searches`).
        """
        ...

    def finished(self, timeout: float) -> list[tuple[Cell, Outcome]]:
        """Return what has finished since the last call; wait up to ``timeout`` seconds for a first cell."""
        ...

    def close(self) -> None:
        """End everything at once, including cells in progress."""
        ...


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
        return cell_result(cell, fold(), None if store is None else folder_of(Path(store), cell))
    except DataError as error:
        return Failure(str(error), bad_data=True)
    except Exception as error:
        return Failure(f"{type(error).__name__}: {error}", bad_data=False)
