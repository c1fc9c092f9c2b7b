"""The one place that knows everything a server keeps in memory: a test may have a server that has shown nothing yet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pages.shared import cache
from pages.shared.choice import access
from pages.shared.work.board import board


def forget_all(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """As after a restart with an empty disk: no picture, result, job, upload or file of a visitor is left.

    Parameters
    ----------
    folder : Path
        An empty one, for what is kept on disk from now on.
    """
    board().close(60.0)  # what ran on would keep its results in the folder of the next
    board.clear()
    access.uploads.clear()
    access.import_reports.clear()
    cache.clear()
    shutil.rmtree(folder, ignore_errors=True)
    patch.setenv("SPARSE_RANK_CACHE", str(folder / "cache"))
    patch.setenv("SPARSE_RANK_HOME", str(folder / "home"))
