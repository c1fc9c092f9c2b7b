"""Finished pieces of experiments in the run store of a folder, each kept as soon as it is finished."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, Generic

from core.data.errors import refuse
from core.experiments.papers.experiment import PaperExperiment
from core.experiments.run.cell_run import CellType, OutcomeType
from core.experiments.run.store.store import RunStore
from core.experiments.run.versions import experiment_version

_OLDER = "pieces.jsonl"


def piece_key(experiment: PaperExperiment[CellType, OutcomeType], cell: CellType) -> str:
    """Hash everything that the outcome depends on (sha256): experiment, data and settings of the piece, and code."""
    parts = [experiment.name, experiment_version(), experiment.depends(cell)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class PieceStore(MutableMapping[CellType, OutcomeType], Generic[CellType, OutcomeType]):
    """Outcomes of one experiment by cell, in a folder that experiments and runs of the protocol may share.

    A piece of other data, settings or code has another key; it is neither used nor removed.

    Parameters
    ----------
    folder : Path
        Created if it does not exist.
    experiment : PaperExperiment

    Raises
    ------
    DataError
        As `RunStore`, and if the folder has pieces of before they were in a run store; it is left as it is.
    OSError
        If the folder cannot be read or written.
    """

    def __init__(self, folder: Path, experiment: PaperExperiment[CellType, OutcomeType]) -> None:
        if (folder / _OLDER).exists():
            refuse("these pieces are of an older version of the program; give another place", file=folder / _OLDER)
        self._store, self._experiment = RunStore(folder), experiment
        self._packed = self._store.pieces(experiment.name)
        self._known: dict[CellType, OutcomeType] = {}

    def __getitem__(self, cell: CellType) -> OutcomeType:
        if cell not in self._known:
            self._known[cell] = self._experiment.unpack(cell, self._packed[piece_key(self._experiment, cell)])
        return self._known[cell]

    def __contains__(self, cell: Any) -> bool:
        return cell in self._known or piece_key(self._experiment, cell) in self._packed

    def __setitem__(self, cell: CellType, outcome: OutcomeType) -> None:
        packed = self._experiment.pack(outcome)
        self._store.put_piece(piece_key(self._experiment, cell), self._experiment.name, cell.where, packed)
        self._known[cell] = self._experiment.unpack(cell, packed)  # the same as after reading it again

    def __delitem__(self, cell: CellType) -> None:
        msg = "finished pieces are not removed"
        raise TypeError(msg)

    def __iter__(self) -> Iterator[CellType]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
