"""Uploaded files: in memory, each with its visitor, and in a folder of this server where worker processes need them.

A file goes with the visit of its visitor, or when he removes it. A server holds a lock on its folder as long as it
lives, whatever ends it. When the next one starts, the folders of those that hold none go.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import secrets
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePath

from core.data import DataError
from core.data.files.disk import cache_folder
from core.program import home

KEPT = 3600.0  # seconds after the visitor's last tab has been closed
RESTING = 15.0  # seconds after which what was made of a file is not kept at hand any more; the file still is
QUOTA = 500 << 20  # bytes of one visitor
LARGEST = 2 << 30  # bytes of all visitors together; then the files of those who have been away longest go


@dataclass(frozen=True)
class Upload:
    """A file with its name; ``digest`` is the sha256 of its content."""

    digest: str
    name: str
    content: bytes = field(repr=False)


@dataclass
class _Visitor:
    seen: float
    sessions: set[str] = field(default_factory=set)
    files: dict[str, Upload] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(len(file.content) for file in self.files.values())


class UploadStore:
    """The uploads of all visitors.

    Parameters
    ----------
    clock : callable
        Seconds.
    is_here : callable
        Whether a session has a page open.
    """

    def __init__(self, clock: Callable[[], float] = time.time, is_here: Callable[[str], bool] | None = None) -> None:
        # Each is called once, on any thread, with the digest of a content that no visitor has any more.
        self.on_gone: list[Callable[[str], object]] = []
        # Each is called with the digest of a content that is here while none of those who have it has a page open.
        self.on_rest: list[Callable[[str], object]] = []
        self._clock, self._is_here = clock, is_here or (lambda _: False)
        self._visitors: dict[str, _Visitor] = {}
        self._lock = threading.RLock()

    def keep(self, visitor: str, name: str, content: bytes, session: str = "") -> Upload:
        """Keep a file for a visitor.

        Raises
        ------
        DataError
            If his files are too large together.
        """
        digest = hashlib.sha256(content).hexdigest()
        with self._changing():
            self._touch(visitor, session)
            known = self._find(digest)
            upload = Upload(digest, name, content if known is None else known.content)
            self._give(visitor, upload)
            self._touch(visitor, session)
            for other in sorted(self._visitors, key=lambda one: self._visitors[one].seen):
                held = {one: file for kept in self._visitors.values() for one, file in kept.files.items()}
                size = sum(len(file.content) for file in held.values())  # the same content counts once
                if other != visitor and size > LARGEST:
                    del self._visitors[other]
        return upload

    def touch(self, visitor: str, session: str = "") -> None:
        """A sign of life from a visitor's session: his files stay."""
        with self._changing():
            self._touch(visitor, session)

    def sweep(self) -> None:
        """Forget the files of visitors who have been away too long."""
        with self._changing():
            self._sweep()
            since = self._clock() - RESTING
            busy = {digest for kept in self._visitors.values() if kept.seen > since for digest in kept.files}
            resting = self._digests - busy
        for digest in resting:
            for tell in self.on_rest:
                tell(digest)

    def of(self, visitor: str) -> tuple[Upload, ...]:
        """His files, the oldest first."""
        with self._lock:
            kept = self._visitors.get(visitor)
            return () if kept is None else tuple(kept.files.values())

    def get(self, digest: str) -> Upload:
        """The file with this content, of whomever it is: who knows all of a digest has had the file.

        Raises
        ------
        DataError
            If no visitor has it any more.
        """
        with self._lock:
            upload = self._find(digest)
        if upload is None:
            msg = "this upload is no longer here; drop the file in again"
            raise DataError(msg)
        return upload

    def __contains__(self, digest: object) -> bool:
        with self._lock:
            return self._find(str(digest)) is not None

    def remove(self, visitor: str, digest: str) -> None:
        """Forget a visitor's file."""
        with self._changing():
            kept = self._visitors.get(visitor)
            if kept is not None:
                kept.files.pop(digest, None)

    def clear(self) -> None:
        """Forget everything."""
        with self._changing():
            self._visitors.clear()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock; say afterwards what is gone."""
        gone: set[str] = set()
        try:
            with self._lock:
                before = self._digests
                try:
                    yield
                finally:
                    gone = before - self._digests
        finally:
            for digest in gone:
                for tell in self.on_gone:
                    tell(digest)

    # What follows holds the lock.

    @property
    def _digests(self) -> set[str]:
        return {digest for kept in self._visitors.values() for digest in kept.files}

    def _touch(self, visitor: str, session: str) -> None:
        self._sweep(visitor)
        if visitor in self._visitors:
            kept = self._visitors[visitor]
            kept.seen = self._clock()
            kept.sessions |= {session} - {""}

    def _sweep(self, present: str = "") -> None:
        now = self._clock()
        for visitor, kept in list(self._visitors.items()):
            kept.sessions = {session for session in kept.sessions if self._is_here(session)}
            if kept.sessions:
                kept.seen = now
            elif visitor != present and kept.seen + KEPT <= now:
                kept.files.clear()
            if not kept.files and visitor != present:
                self._visitors.pop(visitor, None)

    def _give(self, visitor: str, upload: Upload) -> None:
        kept = self._visitors.setdefault(visitor, _Visitor(self._clock()))
        before = kept.files.get(upload.digest)
        size = kept.size - (0 if before is None else len(before.content)) + len(upload.content)
        if size > QUOTA:
            msg = (
                f"your uploads would take {size >> 20:,} MB, but each visitor has {QUOTA >> 20:,} MB; remove one "
                "under “Your own data”"
            )
            raise DataError(msg, file=upload.name)
        kept.files[upload.digest] = upload

    def _find(self, digest: str) -> Upload | None:
        return next((kept.files[digest] for kept in self._visitors.values() if digest in kept.files), None)


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
    """The folder of this server and its lock, made when it is first needed."""
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
    """Hold a lock until it is closed, or its process ends; an `OSError` where another does, and this may not wait."""
    if sys.platform != "win32":
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _delete(folder: Path) -> None:
    """Delete a folder and its lock, which this process holds."""
    if sys.platform == "win32":
        _lock_of(folder).unlink(missing_ok=True)  # refused while another process has it open
    shutil.rmtree(folder, ignore_errors=True)
    _lock_of(folder).unlink(missing_ok=True)
