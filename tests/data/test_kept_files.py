"""A folder of results that may be lost: what is damaged is as if it were not there, and it never grows too large."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.kept_files import KeptFiles


@pytest.fixture
def files(tmp_path: Path) -> KeptFiles:
    return KeptFiles(tmp_path / "kept", 1000)


def test_what_is_put_is_got_by_every_process_until_it_is_replaced(files: KeptFiles) -> None:
    assert files.get("a") is None
    files.put("a", b"one")
    files.put("b", b"")
    assert KeptFiles(files.folder, 1000).get("a") == b"one"
    assert files.get("b") == b""
    files.put("a", b"two")
    assert files.get("a") == b"two"


def test_the_longest_unused_make_room(files: KeptFiles) -> None:
    for age, name in enumerate("abc"):
        files.put(name, b"x" * 300)
        os.utime(files.folder / f"{name}.kept", (age, age))
    assert files.get("a") is not None  # used: now it is the newest
    files.put("d", b"x" * 300)
    assert [name for name in "abcd" if files.get(name) is not None] == ["a", "d"] or files.get("b") is None
    assert sum(path.stat().st_size for path in files.folder.iterdir()) <= 1000
    files.put("huge", b"x" * 2000)
    assert files.get("huge") is None
    assert files.get("d") is not None


@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7), cut=st.booleans())
def test_a_flipped_bit_or_a_missing_end_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, place: int, bit: int, cut: bool
) -> None:
    files = KeptFiles(tmp_path_factory.getbasetemp() / "bits", 1000)
    files.put("a", b"a result of some length")
    path = files.folder / "a.kept"
    content = bytearray(path.read_bytes())
    place %= len(content)
    rest = b"" if cut else bytes([content[place] ^ 1 << bit]) + content[place + 1 :]
    path.write_bytes(content[:place] + rest)
    assert files.get("a") is None


def test_a_place_that_cannot_be_written_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    files = KeptFiles(tmp_path / "file" / "kept", 1000)
    assert files.get("a") is None
    with pytest.raises(OSError, match="file"):
        files.put("a", b"one")
