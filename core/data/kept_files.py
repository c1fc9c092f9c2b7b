"""A folder of results that may be lost: written whole, limited in size, the longest unused deleted first."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path

from core.data.whole_file import BESIDE, whole_file

_ABANDONED_SECONDS = 3600
_DIGEST_BYTES = 32


class KeptFiles:
    """Bytes by name in a folder of their own, shared by all processes that use it.

    A file begins with the sha256 of the rest, so that a damaged one is never taken for a result.

    Parameters
    ----------
    folder : Path
        Created with the first file.
    size_limit : int
        Of all files together, in bytes.
    """

    SUFFIX = ".kept"

    def __init__(self, folder: Path, size_limit: int) -> None:
        self.folder = folder
        self.size_limit = size_limit

    def get(self, name: str) -> bytes | None:
        """What was put under this name; None where there is nothing, or it is damaged or cannot be read."""
        path = self._path(name)
        try:
            content = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        kept = content[_DIGEST_BYTES:]
        return kept if content[:_DIGEST_BYTES] == hashlib.sha256(kept).digest() else None

    def put(self, name: str, content: bytes) -> None:
        """Keep bytes, in place of what had this name; what alone is larger than the limit is not kept.

        Raises
        ------
        OSError
            If the folder cannot be written, for instance because the disk is full.
        """
        if len(content) + _DIGEST_BYTES > self.size_limit:
            return
        path = self._path(name)
        with whole_file(path) as file:
            file.write(hashlib.sha256(content).digest() + content)
        make_room(path, self.size_limit)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{self.SUFFIX}"


def make_room(newest: Path, size_limit: int) -> None:
    """Delete files like the newest that were unused longest until the limit holds, and what a crash left half written.

    Parameters
    ----------
    newest : Path
        It stays. Files with another suffix do not count.
    size_limit : int
        Of all such files in its folder together, in bytes.
    """
    used = []
    for path in newest.parent.iterdir():
        with contextlib.suppress(OSError):
            status = path.stat()
            if path.suffix == newest.suffix:
                used.append((status.st_mtime_ns, path, status.st_size))
            elif path.suffix == BESIDE and time.time() - status.st_mtime > _ABANDONED_SECONDS:
                path.unlink()
    total = sum(size for _, _, size in used)
    for _, path, size in sorted(used):
        if total <= size_limit:
            break
        if path != newest:
            with contextlib.suppress(OSError):
                path.unlink()
                total -= size
