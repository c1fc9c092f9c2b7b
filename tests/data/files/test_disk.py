"""What is written is whole or not there at all; what is kept stays small together, and damaged it is not there.

The cache gives what reading gives, faster, and never gets in the way.
"""

import gzip
import logging
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.code_version import files_of
from core.data import RankingData
from core.data.files import disk
from core.data.files.cache import Kept, sources
from core.data.files.cache import recall as recall_file
from core.data.files.disk import KINDS, DiskCache, cache_folder, usual_mode, whole_file
from core.data.letor.letor_format import read_letor
from tests.says import assert_says


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


def put(name: str, content: bytes, kind: str = "paths", limit: int = 1000) -> Path:
    cache = DiskCache(kind, limit)
    cache.put(name, lambda file: file.write(content))
    return cache.path(name)


def get(name: str, kind: str = "paths") -> bytes | None:
    return DiskCache(kind).get(name, Path.read_bytes)


def test_what_is_put_is_got_until_it_is_replaced() -> None:
    assert get("a") is None
    put("a", b"one")
    put("b", b"")
    assert (get("a"), get("b"), get("a", "data")) == (b"one", b"", None)
    put("a", b"two")
    assert get("a") == b"two"


def test_all_kinds_make_room_for_each_other_the_longest_unused_first() -> None:
    for age, (name, kind) in enumerate([("a", "paths"), ("b", "data"), ("c", "paths")]):
        os.utime(put(name, b"x" * 300, kind), (age, age))
    assert get("a") is not None  # used: now it is the newest
    put("d", b"x" * 300, "data")
    assert get("b", "data") is None
    assert None not in (get("a"), get("c"), get("d", "data"))
    put("huge", b"x" * 2000)
    assert get("huge") is None
    assert get("d", "data") is not None


def test_what_is_plainly_too_large_is_not_even_written(own_cache: Path) -> None:
    DiskCache("data", 1000).put("a", lambda file: pytest.fail("written"), 1001)
    assert list(own_cache.iterdir()) == []


def test_files_of_others_in_the_folder_stay(own_cache: Path) -> None:
    mine = [own_cache / "mine.npz", own_cache / "data" / "notes.txt", own_cache / "sub" / "more.npz"]
    for path in mine:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * 5000)
    put("a", b"one")
    assert all(path.exists() for path in mine)
    assert get("a") == b"one"


@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7), cut=st.booleans())
def test_a_flipped_bit_or_a_missing_end_is_no_error(place: int, bit: int, cut: bool) -> None:
    whole = b"a result of some length"

    def read(path: Path) -> bytes:
        if not (content := path.read_bytes()):
            raise EOFError
        return gzip.decompress(content)

    path = put("a", gzip.compress(whole, mtime=0))
    content = bytearray(path.read_bytes())
    place %= len(content)
    rest = b"" if cut else bytes([content[place] ^ 1 << bit]) + content[place + 1 :]
    path.write_bytes(content[:place] + rest)
    found = DiskCache("paths").get("a", read)
    assert found == whole or (found is None and not path.exists())  # bits of the head mean nothing


def test_a_place_that_cannot_be_written_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "file" / "below"))
    disk._say_once.cache_clear()
    with caplog.at_level(logging.WARNING, disk.__name__):
        for _ in range(2):
            put("a", b"one")
            assert get("a") is None
    (said,) = caplog.messages
    assert_says(said, "cannot be saved", "disk", "again", "restart")


@pytest.mark.parametrize("kind", KINDS)
def test_files_that_a_crash_left_behind_are_removed_in_time(own_cache: Path, kind: str) -> None:
    (own_cache / kind).mkdir()
    old, young = own_cache / kind / "old.tmp", own_cache / kind / "young.tmp"
    for path, age in ((old, 7200), (young, 10)):
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    put("a", b"one")
    assert not old.exists()
    assert young.exists(), "another process may be writing it"


def test_processes_that_write_and_make_room_at_once_read_whole_files_or_none() -> None:
    program = """if True:
        from pathlib import Path
        from core.data.files.disk import DiskCache
        for k in range(300):
            name = f"n{k % 7}"
            content = name.encode() * 100
            cache = DiskCache("paths", 700)
            cache.put(name, lambda file: file.write(content))
            assert cache.get(f"n{(k + 3) % 7}", Path.read_bytes) in (None, f"n{(k + 3) % 7}".encode() * 100)
    """
    at_work = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    assert [process.wait(120) for process in at_work] == [0, 0]


def test_the_folder_is_the_platforms_unless_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SPARSE_RANK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == tmp_path / "sparse-ranking-lab"
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


TEXT = b"1 qid:a 1:0.1 2:2 #docid = x\n0 qid:a 1:3 2:4 #docid = y\n0 qid:b 1:5 2:6 #docid = z\n"


def recall(content: bytes, options: dict[str, object], read: Callable[[], RankingData]) -> RankingData:
    """`recall_file` of a file with this content, by another name each time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / Path(folder).name
        file.write_bytes(content)
        return recall_file(file, options, lambda: Kept(read())).data


class Reader:
    """Reads and counts how often it had to."""

    def __init__(self, text: bytes = TEXT, dtype: type[np.floating] = np.float64) -> None:
        self.text, self.dtype, self.calls = text, dtype, 0

    def __call__(self) -> RankingData:
        self.calls += 1
        return read_letor(self.text, dtype=self.dtype)


@pytest.mark.parametrize(("text", "dtype"), [(TEXT, np.float64), (b"1 qid:1 1:0.1\n", np.float32)])
def test_the_second_reading_of_a_file_by_any_name_comes_from_the_cache(text: bytes, dtype: type[np.floating]) -> None:
    reader = Reader(text, dtype)
    first, second = (recall(text, {}, reader) for _ in range(2))
    assert reader.calls == 1
    assert second.fingerprint == first.fingerprint == reader().fingerprint
    assert (second.document_ids is None) == (text != TEXT)


def test_another_content_or_option_is_another_entry(own_cache: Path) -> None:
    reader = Reader()
    for content, options in ((TEXT, {"group": False}), (TEXT, {"group": True}), (TEXT + b"#", {"group": False})):
        recall(content, options, reader)
    assert reader.calls == 3
    assert len(list(own_cache.glob("data/*.npz"))) == 3


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "foreign"])
def test_a_damaged_entry_is_read_anew_and_rewritten(own_cache: Path, damage: str) -> None:
    reader = Reader()
    recall(TEXT, {}, reader)
    (entry,) = own_cache.glob("data/*.npz")
    whole = entry.read_bytes()
    middle = whole.index(np.float64(0.1).tobytes())
    flipped = whole[:middle] + b"\x00" * 8 + whole[middle + 8 :]
    entry.write_bytes({"cut": whole[:-30], "flipped": flipped, "emptied": b"", "foreign": b"PK hello"}[damage])
    assert recall(TEXT, {}, reader).features[0, 0] == 0.1
    assert reader.calls == 2
    recall(TEXT, {}, reader)
    assert reader.calls == 2


def test_an_entry_that_is_compressed_is_not_ours_and_not_unpacked(own_cache: Path) -> None:
    """A small one could unpack to any size."""
    recall(TEXT, {}, Reader())
    (entry,) = own_cache.glob("data/*.npz")
    with zipfile.ZipFile(entry) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(entry, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    again = Reader()
    recall(TEXT, {}, again)
    assert again.calls == 1


def test_what_reading_raises_is_raised_and_not_kept(own_cache: Path) -> None:
    with pytest.raises(ValueError, match="bad"):
        recall(b"bad", {}, Reader(b"bad"))
    assert list(own_cache.iterdir()) == []


def test_all_code_that_reads_data_counts_in_the_name_of_an_entry() -> None:
    assert files_of("core.data.reading") <= set(sources())
