"""Files that are there whole or not at all."""

from __future__ import annotations

import io
import os
import re
import zipfile
from pathlib import Path

import pytest

from core.export.files import not_an_input, write_files, zip_of

FILES = {"report.html": b"page", "tables/a.csv": b"a,b\n"}


def test_files_and_folders_are_made_and_nothing_else_is_touched(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    paths = write_files(tmp_path, FILES)
    assert paths == [tmp_path / "report.html", tmp_path / "tables" / "a.csv"]
    assert [path.read_bytes() for path in paths] == list(FILES.values())
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.csv", "mine.txt", "report.html", "tables"]


def test_new_files_can_be_read_by_whom_any_new_file_can(tmp_path: Path) -> None:
    (path,) = write_files(tmp_path, {"a": b""})
    (tmp_path / "b").touch()
    assert path.stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"a": b"old"})

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_files(tmp_path, {"a": b"new"})
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


def test_the_archive_has_the_same_files_and_the_same_bytes_every_time() -> None:
    archive = zip_of(FILES)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == FILES
    assert archive == zip_of(FILES)


def test_a_file_that_is_read_is_not_written_over_by_whatever_name(tmp_path: Path) -> None:
    read, link, other = tmp_path / "read.json", tmp_path / "link.json", tmp_path / "other.json"
    read.write_text("{}")
    link.symlink_to(read)
    for out in (read, link, tmp_path / "." / "read.json"):
        with pytest.raises(ValueError, match=rf"{re.escape(str(out))} .*input.*another"):
            not_an_input(out, [other, read])
    not_an_input(other, [other, read])
