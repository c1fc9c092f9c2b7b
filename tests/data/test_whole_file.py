"""A file is there whole or not at all, whatever happens while it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.data.disk import usual_mode, whole_file


def test_it_takes_the_place_of_an_older_one_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "file"
    for content in (b"old", b"new"):
        with whole_file(path) as file:
            file.write(content)
            assert not path.exists() or path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


def test_after_an_error_the_older_one_is_there_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), whole_file(path) as file:
        file.writelines([b"half", "not bytes"])  # type: ignore[list-item]
    assert [(found.name, found.read_bytes()) for found in tmp_path.iterdir()] == [("file", b"old")]


def test_after_an_error_no_new_folder_is_left_but_every_older_one(tmp_path: Path) -> None:
    (tmp_path / "older").mkdir()
    with pytest.raises(TypeError), whole_file(tmp_path / "older" / "new" / "newer" / "file") as file:
        file.write("not bytes")  # type: ignore[arg-type]
    assert [found.name for found in tmp_path.rglob("*")] == ["older"]


def test_it_is_private_or_as_any_new_file(tmp_path: Path) -> None:
    for name, mode in (("private", None), ("usual", usual_mode())):
        with whole_file(tmp_path / name, *([] if mode is None else [mode])) as file:
            file.write(b"")
    (tmp_path / "other").touch()
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "usual").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_the_longest_name_is_not_too_long(tmp_path: Path) -> None:
    longest = tmp_path / ("x" * 255)
    with whole_file(longest) as file:
        file.write(b"all of it")
    assert longest.read_bytes() == b"all of it"
    assert [path.name for path in tmp_path.iterdir()] == [longest.name]
