"""A disk that fills up in the middle of a run of the protocol: one sentence, and nothing finished is lost."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Ask
from tests.says import assert_says

ROOT = Path(__file__).resolve().parents[2]
ROOM = 60 * 1024
"""Bytes of the largest file that can be written: a store with a cell or two."""


@pytest.mark.fault
@pytest.mark.usefixtures("workers_here")
def test_a_run_says_that_its_store_cannot_be_written_and_goes_on_when_there_is_room(
    folds: Path, tmp_path: Path, ask: Ask
) -> None:
    words = ("protocol", folds, "--methods", "l1,log,l2", "--grid", 3, "--workers", 1, "--out")
    stopped = subprocess.run(
        [sys.executable, "-m", "core", *map(str, words), str(tmp_path / "full"), "--json"],
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert stopped.returncode == 1
    said = stopped.stderr.splitlines()[-1]
    assert_says(said, "runs.sqlite", "cannot", "continues", "finished")
    assert "Traceback" not in stopped.stderr

    def models(folder: Path) -> list[tuple[object, ...]]:
        rows = ask(*words, folder)["results"]
        return [tuple(row[name] for name in ("method", "complete", "MAP", "NDCG@10", "nonzero")) for row in rows]

    went_on, afresh = models(tmp_path / "full"), models(tmp_path / "another")
    assert went_on == afresh
    assert all(complete for _, complete, *_ in afresh)
