"""What a run asks of workers, wherever they are: take a cell, and say what became of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from core.data import DataError, Fold
from core.experiments.run.cells import Cell
from core.experiments.run.protocol import CellResult, cell_result
from core.losses.threads import use_one_blas_thread


@dataclass(frozen=True)
class Failure:
    """Why a cell could not be worked out, in one sentence.

    ``bad_data`` tells what a person can mend from what this program got wrong.
    """

    sentence: str
    bad_data: bool


@dataclass(frozen=True)
class Lost:
    """The worker has gone with the cell; another one can take it."""


Outcome = CellResult | Failure | Lost


class Workers(Protocol):
    """Any number of processes, each at one cell at a time with one thread."""

    @property
    def capacity(self) -> int:
        """How many cells are worth handing out at a time."""
        ...

    def submit(self, cell: Cell) -> None:
        """Hand out a cell."""
        ...

    def finished(self, timeout: float) -> list[tuple[Cell, Outcome]]:
        """What has come back since; waits so many seconds for a first one."""
        ...

    def close(self) -> None:
        """Let go of everything at once, whatever is under way."""
        ...


def one_thread() -> None:
    """Leave the other cores to the other workers, for the whole process."""
    os.environ["SPARSE_RANK_THREADS"] = "1"
    use_one_blas_thread()


def attempt(cell: Cell, fold: Callable[[], Fold]) -> CellResult | Failure:
    """Work a cell out; whatever goes wrong comes back as plain data, since not every error survives the way."""
    try:
        return cell_result(cell, fold())
    except DataError as error:
        return Failure(str(error), bad_data=True)
    except Exception as error:
        return Failure(f"{type(error).__name__}: {error}", bad_data=False)
