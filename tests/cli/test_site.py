"""The command ``site``: what it says before it writes, what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import open_dataset, save_site
from core.cli import main


def test_it_says_what_the_site_shows_and_writes_the_index_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a" / "site"
    words = ["site", "planted", "--folds", "2", "--methods", "l1,log", "--lessons", "none", "--out", str(out), "--json"]
    assert main(words) == 0
    told = capsys.readouterr()
    record = json.loads(told.out)
    assert "the names of its 60 features" in told.err
    assert record["shown"] == told.err.splitlines()
    written = [path for path in out.rglob("*") if path.is_file()]
    assert record["files"] == len(written) == 6
    assert record["bytes"] == sum(path.stat().st_size for path in written)
    same = save_site([open_dataset("planted")], tmp_path / "same", folds=[2], methods=["l1", "log"])
    assert {path.relative_to(out) for path in written} == {
        path.relative_to(same.parent) for path in same.parent.rglob("*") if path.is_file()
    }
    assert max(written, key=lambda path: path.stat().st_mtime_ns) == out / "index.html" == Path(record["site"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--methods", "l1,nothing"], "nothing"),
        (["--folds", "1,9"], "there is no fold 9"),
        (["--folds", "1,x"], "whole number"),
        (["--lessons", "zeros,nothing"], "there is no lesson 'nothing'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert main(["site", "planted", *words, "--out", str(tmp_path / "site")]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_a_file_in_the_place_of_the_folder_is_said_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "site").write_text("mine")
    words = ["site", "planted", "--folds", "1", "--methods", "l1", "--lessons", "none", "--out", str(tmp_path / "site")]
    assert main(words) == 2
    assert "cannot write" in capsys.readouterr().err
    assert (tmp_path / "site").read_text() == "mine"
