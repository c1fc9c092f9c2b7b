"""A disk that fills up in the middle of a run of the protocol: one sentence, and nothing finished is lost."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOM = 60 * 1024
"""Bytes of the largest file that can be written: a store with a cell or two."""


def protocol(folder: Path, room: int | None) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "core", "protocol", "planted", "--methods", "l1", "--out", str(folder / "out")]
    return subprocess.run(
        [*words, "--workers", "1", "--json"],
        cwd=ROOT,
        env=os.environ | {"SPARSE_RANK_CACHE": str(folder / "cache")},
        preexec_fn=None if room is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.fault
def test_a_run_says_that_its_store_cannot_be_written_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    stopped = protocol(tmp_path, ROOM)
    assert stopped.returncode == 1
    said = stopped.stderr.splitlines()[-1]
    assert "runs.sqlite cannot be used" in said
    assert said.endswith("once that is mended the run goes on with what is finished")
    assert "Traceback" not in stopped.stderr
    went_on = protocol(tmp_path, None)
    assert went_on.returncode == 0, went_on.stderr
    afresh = protocol(tmp_path / "another", None)

    def models(run: subprocess.CompletedProcess[str]) -> list[tuple[object, ...]]:
        rows = json.loads(run.stdout)["results"]
        return [tuple(row[name] for name in ("method", "complete", "MAP", "NDCG@10", "nonzero")) for row in rows]

    assert models(went_on) == models(afresh)
    assert models(afresh)[0][1] is True
