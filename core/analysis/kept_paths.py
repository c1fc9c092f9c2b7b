"""Finished paths in the user's cache, so that a server that starts again need not compute them again."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from core.analysis.path import PathPoint
from core.analysis.path_records import point_of, point_record
from core.code_version import code_version
from core.data import Convention, Fold
from core.data.disk_cache import DiskCache
from core.methods import Method

PATHS = "core.analysis.tradeoff.fold_paths"
"""The module that fits paths, under rules for features too; a path of other code is never found."""
_LIBRARIES = ("numpy", "scipy", "numba")
_LEVEL = 6  # of compression


class KeptPaths:
    """Paths by key, in the cache on the disk. A path of other code is never found, nor one whose file is damaged."""

    def __init__(self) -> None:
        self._files = DiskCache("paths")

    def get(self, key: str, names: Sequence[str]) -> list[PathPoint] | None:
        """Return the path that was kept under a key; None where there is none.

        Parameters
        ----------
        key : str
            The same for the same data, method and settings.
        names : sequence of str
            Of the features.
        """

        def read(file: Path) -> list[PathPoint]:
            return [point_of(record, names) for record in json.loads(gzip.decompress(file.read_bytes()))]

        return self._files.get(_name(key), read)

    def put(self, key: str, points: Sequence[PathPoint]) -> None:
        """Keep a finished path. Where the disk refuses, it is only not kept, and the log says so once."""
        written = json.dumps([point_record(point) for point in points], separators=(",", ":")).encode()
        packed = gzip.compress(written, _LEVEL, mtime=0)
        self._files.put(_name(key), lambda file: _write(packed, file), len(packed))


def path_key(
    fold: Fold, convention: Convention, method: Method, settings: Mapping[str, float], *, points: int, rules: object
) -> str:
    """Return a key of all that a path over a method's own range of lambda depends on, beside the code.

    Parameters
    ----------
    fold : Fold
        Its parts count by their content.
    convention : {"standard", "letor3", "letor4"}
    method : Method
    settings : mapping
        The method's parameters.
    points : int
        Models of the path.
    rules : object
        For features, told apart by how they are written; None without.
    """
    data = tuple((name, part.fingerprint) for name, part in fold.parts().items())
    parts = (data, convention, method.id, sorted(settings.items()), points, rules)
    return "path-" + hashlib.sha256(repr(parts).encode()).hexdigest()


def _name(key: str) -> str:
    libraries = [version(name) for name in _LIBRARIES]
    return hashlib.sha256(f"{key} {code_version(PATHS)} {libraries}".encode()).hexdigest()


def _write(packed: bytes, file: BinaryIO) -> None:
    file.write(packed)
