"""What the program keeps on the disk and may lose: one place, one limit, and one clean-up for all kinds of results.

Everything in it can be computed again. Files are written whole; all processes of the user share them. What is damaged
is deleted and counts as missing.
"""

from __future__ import annotations

import logging
import math
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, TypeVar

from core.data.whole_file import BESIDE, whole_file

KINDS = {"data": ".npz", "paths": ".json.gz"}
"""The kinds of files: each has a folder of its name, and an ending."""
SIZE_LIMIT = 4 * 2**30
"""Size of all files of all kinds together, in bytes; beyond it, those unused longest are deleted."""
_ABANDONED_SECONDS = 3600
_OLDER = re.compile(r"[0-9a-f]{64}\.(npz|kept)")
"""Files of versions before there were kinds; they may hold uploads."""
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
    """Files of one kind by name.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    size_limit : int
        Of the files of all kinds together, in bytes.
    """

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

        Parameters
        ----------
        name : str
        write : callable
            Writes the content.
        n_bytes : int
            The content has at least so many; what is larger than the limit is not kept.
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


def forget_older_files() -> None:
    """Delete the files that versions before there were kinds have left in the cache."""
    for folder in (cache_folder(), cache_folder() / "paths"):
        for path in folder.glob("*"):
            if _OLDER.fullmatch(path.name):
                with suppress(OSError):
                    path.unlink()


@cache
def _say_once(sentence: str) -> None:
    _log.warning(sentence)
