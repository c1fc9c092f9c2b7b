"""Finished pieces of experiments in a file of JSON lines, appended as soon as a piece is finished."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, Generic

from core.data import DataError
from core.experiments.papers.experiment import PaperExperiment
from core.experiments.run.cell_run import CellType, OutcomeType
from core.experiments.run.versions import experiment_version

FILE_NAME = "pieces.jsonl"
_FIELDS = {"key", "experiment", "code", "cell", "outcome"}


def piece_key(experiment: PaperExperiment[CellType, OutcomeType], cell: CellType) -> str:
    """Hash everything that the outcome depends on (sha256): experiment, data and settings of the piece, and code."""
    parts = [experiment.name, experiment_version(), experiment.depends(cell)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class PieceStore(MutableMapping[CellType, OutcomeType], Generic[CellType, OutcomeType]):
    """Outcomes of one experiment by cell, in ``pieces.jsonl`` of a folder that experiments may share.

    A piece is one line, written at once and forced to the disk. A process that is killed while it writes leaves half a
    line at the end; this is ignored, and the next line starts after it. A piece of other data, settings or code has
    another key; it is neither used nor removed.

    Parameters
    ----------
    folder : Path
        Created if it does not exist.
    experiment : PaperExperiment

    Raises
    ------
    DataError
        If the file exists and was not written by this program; it is left as it is.
    OSError
        If the folder cannot be read or written.
    """

    def __init__(self, folder: Path, experiment: PaperExperiment[CellType, OutcomeType]) -> None:
        if folder.exists() and not folder.is_dir():
            msg = "this is a file, and a folder for finished pieces is needed; give another place"
            raise DataError(msg, file=folder)
        self.path = folder / FILE_NAME
        self._experiment = experiment
        folder.mkdir(parents=True, exist_ok=True)
        self._packed = {line["key"]: line["outcome"] for line in _lines(self.path)}
        self._known: dict[CellType, OutcomeType] = {}

    def __getitem__(self, cell: CellType) -> OutcomeType:
        if cell not in self._known:
            self._known[cell] = self._experiment.unpack(cell, self._packed[piece_key(self._experiment, cell)])
        return self._known[cell]

    def __contains__(self, cell: Any) -> bool:
        return cell in self._known or piece_key(self._experiment, cell) in self._packed

    def __setitem__(self, cell: CellType, outcome: OutcomeType) -> None:
        packed = self._experiment.pack(outcome)
        line = {
            "key": piece_key(self._experiment, cell),
            "experiment": self._experiment.name,
            "code": experiment_version(),
            "cell": cell.where,
            "outcome": packed,
        }
        _append(self.path, json.dumps(line))
        self._packed[line["key"]] = packed
        self._known[cell] = self._experiment.unpack(cell, packed)  # the same as after reading it again

    def __delitem__(self, cell: CellType) -> None:
        msg = "finished pieces are not removed"
        raise TypeError(msg)

    def __iter__(self) -> Iterator[CellType]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield every whole piece in the file.

    Raises
    ------
    DataError
        If its first line is whole and no piece.
    """
    if not path.exists():
        return
    for number, text in enumerate(path.read_bytes().split(b"\n")):
        piece = _piece(text)
        if piece is not None:
            yield piece
        elif number == 0 and text and not text.startswith(b'{"key": "'):
            msg = "this file was not written by this program and has not been changed; give another place"
            raise DataError(msg, file=path)


def _piece(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.keys() >= _FIELDS else None


def _append(path: Path, line: str) -> None:
    """Write one line at once; after half a line of another process it starts a new line."""
    with path.open("ab+") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            line = line if file.read(1) == b"\n" else "\n" + line
        file.write(f"{line}\n".encode())
        file.flush()
        os.fsync(file.fileno())
