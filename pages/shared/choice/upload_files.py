"""The files of uploads that worker processes need: in a folder of this server, which goes with it.

A server holds a lock as long as it lives, whatever ends it. When the next one starts, the folders of those that hold
none go.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import sys
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePath

from core.data.files.disk import cache_folder
from core.program import home
from pages.shared.choice.upload_store import Upload

if sys.platform != "win32":
    import fcntl

_LOCK = ".lock"
_PRIVATE = 0o600
_DIGITS = 16
_making = threading.RLock()


def copy_of(upload: Upload) -> Path:
    """Where a copy of an upload is for other processes while a run needs it."""
    name = PurePath(upload.name).name
    return _folder() / upload.digest[:_DIGITS] / "copy" / (name if name not in ("", "..") else "upload")


def runs_of(copies: list[Path]) -> Path:
    """The folder of what is computed of some copies; it goes with the first of them."""
    return _folder().joinpath(*sorted({copy.parent.parent.name for copy in copies}))


def forget(digest: str) -> None:
    """Delete the copy of an upload, and all that was computed of it."""
    if _made.cache_info().currsize:
        for path in list(_folder().rglob(digest[:_DIGITS])):
            shutil.rmtree(path, ignore_errors=True)


def forget_all() -> None:
    """Delete the files of this server."""
    with _making:
        if _made.cache_info().currsize:
            folder, lock = _made()
            _made.cache_clear()
            _delete(folder)
            os.close(lock)


def forget_left_behind() -> None:
    """Delete the files of servers that have ended without."""
    shutil.rmtree(home() / "uploads", ignore_errors=True)
    for folder in {path.with_name(path.name.removesuffix(_LOCK)) for path in _root().glob("*")}:
        try:
            lock = os.open(_lock_of(folder), os.O_CREAT | os.O_RDWR, _PRIVATE)
        except OSError:
            continue
        with suppress(OSError):
            _hold(lock, wait=False)
            _delete(folder)
        os.close(lock)


def _root() -> Path:
    return cache_folder() / "uploads"


def _lock_of(folder: Path) -> Path:
    return folder.with_name(folder.name + _LOCK)


def _folder() -> Path:
    with _making:
        return _made()[0]


@cache
def _made() -> tuple[Path, int]:
    """The folder of this server and its lock, made when it is first needed.

    Raises
    ------
    OSError
        If the place cannot be written.
    """
    _root().mkdir(parents=True, exist_ok=True)
    atexit.register(forget_all)
    while True:
        folder = _root() / f"{os.getpid()}-{secrets.token_hex(8)}"
        lock = os.open(_lock_of(folder), os.O_CREAT | os.O_RDWR, _PRIVATE)
        _hold(lock, wait=True)
        if os.fstat(lock).st_nlink:  # it was not removed as a left-over before it was locked
            folder.mkdir(mode=0o700)
            return folder, lock
        os.close(lock)


def _hold(lock: int, *, wait: bool) -> None:
    """Hold a lock until it is closed, or its process ends.

    Raises
    ------
    OSError
        If another process holds it, and this one is not to wait.
    """
    if sys.platform != "win32":
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _delete(folder: Path) -> None:
    """Delete a folder and its lock, which this process holds."""
    if sys.platform == "win32":
        _lock_of(folder).unlink(missing_ok=True)  # refused while another process has it open
    shutil.rmtree(folder, ignore_errors=True)
    _lock_of(folder).unlink(missing_ok=True)
