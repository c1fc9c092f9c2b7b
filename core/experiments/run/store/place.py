"""Default place of the run store."""

from __future__ import annotations

import os
from pathlib import Path

from core.experiments.run.store.file import FILE_NAME


def default_store_path() -> Path:
    """Return ``runs.sqlite`` in ``SPARSE_RANK_RUNS``, else in ``runs`` of the user's own folder.

    That folder is ``SPARSE_RANK_HOME``, or ``.sparse-ranking-lab`` in the home folder. Results are no cache: what took
    hours does not belong in a place that a system cleans by itself. ``SPARSE_RANK_RUNS`` may also name the file.
    """
    chosen = os.environ.get("SPARSE_RANK_RUNS")
    if chosen:
        place = Path(chosen).expanduser()
        return place if place.suffix == Path(FILE_NAME).suffix else place / FILE_NAME
    home = os.environ.get("SPARSE_RANK_HOME")
    return (Path(home) if home else Path.home() / ".sparse-ranking-lab") / "runs" / FILE_NAME
