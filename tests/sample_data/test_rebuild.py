"""Anyone who reruns a build script gets the committed bytes."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2] / "sample_data"
HERE = {
    "python": platform.python_version(),
    "platform": sys.platform,
    "numpy": np.__version__,
    "zlib": zlib.ZLIB_RUNTIME_VERSION,
}


def rebuild(script: str, out: Path, hash_seed: str) -> None:
    subprocess.run(
        [sys.executable, ROOT / script, "--out", out],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        cwd=out.parent,
    )


@pytest.mark.parametrize(
    ("name", "script"),
    [("python-docs", "build_python_docs.py"), ("planted", "build_planted.py")],
)
def test_rebuilding_gives_the_committed_bytes(name, script, tmp_path):
    committed = ROOT / name
    built_with = json.loads((committed / "dataset.json").read_text(encoding="utf-8"))["built_with"]
    for what, version in built_with.items():
        if HERE[what] != version:
            pytest.skip(f"{name} was built with {what} {version}, this is {HERE[what]}")
    rebuild(script, tmp_path / name, hash_seed="4711")
    built = [path for path in (tmp_path / name).rglob("*") if path.is_file()]
    assert len(built) >= 7
    different = [
        path.name for path in built if path.read_bytes() != (committed / path.relative_to(tmp_path / name)).read_bytes()
    ]
    assert different == []


@pytest.mark.parametrize(("name", "most"), [("python-docs", 3_000_000), ("planted", 500_000)])
def test_the_set_is_small_enough_to_ship(name, most):
    assert sum(path.stat().st_size for path in (ROOT / name).rglob("*") if path.is_file()) <= most


@pytest.mark.parametrize("name", ["python-docs", "planted"])
def test_the_compressed_files_carry_neither_time_nor_name(name):
    for path in (ROOT / name / "partitions").iterdir():
        header = path.read_bytes()[:10]
        assert header[3] == 0, "gzip flags: no file name"
        assert header[4:8] == bytes(4), "gzip time stamp"
