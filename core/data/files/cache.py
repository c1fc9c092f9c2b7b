"""Binary cache of parsed files, keyed by what is in them: a second reading costs a hash and a load.

An entry is an uncompressed ``.npz`` (no pickles; its checksums reveal damage). Two processes never see half an
entry. Nothing here can make reading fail: where the cache does not work, the file is parsed again.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.data.files.disk import DiskCache
from core.data.parquet.parts import ParquetDescription
from core.data.ranking_data import RankingData


@dataclass(frozen=True, eq=False)
class Kept:
    """The data of a file, notes on how it was read, the texts of its queries by their ids, and what it says of itself.

    An entry holds all but the last, which only Parquet has.
    """

    data: RankingData
    notes: tuple[str, ...] = ()
    query_texts: Mapping[str, str] = field(default_factory=dict)
    described: ParquetDescription = field(default_factory=ParquetDescription)


def recall(source: Path, options: Mapping[str, object], read: Callable[[], Kept]) -> Kept:
    """Return the data and texts that `read` makes of a file, from the cache if this content was read before.

    The key is made of the file's content, never its name or date, and of ``options``: everything else that the result
    depends on, the reader and its options. The notes of what ``read`` returns must not name the file, because the same
    content may come under another name; its errors are not caught.
    """
    try:
        name = _key(source, options)
    except OSError:
        return read()
    entries = DiskCache("data")
    kept = entries.get(name, _load)
    if kept is None:
        kept = read()
        entries.put(name, partial(_store, kept), kept.data.features.nbytes)
    return kept


def _key(source: Path, options: Mapping[str, object]) -> str:
    with source.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    described = json.dumps([_readers(), content, dict(options)], sort_keys=True, default=str)
    return hashlib.sha256(described.encode()).hexdigest()


def sources() -> list[Path]:
    """Return all files of code that a reader could be made of: of this room and of those below it."""
    core = Path(__file__).parents[2]
    return sorted([*core.glob("*.py"), *core.glob("names/*.py"), *core.glob("data/**/*.py")])


@cache
def _readers() -> str:
    """Return the sha256 of the readers' code, with every remark: in 5 ms, and to parse a file anew is no loss."""
    digest = hashlib.sha256()
    for source in sources():
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _load(entry: Path) -> Kept:
    """Load what an entry holds.

    Raises
    ------
    OSError, ValueError, KeyError, TypeError, RuntimeError, BadZipFile, ...
        If there is none or it is damaged.
    """
    with zipfile.ZipFile(entry) as members:  # what is compressed is not ours, and may unpack to any size
        if any(member.compress_type != zipfile.ZIP_STORED for member in members.infolist()):
            msg = "an entry is not compressed"
            raise ValueError(msg)
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
        return Kept(data, tuple(map(str, texts["notes"])), dict(texts["query_texts"]))


def _store(kept: Kept, file: BinaryIO) -> None:
    data = kept.data
    texts = {
        "query_ids": data.query_ids,
        "feature_names": data.feature_names,
        "document_ids": data.document_ids,
        "notes": kept.notes,
        "query_texts": dict(kept.query_texts),
    }
    np.savez(
        file,
        features=data.features,
        relevance=data.relevance,
        query_offsets=data.query_offsets,
        texts=np.frombuffer(json.dumps(texts).encode(), dtype=np.uint8),
    )
