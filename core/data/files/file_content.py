"""The text of a data file, refused with a reason if it is none; and the files of a zip archive, in memory, as paths."""

from __future__ import annotations

import codecs
import json
import re
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from core.data.errors import DataError, refuse
from core.data.files.packed import PIECE, ZIP, Limits, Unpacked, is_archive, opened

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HEAD = 4096

_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "this is a PNG image, not a data file"),
    (b"\xff\xd8\xff", "this is a JPEG image, not a data file"),
    (b"GIF8", "this is a GIF image, not a data file"),
    (b"%PDF", "this is a PDF document, not a data file"),
    (b"Rar!", "this is a RAR archive; unpack it and open the files inside"),
    (b"7z\xbc\xaf\x27\x1c", "this is a 7z archive; unpack it and open the files inside"),
    (b"BZh", "this is compressed with bzip2; unpack it, or compress it with gzip instead"),
    (b"\xfd7zXZ", "this is compressed with xz; unpack it, or compress it with gzip instead"),
    (b"\x28\xb5\x2f\xfd", "this is compressed with zstd; unpack it, or compress it with gzip instead"),
    (b"\xd0\xcf\x11\xe0", "this is an old Excel or Word file; save the sheet as .xlsx or CSV"),
    (b"PAR1", "this is a Parquet file, which is read only as data with query and relevance"),
    (b"\x93NUMPY", "this is a NumPy array; write it as LETOR text or CSV"),
    (b"\x89HDF", "this is an HDF5 file; write its table as LETOR text or CSV"),
)
MOST_FILES = 10_000
_DEEPEST = 8  # folders inside each other
_ENTRY = b"PK\x01\x02"  # before each name in the list of files
_NOT_DATA = "__MACOSX"  # macOS keeps its own notes on files there, under their names
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError)


def file_label(source: Path | bytes) -> str:
    """Return the name that messages use for a file without another name."""
    return str(source) if isinstance(source, Path) else "the file"


def read_content(source: Path | bytes, name: str) -> bytes:
    """Read the text of a file as bytes: unpacked if it is gzipped, without a byte order mark.

    Parameters
    ----------
    source : Path or bytes
        A file or its content.
    name : str
        Name of the file in messages.

    Raises
    ------
    DataError
        If the file cannot be read, is empty, larger than `Limits` allow, a broken gzip file, or of
        another kind.
    """
    size = _look_through(source, name)
    if size is None:
        gathered = BytesIO()
        for piece in Unpacked(source, name).pieces():
            gathered.write(piece)
        content = gathered.getvalue()  # without a copy: nothing else holds the buffer
    else:
        content = b"".join(Unpacked(source, name).pieces(at_once=max(size, PIECE)))  # one piece: no copy
    if not content:
        refuse("the file is empty", file=name)
    content = _in_utf8(content)
    refuse_foreign(content, name)
    return content.removeprefix(_BYTE_ORDER_MARK)


def read_head(source: Path | bytes, name: str, size: int = 65_536) -> bytes:
    """Read the first ``size`` bytes of the text, unpacked if gzipped; enough to recognise the format.

    Raises a `DataError` if the file cannot be read or is a broken gzip file.
    """
    return _in_utf8(b"".join(Unpacked(source, name).pieces(size))).removeprefix(_BYTE_ORDER_MARK)


def foreign_kind(content: bytes) -> str | None:
    """Say in one sentence what a file is and the way out, if it cannot be text with data; else return None."""
    head = content[:_HEAD]
    for magic, reason in _FOREIGN:
        if head.startswith(magic):
            return reason
    if is_archive(head):
        return "this is a zip archive; unpack it and open the files inside"
    if head.startswith(ZIP):
        return "this is an Excel workbook, which is read only as one file of data; save the sheet as CSV"
    if head[257:262] == b"ustar":
        return "this is a tar archive; unpack it and open the files inside"
    if re.match(rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html)", head, re.IGNORECASE):
        return "this is a web page (HTML), not a data file; was it saved from a link that asks to log in?"
    if b"\0" in content:
        halves = head[0::2].count(0), head[1::2].count(0)
        if max(halves) > len(head) // 3 > min(halves):
            return "this text is in UTF-16; save it as UTF-8"
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        return f"this is a binary file, not text: there is a zero byte in line {line}"
    return None


def _in_utf8(content: bytes) -> bytes:
    """Return the text in UTF-8 where its first bytes say that it is UTF-16; a character that is cut off is left out."""
    if not content.startswith(UTF16_MARKS):
        return content
    return content.decode("utf-16", errors="ignore").encode()


def _look_through(source: Path | bytes, name: str) -> int | None:
    """Refuse what is no text, or too large, before any of it is held: a packed file is unpacked for that alone.

    Returns the size of a file that is not packed.
    """
    text = Unpacked(source, name)
    for number, piece in enumerate(text.pieces()):
        if number == 0:  # what is no text need not be read to its end
            refuse_foreign(_in_utf8(piece), name)
        if not text.packed:
            size = len(source) if isinstance(source, bytes) else source.stat().st_size
            Limits.of(source).check_text(size, None, name)
            return size
    return None


def refuse_foreign(content: bytes, name: str) -> None:
    """Refuse what cannot be text with data; see `foreign_kind`."""
    reason = foreign_kind(content)
    if reason is not None:
        raise DataError(reason, file=name)


Made = TypeVar("Made")


def read_json_file(
    source: Path | bytes, make: Callable[[Any], Made], *, name: str | None = None, needed: str = ""
) -> Made:
    """Read the file and return what ``make`` makes of it; a `DataError` tells what is wrong with it.

    Parameters
    ----------
    source : Path or bytes
        A file or its content.
    make : callable
        From the parsed content; it raises a `DataError` about content that it cannot use.
    name : str, optional
        Name of the file in messages; its path by default.
    needed : str
        Which file is needed, to be said where it is no JSON at all.
    """
    label = name or file_label(source)
    content = read_content(source, label)
    try:
        parsed = json.loads(content)
    except ValueError as error:
        way_out = f"; a file is needed {needed}" if needed else ""
        refuse(f"this is not valid JSON ({error}){way_out}", file=label)
    try:
        return make(parsed)
    except DataError as error:
        raise DataError(error.reason, file=label) from None


class Archive:
    """The files of a zip archive.

    Parameters
    ----------
    source : Path or bytes
    name : str
        Of the archive, in messages.

    Attributes
    ----------
    files : mapping
        Entries by path. Folders of their own are not listed: a folder is where a file is.
    folders : mapping
        Names in each folder, by the folder's path.

    Raises
    ------
    DataError
        If it is damaged, encrypted, packed in an unusual way, or holds more than the limits allow.
    """

    def __init__(self, source: Path | bytes, name: str) -> None:
        if isinstance(source, bytes) and source.count(_ENTRY) > MOST_FILES:  # each of them would take memory
            refuse(f"there are more than {MOST_FILES:,} files in the archive", file=name)
        self.source, self.name = source, name
        with _archive(source, name) as archive:
            named = [entry for entry in archive.infolist() if entry.filename]  # of no name is nothing of ours
            entries = [(PurePosixPath(entry.filename), entry) for entry in named if not entry.is_dir()]
        self.files = {
            path: entry for path, entry in entries if len(path.parts) <= _DEEPEST and _NOT_DATA not in path.parts
        }
        held = self.files.values()
        unpacked, packed = sum(entry.file_size for entry in held), sum(entry.compress_size for entry in held)
        Limits.of(source).check_text(unpacked, packed, name)
        self.folders: Mapping[PurePosixPath, set[str]] = defaultdict(set)
        for path in self.files:
            for below, folder in pairwise((path, *path.parents)):
                self.folders[folder].add(below.name)

    def read(self, path: PurePosixPath) -> bytes:
        """Return the content of a file; never more of it than the archive's list says."""
        entry, gathered = self.files.get(path), BytesIO()
        if entry is None:
            reason = f"there is no file {path} in the archive"
        elif entry.flag_bits & 1:
            reason = "the archive is encrypted; unpack it and zip the files without a password"
        elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            reason = "the archive is compressed in an unusual way; unpack it and zip the files again"
        else:
            with _archive(self.source, self.name) as archive, archive.open(entry) as file:
                while piece := file.read(PIECE):
                    gathered.write(piece)
            return gathered.getvalue()
        raise DataError(reason, file=self.name)


@dataclass(frozen=True)
class ZippedPath:
    """A file or folder in an archive, with those operations of `pathlib.Path` that finding a dataset's files needs."""

    archive: Archive = field(repr=False)
    at: PurePosixPath = field(default_factory=PurePosixPath)

    @property
    def name(self) -> str:
        """Its last part; the archive's own name without the ending for the outermost folder."""
        return self.at.name or Path(self.archive.name).stem

    @property
    def parent(self) -> ZippedPath:
        """The folder in which it is."""
        return ZippedPath(self.archive, self.at.parent)

    def __truediv__(self, name: str) -> ZippedPath:
        return ZippedPath(self.archive, self.at / name)

    def relative_to(self, folder: ZippedPath) -> PurePosixPath:
        """Its path below a folder."""
        return self.at.relative_to(folder.at)

    def is_file(self) -> bool:
        """Whether the archive has this file."""
        return self.at in self.archive.files

    def is_dir(self) -> bool:
        """Whether the archive has a file below it."""
        return self.at in self.archive.folders

    def iterdir(self) -> Iterator[ZippedPath]:
        """Yield what is in this folder, in the order of the names."""
        return (self / name for name in sorted(self.archive.folders.get(self.at, ())))

    def read_bytes(self) -> bytes:
        """Return the content of this file."""
        return self.archive.read(self.at)


AnyPath = Path | ZippedPath
PathT = TypeVar("PathT", Path, ZippedPath)


def content_of(path: AnyPath) -> Path | bytes:
    """Return what readers of files take: a path on the disk as it is, a file in an archive as its content."""
    return path if isinstance(path, Path) else path.read_bytes()


@contextmanager
def _archive(source: Path | bytes, name: str) -> Iterator[zipfile.ZipFile]:
    with opened(source, name) as raw:
        try:
            with zipfile.ZipFile(raw) as archive:
                yield archive
        except _DAMAGE as error:
            msg = "the zip archive is damaged; fetch it again"
            raise DataError(msg, file=name) from error
