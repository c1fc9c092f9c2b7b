"""A zip archive with folds is a dataset as the folder with the same files is, and no archive can fill the computer."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.data import DataError, Reading
from core.data.catalogue import find_entry
from core.data.files.limits import VARIABLE
from core.data.files.packed import MOST_FILES
from tests.says import assert_says

PARTS = ("train", "vali", "test")


def folds(inside: str = "", n: int = 5) -> dict[str, bytes]:
    return {
        f"{inside}Fold{k}/{part}.txt": f"1 qid:{k}{part} 1:{k} 2:1\n0 qid:{k}{part} 1:0.5\n".encode()
        for k in range(1, n + 1)
        for part in PARTS
    }


def zipped(files: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", how) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return archive.getvalue()


def written(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize("inside", ["", "MQ2008/", "data/letor/MQ2008/"])
@pytest.mark.parametrize("uploaded", [True, False])
def test_it_is_the_dataset_of_the_folder_with_the_same_files(tmp_path: Path, inside: str, uploaded: bool) -> None:
    files = folds(inside) | {f"{inside}readme.pdf": b"%PDF", "__MACOSX/MQ2008/Fold1/train.txt": b"\0\5"}
    described = {"convention": "letor4", "query_texts": "queries.tsv", "name": "another"}
    files |= {f"{inside}dataset.json": json.dumps(described).encode(), f"{inside}queries.tsv": b"1test\tred dress\n"}
    files[f"{inside}feature_names.txt"] = b"tf\nidf\n"
    of_folder = Reading(scale="minmax").open(str(written(tmp_path / "there", files) / inside))
    path = tmp_path / "MQ2008.zip"
    path.write_bytes(zipped(files))
    opened = Reading(scale="minmax").open(*((path.name, path.read_bytes()) if uploaded else (str(path),)))
    assert opened.name == "MQ2008"
    assert path.name in opened.provenance
    assert (opened.fold_names, opened.convention) == (of_folder.fold_names, "letor4")
    assert opened.query_texts == of_folder.query_texts == {"1test": "red dress"}
    for number in range(1, 6):
        assert opened.fold(number).fingerprint == of_folder.fold(number).fingerprint
    assert opened.fold(1).train.feature_names == ("tf", "idf")


def test_an_entry_without_a_name_is_passed_over() -> None:
    """Found by the fuzz: Python asks for the last letter of the name."""
    content = bytearray(zipped(folds() | {"?": b"what"}))
    for signature, lengths in ((b"PK\3\4", 26), (b"PK\1\2", 28)):  # the letter belongs to the extra field instead
        at = content.rindex(signature) + lengths
        content[at : at + 4] = struct.pack("<HH", 0, 1)
    assert zipfile.ZipFile(io.BytesIO(content)).namelist()[-1] == ""
    whole, without = (Reading().open("mine.zip", bytes(one)) for one in (zipped(folds()), content))
    assert without.fold(1).train.fingerprint == whole.fold(1).train.fingerprint


def test_partitions_and_gzipped_parts_are_read_from_it_too() -> None:
    parts = {f"x/partitions/S{k}.txt": f"1 qid:{k} 1:{k}\n0 qid:{k} 1:0\n".encode() for k in range(1, 6)}
    rotated = Reading().open("x.zip", zipped(parts))
    assert rotated.n_folds == 5
    assert [part.query_ids for part in rotated.fold(4).parts().values()] == [("4", "5", "1"), ("2",), ("3",)]


def test_the_catalogue_counts_its_folds_and_does_not_split_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.zip"
    path.write_bytes(zipped(folds(n=3)))
    entry = find_entry(str(path))
    assert (entry.name, entry.n_folds, entry.undivided) == ("mine", 3, False)
    with pytest.raises(DataError, match="folds"):
        Reading(folds=5).open(str(path))
    with pytest.raises(DataError, match="folds"):
        Reading(positive="1").open("mine.zip", path.read_bytes())


def test_features_are_left_out_and_queries_grouped_as_of_a_folder() -> None:
    apart = folds(n=1) | {"Fold1/vali.txt": b"1 qid:a 1:1\n1 qid:b 1:2\n0 qid:a 1:3\n"}
    fold = Reading(group=True, drop_columns=("1",)).open("mine.zip", zipped(apart)).fold()
    assert fold.vali is not None
    assert fold.vali.query_ids == ("a", "b")
    assert not fold.train.features[:, 0].any()


def encrypted(content: bytes) -> bytes:
    """Flag all entries as encrypted, in their own heads and in the list."""
    for sign, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        begin = content.find(sign)
        while begin >= 0:
            content = content[: begin + at] + struct.pack("<H", 1) + content[begin + at + 2 :]
            begin = content.find(sign, begin + 4)
    return content


WHOLE = zipped(folds())
REFUSED: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "nothing in it": (zipped({"readme.txt": b"hello"}), ("no folds", "Fold1", "unpack")),
    "a table in it": (zipped({"data.csv": b"a,b\n1,2\n"}), ("no folds", "unpack")),
    "a workbook": (zipped({"[Content_Types].xml": b"", "xl/workbook.xml": b""}), ("Excel", "CSV")),
    "two datasets": (zipped(folds("a/") | folds("b/")), ("several", "a, b", "one")),
    "a part is missing": (zipped({"Fold1/train.txt": b"1 qid:1 1:1\n"}), ("Fold1", "vali.txt", "missing")),
    "cut off": (WHOLE[: len(WHOLE) // 2], ("zip archive", "damaged")),
    "damaged inside": (WHOLE.replace(b"qid:", b"qld:", 1)[:60] + b"\xff" * 20 + WHOLE[80:], ("zip archive", "damaged")),
    "encrypted": (encrypted(WHOLE), ("encrypted", "password")),
    "unusual": (zipped(folds(), zipfile.ZIP_BZIP2), ("unusual", "zip the files again")),
    "too many files": (zipped(folds() | {f"x{k}": b"" for k in range(MOST_FILES)}), ("10,000 files",)),
    "texts are missing": (
        zipped(folds() | {"dataset.json": b'{"query_texts": "../../etc/passwd"}'}), ("no file", "etc/passwd"),
    ),
    "a broken description": (zipped(folds() | {"dataset.json": b"{"}), ("dataset.json", "not valid JSON")),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_used_is_refused_in_a_sentence(what: str) -> None:
    content, facts = REFUSED[what]
    with pytest.raises(DataError) as caught:
        Reading().open("mine.zip", content).fold()
    assert "\n" not in str(caught.value)
    assert_says(str(caught.value), "mine", *facts)


def lying(content: bytes, size: int) -> bytes:
    """The archive with another unpacked size of its first file."""
    for sign, at in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        begin = content.find(sign) + at
        content = content[:begin] + struct.pack("<I", size) + content[begin + 4 :]
    return content


def test_what_unpacks_to_more_than_the_limit_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped(folds(n=1) | {"Fold1/train.txt": b"0 qid:1 1:1\n" * (16 << 20)})
    monkeypatch.setenv(VARIABLE, "32M")
    for content in (bomb, lying(bomb, 100)):
        tracemalloc.start()
        try:
            with pytest.raises(DataError):
                Reading().open("mine.zip", content).fold()
            assert tracemalloc.get_traced_memory()[1] < 16 << 20
        finally:
            tracemalloc.stop()
