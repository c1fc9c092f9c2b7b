"""The cache gives what reading gives, faster, and never gets in the way."""

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.code_version import files_of
from core.data.files.cache import Kept, sources
from core.data.files.cache import recall as recall_file
from core.data.letor.letor_format import read_letor
from core.data.ranking_data import RankingData

TEXT = b"1 qid:a 1:0.1 2:2 #docid = x\n0 qid:a 1:3 2:4 #docid = y\n0 qid:b 1:5 2:6 #docid = z\n"


def recall(content: bytes, options: dict[str, object], read: Callable[[], RankingData], **limit: int) -> RankingData:
    """`recall_file` of a file with this content."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file"
        file.write_bytes(content)
        return recall_file(file, options, lambda: Kept(read()), **limit).data


class Reader:
    """Reads and counts how often it had to."""

    def __init__(self, text: bytes = TEXT, dtype: type[np.floating] = np.float64) -> None:
        self.text, self.dtype, self.calls = text, dtype, 0

    def __call__(self) -> RankingData:
        self.calls += 1
        return read_letor(self.text, dtype=self.dtype)


def test_the_second_reading_comes_from_the_cache_and_is_the_same() -> None:
    reader = Reader()
    first, second = (recall(TEXT, {"reader": "letor"}, reader) for _ in range(2))
    assert reader.calls == 1
    assert second.fingerprint == first.fingerprint == reader().fingerprint
    assert second.feature_names == first.feature_names


def test_single_precision_and_missing_document_ids_survive() -> None:
    reader = Reader(b"1 qid:1 1:0.1\n", np.float32)
    _, again = (recall(reader.text, {}, reader) for _ in range(2))
    assert again.features.dtype == np.float32
    assert again.document_ids is None


def test_the_key_is_the_content_whatever_the_file_is_called(tmp_path: Path) -> None:
    reader = Reader()
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_bytes(TEXT)
        recall_file(tmp_path / name, {}, lambda: Kept(reader()))
    assert reader.calls == 1


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
