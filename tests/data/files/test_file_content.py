"""A file of another kind is recognised by its content and refused in plain words."""

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.data.errors import DataError
from core.data.files.file_content import read_content, read_head
from core.data.imports.text_file import TextFile
from core.data.letor.letor_format import read_letor
from core.data.single_file import open_file
from core.data.tables.table_format import read_table
from tests.says import assert_says

LETOR = b"1 qid:1 1:0.5\n0 qid:1 1:0.25\n" * 50


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, LETOR)
    return buffer.getvalue()


FOREIGN = {
    "zip": (zipped("train.txt"), ("zip archive", "unpack")),
    "zip in gzip": (gzip.compress(zipped("train.txt")), ("zip archive", "unpack")),
    "xlsx": (zipped("[Content_Types].xml", "xl/workbook.xml"), ("Excel", "CSV")),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(20), ("PNG image",)),
    "jpeg": (b"\xff\xd8\xff\xe0" + bytes(20), ("JPEG image",)),
    "pdf": (b"%PDF-1.7\n", ("PDF",)),
    "rar": (b"Rar!\x1a\x07\x01\x00", ("RAR archive", "unpack")),
    "html": (b"\n <!DOCTYPE html><html><body>log in</body></html>", ("web page",)),
    "UTF-16 without mark": (LETOR.decode().encode("utf-16-le"), ("UTF-16", "UTF-8")),
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
