"""Every experiment outside the protocol, and a run of one. A new one is one file, one row here, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from core.data.errors import refuse
from core.experiments.papers.experiment import PaperExperiment
from core.experiments.papers.fenchelrank_time import FENCHELRANK_TIME
from core.experiments.papers.fsmrank_convergence import FSMRANK_CONVERGENCE
from core.experiments.papers.fsmrank_sizes import FSMRANK_SIZES
from core.experiments.papers.infinite_push_sets import INFINITE_PUSH_SETS
from core.experiments.papers.infinite_push_time import INFINITE_PUSH_TIME
from core.experiments.papers.infinite_push_toy import INFINITE_PUSH_NOISE, INFINITE_PUSH_SIZES
from core.experiments.run.presets import PRESETS
from core.experiments.run.runner import Run
from core.experiments.run.store.store import Piece
from core.experiments.run.workers.workers import Here

EXPERIMENTS: tuple[PaperExperiment[Any, Any], ...] = (
    FSMRANK_SIZES,
    FSMRANK_CONVERGENCE,
    FENCHELRANK_TIME,
    INFINITE_PUSH_SETS,
    INFINITE_PUSH_SIZES,
    INFINITE_PUSH_NOISE,
    INFINITE_PUSH_TIME,
)
_BY_NAME = {experiment.name: experiment for experiment in EXPERIMENTS}


def get_experiment(name: str) -> PaperExperiment[Any, Any]:
    """Return the experiment of that name.

    Raises
    ------
    ValueError
        If there is no such experiment; the message lists similar names, or all.
    """
    experiment = _BY_NAME.get(name)
    if experiment is None:
        names = [*_BY_NAME, *(preset.name for preset in PRESETS)]
        near = get_close_matches(name, names, n=3) or names
        msg = f"there is no experiment {name!r}; try {', '.join(near)}"
        raise ValueError(msg)
    return experiment


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
        pieces = [Piece(experiment.name, cell, experiment.outcome) for cell in cells]
        super().__init__(pieces, folder, lambda: self._here)
        self._here.known |= {piece.cell: outcome for piece, outcome in self.results().items()}

    @property
    def now(self) -> str:
        """Where the cell stands that was worked out last."""
        return self._here.now

    def outcomes(self) -> list[Any]:
        """Return the outcomes so far, in the order of the cells."""
        return list(self.results().values())
