"""Files that are there whole or not at all, and what the program keeps on the disk and may lose."""

from __future__ import annotations

import logging
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, TypeVar

BESIDE = ".tmp"
"""How the name of a file under way ends; one that is old was left behind by a crash."""
PRIVATE = 0o600


@contextmanager
def whole_file(path: Path, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its place, over an older one, once it has been written without an error.

    No other process ever sees half of it. Its folder is made where there is none; by default its owner alone may read
    and write it. An error removes what has been written, and the folders that were made for it; an older file stays as
    it was. Raises an `OSError` if the place cannot be written.
    """
    made, beside = [folder for folder in path.parents if not folder.exists()], None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=BESIDE)
        with os.fdopen(handle, "wb") as file:
            yield file
        if mode != PRIVATE:
            Path(beside).chmod(mode)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            if beside is not None:
                os.unlink(beside)
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
        raise


def usual_mode() -> int:
    """Who may read and write any new file of this process."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


KINDS = {"data": ".npz", "paths": ".json.gz"}
"""The kinds of files: each has a folder of its name, and an ending."""
SIZE_LIMIT = 4 * 2**30
"""Size of all files of all kinds together, in bytes; beyond it, those unused longest are deleted."""
_ABANDONED_SECONDS = 3600
Found = TypeVar("Found")

_log = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Return the folder of the cache: ``SPARSE_RANK_CACHE`` if set, else one in the platform's place for caches."""
    chosen = os.environ.get("SPARSE_RANK_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "sparse-ranking-lab"


class DiskCache:
    """Files of one of the `KINDS` by name; the limit is of the files of all kinds together, in bytes."""

    def __init__(self, kind: str, size_limit: int = SIZE_LIMIT) -> None:
        self._kind, self._size_limit = kind, size_limit

    def get(self, name: str, read: Callable[[Path], Found]) -> Found | None:
        """Return what ``read`` makes of a file; None where there is none, or it is damaged or cannot be read."""
        path = self.path(name)
        try:
            found = read(path)
        except (FileNotFoundError, NotADirectoryError, MemoryError):
            return None
        except Exception:  # whatever damage brings about
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return found

    def put(self, name: str, write: Callable[[BinaryIO], object], n_bytes: int = 0) -> None:
        """Keep a file, in place of one of this name; where the disk refuses it is not kept, and the log says so once.

        The content that ``write`` writes has at least ``n_bytes``; what is larger than the limit is not kept.
        """
        if n_bytes > self._size_limit:
            return
        path = self.path(name)
        try:
            with whole_file(path) as file:
                write(file)
            _make_room(path, self._size_limit)
        except OSError as error:
            _say_once(
                f"Results cannot be saved on the disk and will be computed again after a restart: {error.strerror}"
            )

    def path(self, name: str) -> Path:
        """Return where the file of a name is."""
        return cache_folder() / self._kind / f"{name}{KINDS[self._kind]}"


def _make_room(newest: Path, size_limit: int) -> None:
    """Delete the files unused longest, of any kind, until the limit holds, and what a crash left half written."""
    used = []
    for kind, ending in KINDS.items():
        for path in (cache_folder() / kind).glob("*"):
            with suppress(OSError):
                status = path.stat()
                if path.name.endswith(ending):
                    last = status.st_mtime
                    if path == newest:  # stays, unless it would push out all others and itself
                        last = math.inf if status.st_size <= size_limit else -math.inf
                    used.append((last, path, status.st_size))
                elif path.suffix == BESIDE and time.time() - status.st_mtime > _ABANDONED_SECONDS:
                    path.unlink()
    total = sum(size for *_, size in used)
    for _, path, size in sorted(used):
        if total <= size_limit:
            break
        with suppress(OSError):
            path.unlink()
            total -= size


@cache
def _say_once(sentence: str) -> None:
    _log.warning(sentence)
