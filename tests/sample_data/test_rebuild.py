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

from tests.sample_data.files import ROOT

HERE = {
    "python": platform.python_version(),
    "platform": sys.platform,
    "numpy": np.__version__,
    "zlib": zlib.ZLIB_RUNTIME_VERSION,
}


@pytest.mark.parametrize(
    ("name", "script", "most"),
    [("python-docs", "build_python_docs.py", 3_000_000), ("planted", "build_planted.py", 500_000)],
)
def test_rebuilding_gives_the_committed_bytes_which_are_few(name: str, script: str, most: int, tmp_path: Path) -> None:
    committed = ROOT / name
    assert sum(path.stat().st_size for path in committed.rglob("*") if path.is_file()) <= most
    for path in (committed / "partitions").iterdir():
        assert path.read_bytes()[3:8] == bytes(5), "gzip has neither the file's name nor a time"
    built_with = json.loads((committed / "dataset.json").read_text(encoding="utf-8"))["built_with"]
    for what, version in built_with.items():
        if HERE[what] != version:
            pytest.skip(f"{name} was built with {what} {version}, this is {HERE[what]}")
    subprocess.run(
        [sys.executable, ROOT / script, "--out", tmp_path / name],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        cwd=tmp_path,
    )
    built = [path for path in (tmp_path / name).rglob("*") if path.is_file()]
    assert len(built) >= 7
    assert all(path.read_bytes() == (committed / path.relative_to(tmp_path / name)).read_bytes() for path in built)
