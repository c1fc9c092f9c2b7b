"""Binary cache of parsed files, keyed by what is in them: a second reading costs a hash and a load.

An entry is an uncompressed ``.npz`` (no pickles; its checksums reveal damage). Two processes never see half an
entry. Nothing here can make reading fail: where the cache does not work, the file is parsed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.kept_files import make_room
from core.data.ranking_data import RankingData
from core.data.whole_file import whole_file

FORMAT_VERSION = 5
"""Increase it when a reader gives other data for the same file, or when the layout of an entry changes."""
SIZE_LIMIT = 4 * 2**30
"""Size of all entries together, in bytes; beyond it, the entries that were unused longest are deleted."""
_DAMAGED = (OSError, EOFError, ValueError, KeyError, TypeError, RuntimeError, MemoryError, zipfile.BadZipFile)
"""What reading a damaged entry raises; a DataError is a ValueError."""


def cache_folder() -> Path:
    """Return the folder of the entries: ``SPARSE_RANK_CACHE`` if set, else one in the platform's place for caches."""
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


@dataclass(frozen=True, eq=False)
class Kept:
    """What an entry holds: the data of a file, notes on how it was read, and the texts of its queries by their ids."""

    data: RankingData
    notes: tuple[str, ...] = ()
    query_texts: Mapping[str, str] = field(default_factory=dict)


def recall(
    source: Path | bytes,
    options: Mapping[str, object],
    read: Callable[[], RankingData],
    *,
    size_limit: int = SIZE_LIMIT,
) -> RankingData:
    """Return the data that `read` makes of a file, from the cache where possible; see `recall_with_texts`."""
    return recall_with_texts(source, options, lambda: Kept(read()), size_limit=size_limit).data


def recall_with_texts(
    source: Path | bytes,
    options: Mapping[str, object],
    read: Callable[[], Kept],
    *,
    size_limit: int = SIZE_LIMIT,
) -> Kept:
    """Return the data and texts that `read` makes of a file, from the cache if this content was read before.

    Parameters
    ----------
    source : Path or bytes
        The file or its content. Only the content makes the key, never the name or date.
    options : mapping
        Everything else that the result depends on: the reader and its options.
    read : callable
        Reads the file; called where the cache has no entry. Its errors are not caught. Its notes must not name the
        file, because the same content may come under another name.
    size_limit : int
        Largest size of the cache, in bytes.
    """
    try:
        entry = cache_folder() / f"{_key(source, options)}.npz"
    except OSError:
        return read()
    kept = _load(entry)
    if kept is None:
        kept = read()
        with contextlib.suppress(OSError):
            _store(kept, entry, size_limit)
    return kept


def _key(source: Path | bytes, options: Mapping[str, object]) -> str:
    if isinstance(source, bytes):
        content = hashlib.sha256(source).hexdigest()
    else:
        with source.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
    described = json.dumps([FORMAT_VERSION, content, dict(options)], sort_keys=True, default=str)
    return hashlib.sha256(described.encode()).hexdigest()


def _load(entry: Path) -> Kept | None:
    """Load what an entry holds; None where there is none or it is damaged."""
    try:
        with zipfile.ZipFile(entry) as members:  # what is compressed is not ours, and may unpack to any size
            if any(member.compress_type != zipfile.ZIP_STORED for member in members.infolist()):
                return None
        with np.load(entry, allow_pickle=False) as arrays:
            texts = json.loads(arrays["texts"].tobytes())
            features: NDArray[np.floating] = arrays["features"]
            data = RankingData.build(
                features,
                arrays["relevance"],
                arrays["query_offsets"],
                query_ids=texts["query_ids"],
                feature_names=texts["feature_names"],
                document_ids=texts["document_ids"],
                dtype=features.dtype.type,
            )
            notes = tuple(map(str, texts["notes"]))
            query_texts = dict(texts["query_texts"])
        os.utime(entry)
    except _DAMAGED:
        return None
    return Kept(data, notes, query_texts)


def _store(kept: Kept, entry: Path, size_limit: int) -> None:
    data = kept.data
    if data.features.nbytes > size_limit:
        return
    texts = {
        "query_ids": data.query_ids,
        "feature_names": data.feature_names,
        "document_ids": data.document_ids,
        "notes": kept.notes,
        "query_texts": dict(kept.query_texts),
    }
    with whole_file(entry) as file:
        np.savez(
            file,
            features=data.features,
            relevance=data.relevance,
            query_offsets=data.query_offsets,
            texts=np.frombuffer(json.dumps(texts).encode(), dtype=np.uint8),
        )
    make_room(entry, size_limit)
