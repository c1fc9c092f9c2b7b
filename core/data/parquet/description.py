"""What the program says about a dataset in the metadata of a Parquet file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, get_args

from core.data.dataset import Convention

KEY = b"sparse_ranking_lab"


@dataclass(frozen=True)
class ParquetDescription:
    """Where the table comes from, and which of its columns are no features.

    Attributes
    ----------
    relevance, query, document : str or None
        Names of the columns; None where the file does not say.
    name, provenance, licence : str or None
        Of the dataset.
    convention : {"standard", "letor3", "letor4"} or None
        Its metric convention.
    query_texts : mapping of str to str
        Text of a query by its id.
    """

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
