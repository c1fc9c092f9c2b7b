"""Where the run store is kept unless somebody says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

from core.experiments.run.store.file import FILE_NAME


def default_store_path() -> Path:
    """The file ``runs.sqlite`` in ``SPARSE_RANK_RUNS``, else in ``runs`` where people's own things are kept.

    That is ``SPARSE_RANK_HOME``, or the folder ``.sparse-ranking-lab`` in the home folder. Results are no cache: what
    took hours does not belong where a system tidies up by itself. ``SPARSE_RANK_RUNS`` may also name the file.
    """
    chosen = os.environ.get("SPARSE_RANK_RUNS")
    if chosen:
        place = Path(chosen).expanduser()
        return place if place.suffix == Path(FILE_NAME).suffix else place / FILE_NAME
    home = os.environ.get("SPARSE_RANK_HOME")
    return (Path(home) if home else Path.home() / ".sparse-ranking-lab") / "runs" / FILE_NAME
