"""Gzipped files as streams and files in a zip archive as paths: in memory, and never more than the limits allow."""

from __future__ import annotations

import gzip
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import BinaryIO, TypeVar

from core.data.errors import DataError, refuse
from core.data.files.limits import Limits

PIECE = 1 << 20
GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
_HEAD = 4096


class Unpacked:
    """A file, or its content, that is read once from the beginning.

    Parameters
    ----------
    source : Path or bytes
    name : str
        Name of the file in messages.

    Attributes
    ----------
    read : int
        Bytes of the file, as it is packed, that have been read.
    packed : bool
        Whether it is gzipped, once `pieces` has begun.
    """

    def __init__(self, source: Path | bytes, name: str) -> None:
        self.read = 0
        self.packed = False
        self._source = source
        self._name = name

    def pieces(self, most: int | None = None, *, at_once: int = PIECE) -> Iterator[bytes]:
        """Yield the bytes, at most ``at_once`` at a time, and at most ``most`` of them.

        Where lines end in carriage returns alone, as the first `PIECE` tells, they end in line feeds here. Raises a
        `DataError` if the file cannot be read, is broken, gzipped twice, or holds more than the limits allow.
        """
        limits = Limits.of(self._source)
        unpacked, returns_alone = 0, False
        with opened(self._source, self._name) as raw:
            packed = self.packed = raw.read(len(GZIP)) == GZIP
            raw.seek(0)
            file = gzip.GzipFile(fileobj=raw) if packed else raw
            while most is None or unpacked < most:
                piece = self._piece(file, at_once if most is None else min(at_once, most - unpacked))
                if not piece:
                    return
                if packed and not unpacked and piece.startswith(GZIP):
                    msg = "this is a gzip file inside a gzip file; unpack it once and open what is inside"
                    raise DataError(msg, file=self._name)
                if not unpacked:
                    head = piece[:PIECE]
                    returns_alone = b"\r" in head and b"\n" not in head
                unpacked += len(piece)
                self.read = raw.tell()
                limits.check_text(unpacked, self.read if packed else None, self._name)
                yield piece.replace(b"\r", b"\n") if returns_alone else piece

    def _piece(self, file: BinaryIO | gzip.GzipFile, size: int) -> bytes:
        try:
            return file.read(size)
        except EOFError:
            reason = "the gzip file ends too early; it was cut off in transfer, so fetch it again"
        except (gzip.BadGzipFile, zlib.error):
            reason = "the gzip file is damaged; fetch it again"
        except OSError as error:
            reason = f"the file cannot be read ({error.strerror or error})"
        raise DataError(reason, file=self._name)


def opened(source: Path | bytes, name: str) -> BinaryIO:
    """Open a file, or its content, for reading bytes; raise a `DataError` if it cannot be opened."""
    if isinstance(source, bytes):
        return BytesIO(source)
    try:
        return source.open("rb")
    except FileNotFoundError:
        reason = "there is no such file"
    except IsADirectoryError:
        reason = "this is a folder, not a file"
    except (OSError, ValueError) as error:
        reason = f"the file cannot be read ({getattr(error, 'strerror', None) or error})"
    raise DataError(reason, file=name)


def is_archive(head: bytes) -> bool:
    """Tell whether a file that begins so is a zip archive and no workbook of Excel."""
    return head.startswith(ZIP) and b"[Content_Types].xml" not in head and b"xl/" not in head


def is_workbook(source: Path | bytes) -> bool:
    """Whether this is a workbook of Excel (.xlsx), or its content."""
    head = beginning(source)
    return head.startswith(ZIP) and not is_archive(head)


def is_zip(source: Path | bytes) -> bool:
    """Whether a file is a zip archive; a workbook of Excel, which is packed as one, is not."""
    return is_archive(beginning(source))


def beginning(source: Path | bytes) -> bytes:
    """Return the first bytes of a file, or of its content; none where who reads it is told why that is not possible."""
    if isinstance(source, bytes):
        return source[:_HEAD]
    try:
        with source.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


MOST_FILES = 10_000
_DEEPEST = 8  # folders inside each other
_ENTRY = b"PK\x01\x02"  # before each name in the list of files
_NOT_DATA = "__MACOSX"  # macOS keeps its own notes on files there, under their names
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError)


@dataclass(frozen=True, eq=False)
class Archive:
    """The files of a zip archive.

    Attributes
    ----------
    source : Path or bytes
    name : str
        Of the archive, in messages.
    files : mapping
        Entries by path. Folders of their own are not listed: a folder is where a file is.
    folders : mapping
        Names in each folder, by the folder's path.
    """

    source: Path | bytes = field(repr=False)
    name: str
    files: Mapping[PurePosixPath, zipfile.ZipInfo] = field(repr=False)
    folders: Mapping[PurePosixPath, set[str]] = field(repr=False)

    @classmethod
    def of(cls, source: Path | bytes, name: str) -> Archive:
        """List the files of an archive.

        Raises a `DataError` if it is damaged, encrypted, packed in an unusual way, or holds more than the limits allow.
        """
        if isinstance(source, bytes) and source.count(_ENTRY) > MOST_FILES:  # each of them would take memory
            refuse(f"there are more than {MOST_FILES:,} files in the archive", file=name)
        with _archive(source, name) as archive:
            named = [entry for entry in archive.infolist() if entry.filename]  # of no name is nothing of ours
            entries = [(PurePosixPath(entry.filename), entry) for entry in named if not entry.is_dir()]
        files = {path: entry for path, entry in entries if len(path.parts) <= _DEEPEST and _NOT_DATA not in path.parts}
        Limits.of(source).check_text(
            sum(entry.file_size for entry in files.values()),
            sum(entry.compress_size for entry in files.values()),
            name,
        )
        folders: dict[PurePosixPath, set[str]] = defaultdict(set)
        for path in files:
            for below, folder in pairwise((path, *path.parents)):
                folders[folder].add(below.name)
        return cls(source, name, files, dict(folders))

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
