"""Uploaded files in memory: each belongs to a visitor, expires, and can be removed or shared on purpose."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.data import DataError

KEPT = 24 * 3600.0  # seconds after the visitor's last sign of life
SHARED = 7 * 86400.0  # seconds that a link made on purpose holds
QUOTA = 500 << 20  # bytes of one visitor
LARGEST = 2 << 30  # bytes of all visitors together; then the files of those who have been away longest go


@dataclass(frozen=True)
class Upload:
    """A file with its name; ``digest`` is the sha256 of its content."""

    digest: str
    name: str
    content: bytes


@dataclass
class _Visitor:
    seen: float
    files: dict[str, Upload] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(len(file.content) for file in self.files.values())


@dataclass(frozen=True)
class _Link:
    upload: Upload
    owner: str
    until: float


class UploadStore:
    """The uploads of all visitors.

    Parameters
    ----------
    clock : callable
        Seconds.
    on_gone : callable
        Called with an upload that nobody has any more.
    """

    def __init__(self, clock: Callable[[], float] = time.time, on_gone: Callable[[Upload], None] | None = None) -> None:
        self._clock, self._on_gone = clock, on_gone
        self._visitors: dict[str, _Visitor] = {}
        self._links: dict[str, _Link] = {}
        self._lock = threading.RLock()

    def keep(self, visitor: str, name: str, content: bytes) -> Upload:
        """Keep a file for a visitor.

        Raises
        ------
        DataError
            If his files are too large together.
        """
        upload = Upload(hashlib.sha256(content).hexdigest(), name, content)
        with self._lock:
            self.touch(visitor)
            self._give(visitor, upload)
            for other in sorted(self._visitors, key=lambda one: self._visitors[one].seen):
                if other == visitor or sum(one.size for one in self._visitors.values()) <= LARGEST:
                    break
                self._forget(other)
        return upload

    def touch(self, visitor: str) -> None:
        """A sign of life: his files stay; those of visitors who have been away too long go."""
        with self._lock:
            now = self._clock()
            for token in [token for token, link in self._links.items() if link.until <= now]:
                self._drop_link(token)
            for other in [one for one, kept in self._visitors.items() if one != visitor and kept.seen + KEPT <= now]:
                self._forget(other)
            if visitor in self._visitors:
                self._visitors[visitor].seen = now

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
            If nobody has it any more.
        """
        with self._lock:
            upload = self._find(digest)
        if upload is None:
            msg = "this upload is not here any more; drop the file in again"
            raise DataError(msg)
        return upload

    def __contains__(self, digest: object) -> bool:
        with self._lock:
            return self._find(str(digest)) is not None

    def remove(self, visitor: str, digest: str) -> None:
        """Forget a visitor's file, and the links that he has made to it."""
        with self._lock:
            for token in [
                t for t, link in self._links.items() if (link.owner, link.upload.digest) == (visitor, digest)
            ]:
                self._links.pop(token)
            kept = self._visitors.get(visitor)
            upload = None if kept is None else kept.files.pop(digest, None)
            self._gone(upload)

    def share(self, visitor: str, digest: str) -> str:
        """Make a link to one of a visitor's files, the same one as long as it holds; return its secret."""
        with self._lock:
            for token, link in self._links.items():
                if (link.owner, link.upload.digest) == (visitor, digest):
                    return token
            token = secrets.token_urlsafe(16)
            upload = self._visitors[visitor].files[digest]
            self._links[token] = _Link(upload, visitor, self._clock() + SHARED)
            return token

    def adopt(self, visitor: str, token: str) -> Upload | None:
        """Give the file behind a link to a visitor, too; None if there is no such link, or not any more."""
        with self._lock:
            self.touch(visitor)
            link = self._links.get(token)
            if link is not None:
                self._give(visitor, link.upload)
            return None if link is None else link.upload

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._links.clear()
            for visitor in list(self._visitors):
                self._forget(visitor)

    def _give(self, visitor: str, upload: Upload) -> None:
        kept = self._visitors.setdefault(visitor, _Visitor(self._clock()))
        before = kept.files.get(upload.digest)
        size = kept.size - (0 if before is None else len(before.content)) + len(upload.content)
        if size > QUOTA:
            msg = (
                f"your uploads would take {size >> 20:,} MB, and {QUOTA >> 20:,} MB are for each visitor; remove one "
                "under “Your own data”"
            )
            raise DataError(msg, file=upload.name)
        kept.files[upload.digest] = upload

    def _find(self, digest: str) -> Upload | None:
        for kept in self._visitors.values():
            if digest in kept.files:
                return kept.files[digest]
        return next((link.upload for link in self._links.values() if link.upload.digest == digest), None)

    def _drop_link(self, token: str) -> None:
        self._gone(self._links.pop(token).upload)

    def _forget(self, visitor: str) -> None:
        for upload in self._visitors.pop(visitor).files.values():
            self._gone(upload)

    def _gone(self, upload: Upload | None) -> None:
        if upload is not None and self._on_gone is not None and self._find(upload.digest) is None:
            self._on_gone(upload)
