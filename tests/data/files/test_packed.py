"""A zip archive with folds is a dataset as the folder with the same files is, and no archive can fill the computer.

A file of another kind is recognised by its content and refused in plain words.
"""

import gzip
import io
import json
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.data import DataError, Reading
from core.data.catalogue import find_entry
from core.data.files.file_content import MOST_FILES, read_content, read_head
from core.data.files.packed import VARIABLE
from core.data.imports.text_file import TextFile
from core.data.letor.letor_format import read_letor
from core.data.single_file import open_file
from core.data.tables.table_format import read_table
from tests.data.conftest import memory_below
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


def test_partitions_are_read_from_it_too() -> None:
    parts = {f"x/partitions/S{k}.txt": f"1 qid:{k} 1:{k}\n0 qid:{k} 1:0\n".encode() for k in range(1, 6)}
    rotated = Reading().open("x.zip", zipped(parts))
    assert [part.query_ids for part in rotated.fold(4).parts().values()] == [("4", "5", "1"), ("2",), ("3",)]


def test_an_entry_without_a_name_is_passed_over() -> None:
    """Found by the fuzz: Python asks for the last letter of the name."""
    content = bytearray(zipped(folds() | {"?": b"what"}))
    for signature, lengths in ((b"PK\3\4", 26), (b"PK\1\2", 28)):  # the letter belongs to the extra field instead
        at = content.rindex(signature) + lengths
        content[at : at + 4] = struct.pack("<HH", 0, 1)
    assert zipfile.ZipFile(io.BytesIO(content)).namelist()[-1] == ""
    whole, without = (Reading().open("mine.zip", bytes(one)) for one in (zipped(folds()), content))
    assert without.fold(1).train.fingerprint == whole.fold(1).train.fingerprint


def test_the_catalogue_counts_its_folds_and_does_not_split_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.zip"
    path.write_bytes(zipped(folds(n=3)))
    entry = find_entry(str(path))
    assert (entry.name, entry.n_folds, entry.undivided) == ("mine", 3, False)
    with pytest.raises(DataError, match="folds"):
        Reading(folds=5).open(str(path))


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
        with memory_below(16 << 20), pytest.raises(DataError):
            Reading().open("mine.zip", content).fold()


LETOR = b"1 qid:1 1:0.5\n0 qid:1 1:0.25\n" * 50


FOREIGN = {
    "zip": (zipped({"train.txt": LETOR}), ("zip archive", "unpack")),
    "zip in gzip": (gzip.compress(zipped({"train.txt": LETOR})), ("zip archive", "unpack")),
    "xlsx": (zipped({"[Content_Types].xml": LETOR, "xl/workbook.xml": LETOR}), ("Excel", "CSV")),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(20), ("PNG image",)),
    "jpeg": (b"\xff\xd8\xff\xe0" + bytes(20), ("JPEG image",)),
    "pdf": (b"%PDF-1.7\n", ("PDF",)),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), ("old Excel", ".xlsx")),
    "rar": (b"Rar!\x1a\x07\x01\x00", ("RAR archive", "unpack")),
    "html": (b"\n <!DOCTYPE html><html><body>log in</body></html>", ("web page",)),
    "UTF-16 without mark": (LETOR.decode().encode("utf-16-le"), ("UTF-16", "UTF-8")),
    "UTF-16 without mark, high bytes first": (LETOR.decode().encode("utf-16-be"), ("UTF-16", "UTF-8")),
    "binary": (LETOR + b"\x00\x01\x02", ("binary", "zero byte", "line 101")),
    "gzip cut off": (gzip.compress(LETOR)[:-12], ("gzip", "ends")),
    "gzip damaged": (gzip.compress(LETOR)[:12] + b"\xff\xff\xff" + gzip.compress(LETOR)[15:], ("damaged",)),
    "gzip of nothing": (gzip.compress(b""), ("empty",)),
}


@pytest.mark.parametrize("read", [read_letor, read_table], ids=["as LETOR", "as CSV"])
@pytest.mark.parametrize(("content", "facts"), FOREIGN.values(), ids=FOREIGN.keys())
def test_a_file_of_another_kind_is_named_for_what_it_is(content: bytes, facts: tuple[str, ...], read) -> None:
    with pytest.raises(DataError) as caught:
        read(content, name="upload.txt")
    assert caught.value.file == "upload.txt"
    assert_says(caught.value.reason, *facts)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_content(tmp_path / "none.txt", "none.txt")
    with pytest.raises(DataError, match="a folder"):
        read_content(tmp_path, "folder")


def test_the_head_of_a_gzipped_file_is_its_unpacked_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(LETOR))
    assert read_head(path, "a.gz", 10) == LETOR[:10]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_lines_that_end_in_carriage_returns_alone_are_lines(pack: Callable[[bytes], bytes]) -> None:
    """As old programs for the Macintosh write them, and some spreadsheets still do."""
    old = LETOR.replace(b"\n", b"\r")
    assert read_content(pack(old), "a.txt") == read_content(pack(LETOR), "a.txt") == LETOR
    assert read_head(pack(old), "a.txt", 40) == LETOR[:40]
    assert [line for _, line in TextFile(pack(old), "a.txt").lines()] == LETOR.decode().splitlines()
    assert open_file(pack(b"a,b,class\r1,2,x\r2,3,y\r"), "a.csv").load(0).train.n_documents == 2
    with pytest.raises(DataError, match="line 3, column 9"):
        open_file(pack(b"1 qid:1 1:1\r0 qid:1 1:2\r0 qid:1 x:2\r"), "a.txt")


def test_carriage_returns_before_line_feeds_and_within_lines_stay() -> None:
    for content in (LETOR.replace(b"\n", b"\r\n"), b'a,class\n"b\rc",x\n'):
        assert read_content(content, "a.txt") == content
