"""Searches of unfinished cells, kept beside the run store, so that a killed cell goes on from where it was.

Only methods that are solved by a search that is kept have such files (`core.methods.best_subset`). The folder of a
cell is named by its key, so a search of other code, data or settings is never found.
"""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from pathlib import Path

from core.experiments.run.cells import Cell

ENDING = ".searches"
ABANDONED_SECONDS = 30 * 24 * 3600.0


def folder_of(store: Path, cell: Cell) -> Path | None:
    """Return the folder of a cell's searches; None on a machine that does not see the store, where none are kept.

    Parameters
    ----------
    store : Path
        The store's file.
    cell : Cell
    """
    return _all(store) / cell.key if store.is_file() else None


def forget(store: Path, cell: Cell) -> None:
    """Delete the searches of a finished cell."""
    with suppress(OSError):  # what cannot be deleted now is deleted as abandoned
        shutil.rmtree(_all(store) / cell.key)
        _all(store).rmdir()


def forget_abandoned(store: Path) -> None:
    """Delete the searches that nobody has gone on with for thirty days."""
    with suppress(OSError):
        for folder in _all(store).iterdir():
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > ABANDONED_SECONDS:
                    shutil.rmtree(folder)


def _all(store: Path) -> Path:
    return store.with_suffix(ENDING)
