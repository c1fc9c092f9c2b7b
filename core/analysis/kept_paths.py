"""Finished paths in the user's cache, so that a server that starts again need not compute them again."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from core.analysis.path import PathPoint
from core.analysis.path_records import point_of, point_record
from core.data import Convention, Fold
from core.data.cache import cache_folder
from core.data.kept_files import KeptFiles
from core.methods import Method

SIZE_LIMIT = 256 * 2**20
"""Of all paths together, in bytes; beyond it, those unused longest are deleted."""
_ROOMS = ("data", "metrics", "penalties", "losses", "solvers", "methods", "analysis")
_LIBRARIES = ("numpy", "scipy", "numba")
_CORE = Path(__file__).parents[1]
_LEVEL = 6  # of compression

_log = logging.getLogger(__name__)


class KeptPaths:
    """Paths by key. A path of other code is never found, nor one whose file is damaged.

    Parameters
    ----------
    files : KeptFiles, optional
        By default in the folder ``paths`` of the cache (``SPARSE_RANK_CACHE``), at most `SIZE_LIMIT`.
    """

    def __init__(self, files: KeptFiles | None = None) -> None:
        self._files = files or KeptFiles(cache_folder() / "paths", SIZE_LIMIT)

    def get(self, key: str, names: Sequence[str]) -> list[PathPoint] | None:
        """Return the path that was kept under a key; None where there is none.

        Parameters
        ----------
        key : str
            The same for the same data, method and settings.
        names : sequence of str
            Of the features.
        """
        kept = self._files.get(_name(key))
        if kept is None:
            return None
        try:
            return [point_of(record, names) for record in json.loads(gzip.decompress(kept))]
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, points: Sequence[PathPoint]) -> None:
        """Keep a finished path. Where the disk refuses, it is only not kept, and the log says so once."""
        written = json.dumps([point_record(point) for point in points], separators=(",", ":")).encode()
        try:
            self._files.put(_name(key), gzip.compress(written, _LEVEL, mtime=0))
        except OSError as error:
            say_once(f"Finished paths cannot be kept on the disk and are computed again after a restart: {error}")


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


@cache
def say_once(sentence: str) -> None:
    """Write a sentence into the log, the first time only."""
    _log.warning(sentence)


def _name(key: str) -> str:
    return hashlib.sha256(f"{key} {code_version()}".encode()).hexdigest()


@cache
def code_version() -> str:
    """Return the sha256 of the source and the versions of the libraries that decide the numbers of any path."""
    digest = hashlib.sha256(repr([version(name) for name in _LIBRARIES]).encode())
    for room in _ROOMS:
        for path in sorted((_CORE / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
