"""How much one file may hold, and files as streams, unpacked if they are gzipped.

A small file can unpack to any size, and a short line can name a distant column. With a limit of L bytes, a reader takes
at most L bytes of text, 4 L bytes of numbers and L / 64 rows. Altogether it needs less than `MEMORY_FACTOR` times L,
whatever the file.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from core.data.errors import DataError, refuse
from core.data.numbers import is_digits

VARIABLE = "SPARSE_RANK_LARGEST_FILE"
"""The environment variable that sets the limit, as ``500M`` or ``8G``."""
MEMORY_FACTOR = 12
"""Memory that reading takes at most, in units of the limit; see ``tests/data/files/test_limits.py``."""
MOST_COLUMNS = 1_000_000
_USUAL_FILE = 4 << 30
_USUAL_UPLOAD = 1 << 30
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_MOST_REPETITIVE = 400
_REPETITIVE_FROM = 64 << 20
_NUMBERS = 4
_BYTES_A_ROW = 64
PIECE = 1 << 20
GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
_HEAD = 4096


@dataclass(frozen=True)
class Limits:
    """What one file may hold.

    Attributes
    ----------
    text : int
        Bytes of unpacked text.
    """

    text: int

    @classmethod
    def of(cls, source: Path | bytes) -> Limits:
        """Return the limits of a file, or of an upload, which may hold less; `VARIABLE`, a size, sets both."""
        said = os.environ.get(VARIABLE, "").strip().upper().removesuffix("B")
        if not said:
            return cls(_USUAL_UPLOAD if isinstance(source, bytes) else _USUAL_FILE)
        digits, unit = (said[:-1], said[-1]) if said[-1:] in _UNITS else (said, "")
        if not is_digits(digits) or int(digits) == 0:
            refuse(f"{VARIABLE} is {os.environ[VARIABLE]!r}; give a size such as 500M or 8G")
        return cls(int(digits) * _UNITS[unit])

    @property
    def rows(self) -> int:
        """Largest number of rows."""
        return max(self.text // _BYTES_A_ROW, 5000)

    @property
    def numbers(self) -> int:
        """Largest size of all numbers together, in bytes."""
        return _NUMBERS * self.text

    @property
    def of_numbers_as_objects(self) -> Limits:
        """The limits of numbers that become Python's objects, which take six times the memory."""
        return Limits(self.text // 6)

    @property
    def row(self) -> int:
        """Largest row of a table, in characters."""
        return min(max(self.text // 16, 1 << 16), 1 << 24)

    @property
    def json_element(self) -> int:
        """Largest element of a JSON text that is taken whole, in characters: its parts take up to twenty times that."""
        return min(max(self.text // 16, 1 << 16), 1 << 26)

    def check_text(self, unpacked: int, packed: int | None, name: str) -> None:
        """Refuse a text that is too large, or that unpacks to hundreds of times its size.

        Parameters
        ----------
        unpacked, packed : int
            Bytes of text, and of the packed file, so far; the latter None where it is not packed.
        name : str
            Name of the file in messages.
        """
        if unpacked > self.text:
            what = "the file is larger" if packed is None else "the file unpacks to more"
            refuse(f"{what} than {self._allowed(self.text)}", file=name)
        if packed is not None and unpacked > max(_REPETITIVE_FROM, _MOST_REPETITIVE * packed):
            msg = (
                f"the file unpacks to more than {_MOST_REPETITIVE} times its size, like files made to fill a "
                "computer; if you trust it, unpack it first"
            )
            raise DataError(msg, file=name)

    def check_rows(self, n_rows: int, name: str) -> None:
        """Refuse more rows than `rows`."""
        if n_rows > self.rows:
            msg = f"there are more than {self.rows:,} rows, the most for files of {self._allowed(self.text)}"
            raise DataError(msg, file=name)

    def check_numbers(self, n_numbers: int, name: str) -> None:
        """Refuse more numbers than fit in `numbers`, 8 bytes each."""
        if 8 * n_numbers > self.numbers:
            msg = f"{n_numbers:,} numbers would take {_size(8 * n_numbers)}, more than {self._allowed(self.numbers)}"
            raise DataError(msg, file=name)

    def _allowed(self, size: int) -> str:
        return f"{_size(size)}, which is the limit here ({VARIABLE}={_short(self.text)} in the environment sets it)"


def check_columns(n_columns: int, name: str, line: int | None = None) -> None:
    """Refuse a table that is wider than any method here can use."""
    if n_columns > MOST_COLUMNS:
        refuse(f"there are {n_columns:,} columns; at most {MOST_COLUMNS:,} can be read", file=name, line=line)


def _size(size: int) -> str:
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:,.3g} {name}"
    return f"{size} bytes"


def _short(size: int) -> str:
    unit = next(unit for unit in ("T", "G", "M", "K", "") if size % _UNITS[unit] == 0 and size >= _UNITS[unit])
    return f"{size // _UNITS[unit]}{unit}"


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
