"""The files of a Parquet table: one, or a folder of part files as clusters write them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, get_args

from core.data.dataset import Convention
from core.data.errors import DataError
from core.data.files.file_content import AnyPath, PathT
from core.data.files.packed import beginning
from core.data.naming import is_part_name

ENDING = ".parquet"
MAGIC = b"PAR1"
_PART_NUMBER = re.compile(r"part[-_.]?([0-9]{1,9})", re.IGNORECASE)
_NUMBER = re.compile(r"([0-9]{1,9})")


def is_parquet(source: AnyPath | bytes) -> bool:
    """Whether this is a Parquet file or its content, or a folder of its part files; a folder of folds is none."""
    if isinstance(source, bytes):
        return source.startswith(MAGIC)
    if not isinstance(source, Path):
        return source.name.lower().endswith(ENDING) or bool(part_files(source))
    return bool(part_files(source)) if source.is_dir() else beginning(source).startswith(MAGIC)


def part_files(folder: PathT) -> list[PathT]:
    """Return the part files of a folder in the order of their numbers, else of their names.

    Names that begin with a dot or an underscore are the writers' own. Files named like the parts of a fold are no part
    files.
    """
    try:
        children = [child for child in folder.iterdir() if child.name.lower().endswith(ENDING) and child.is_file()]
    except OSError:
        return []
    found = [child for child in children if not child.name.startswith((".", "_"))]
    if any(is_part_name(child.name) for child in found):
        return []
    names = [child.name for child in found]
    numbers = _numbers(names, _PART_NUMBER) or _numbers(names, _NUMBER)
    return sorted(found, key=lambda child: (numbers.get(child.name, 0), child.name))


def files_of(path: PathT, name: str) -> list[tuple[PathT, str]]:
    """Return a Parquet file, or the files of a folder of part files, with their names in messages.

    Raises a `DataError` if the names count the parts, as ``part-00003`` or ``part.3``, and a number is missing.
    """
    if not path.is_dir():
        return [(path, name)]
    files = part_files(path)
    numbers = sorted(_numbers([file.name for file in files], _PART_NUMBER).values())
    first = min(numbers, default=0)
    expected = range(first if first <= 1 else 0, max(numbers, default=0) + 1)
    missing = next((number for number in expected if number not in set(numbers)), None) if numbers else None
    if missing is not None:
        msg = (
            f"part {missing} of the parts up to {numbers[-1]} is missing; fetch it, or number the others without a gap "
            "if it never had a row"
        )
        raise DataError(msg, file=name)
    return [(file, f"{name}/{file.name}") for file in files]


def _numbers(names: Sequence[str], pattern: re.Pattern[str]) -> dict[str, int]:
    """Return the number in every name; nothing unless each has one of its own."""
    matches = {name: match for name in names if (match := pattern.search(name))}
    numbers = {name: int(match[1]) for name, match in matches.items()}
    return numbers if len(set(numbers.values())) == len(names) else {}


KEY = b"sparse_ranking_lab"


@dataclass(frozen=True)
class ParquetDescription:
    """What a file says: names of its dataset and of its columns that are no features, and texts by query id."""

    relevance: str | None = None
    query: str | None = None
    document: str | None = None
    name: str | None = None
    provenance: str | None = None
    licence: str | None = None
    convention: Convention | None = None
    query_texts: Mapping[str, str] = field(default_factory=dict, repr=False)

    def metadata(self) -> dict[bytes, bytes]:
        """Return the entry of the file's metadata."""
        return {KEY: json.dumps({name: value for name, value in asdict(self).items() if value}).encode()}

    @classmethod
    def of(cls, metadata: Mapping[bytes, bytes] | None) -> ParquetDescription:
        """Read the entry of a file's metadata; what is not as this program writes it counts as not said."""
        try:
            said: Any = json.loads((metadata or {}).get(KEY, b"{}"))
        except ValueError:
            said = {}
        if not isinstance(said, dict):
            return cls()
        texts = said.get("query_texts")
        known = {name: said[name] for name in (f.name for f in fields(cls)) if isinstance(said.get(name), str)}
        if known.get("convention") not in get_args(Convention):
            known.pop("convention", None)
        known["query_texts"] = (
            {query: text for query, text in texts.items() if isinstance(text, str)} if isinstance(texts, dict) else {}
        )
        return cls(**known)
