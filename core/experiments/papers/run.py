"""A run of an experiment outside the protocol, in the run store of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.data.errors import refuse
from core.experiments.papers.experiment import PaperExperiment
from core.experiments.run.runner import Run
from core.experiments.run.store.piece import Piece
from core.experiments.run.store.store import RunStore
from core.experiments.run.workers.workers import Here


class PaperRun(Run[Piece[Any, Any]]):
    """Works out cells of an experiment, one after the other in this process, and keeps each as soon as it is finished.

    Parameters
    ----------
    experiment : PaperExperiment
    cells : sequence
    folder : Path
        Of the store, which experiments and runs of the protocol may share; created if it does not exist.

    Raises
    ------
    DataError
        As `RunStore`, and if the folder has pieces of before they were in a run store; it is left as it is.
    OSError
        If the folder cannot be read or written.
    """

    def __init__(self, experiment: PaperExperiment[Any, Any], cells: Sequence[Any], folder: Path) -> None:
        older = folder / "pieces.jsonl"
        if older.exists():
            refuse("these pieces are of an older version of the program; give another place", file=older)
        self._here = Here(experiment.work)
        super().__init__(
            [Piece(experiment.name, cell, experiment.outcome) for cell in cells], RunStore(folder), self._here
        )
        self._here.known |= {piece.cell: outcome for piece, outcome in self.results().items()}

    @property
    def now(self) -> str:
        """Where the cell stands that was worked out last."""
        return self._here.now

    def outcomes(self) -> list[Any]:
        """Return the outcomes so far, in the order of the cells."""
        return list(self.results().values())

    def close(self) -> None:
        """Close the store."""
        super().close()
        self._store.close()
