"""The bytes of a file as a stream, unpacked where it is gzipped, and never more of them than the limits allow."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from core.data.errors import DataError
from core.data.limits import Limits

PIECE = 1 << 20
GZIP = b"\x1f\x8b"


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
