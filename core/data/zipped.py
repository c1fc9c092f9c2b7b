"""Files in a zip archive as paths, which are read in memory: nothing is unpacked to the disk."""

from __future__ import annotations

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
from typing import TypeVar

from core.data.errors import DataError, refuse
from core.data.file_content import is_archive
from core.data.limits import Limits
from core.data.unpacking import PIECE, opened

MOST_FILES = 10_000
_DEEPEST = 8  # folders inside each other
_HEAD = 4096
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


def is_zip(source: Path | bytes) -> bool:
    """Whether a file is a zip archive; a workbook of Excel, which is packed as one, is not."""
    if isinstance(source, bytes):
        return is_archive(source[:_HEAD])
    try:
        with source.open("rb") as file:
            return is_archive(file.read(_HEAD))
    except OSError:
        return False  # who reads it is told why that is not possible


@contextmanager
def _archive(source: Path | bytes, name: str) -> Iterator[zipfile.ZipFile]:
    with opened(source, name) as raw:
        try:
            with zipfile.ZipFile(raw) as archive:
                yield archive
        except _DAMAGE as error:
            msg = "the zip archive is damaged; fetch it again"
            raise DataError(msg, file=name) from error
