"""What comments of LETOR text say: documents, texts of queries, names of features."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_DOCUMENT_ID = re.compile(r'\bdocid\s*=\s*("(?:[^"\\]|\\.)*"(?=\s|$)|\S+)')
_FEATURE = re.compile(r"#\s*([0-9]{1,7})\s*:\s*(\S.*)")
_QUERY = re.compile(r"#\s*qid:(\S+?):\s+(\S.*)")


def named_document(comment: str) -> str | None:
    """Return ``X`` of a comment ``docid = X``; an id of several words stands in quotation marks. None without it."""
    named = _DOCUMENT_ID.search(comment)
    if named is None:
        return None
    text = named.group(1)
    if len(text) > 1 and text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text
    return text


def document_comment(document: str) -> str:
    """Write the comment from which `named_document` reads a document."""
    plain = document.split() == [document] and not document.startswith('"')
    return f"# docid = {document if plain else json.dumps(document, ensure_ascii=False)}"


def document_and_text(comment: str) -> tuple[str, str]:
    """Return document and query text of ``docid = X`` or a search engine's ``7555 rambo``; either may be empty."""
    named = named_document(comment)
    return _split(comment) if named is None else (named, "")


def _split(comment: str) -> tuple[str, str]:
    document, _, text = comment.strip().replace("\t", " ").partition(" ")
    return document, text.strip()


@dataclass
class LetorHeader:
    """What the comment lines above the first document say.

    ``features`` are names by index, from lines ``#1: name``; ``queries`` texts by id, from lines ``# qid:1: rambo``.
    """

    features: dict[int, str] = field(default_factory=dict)
    queries: dict[str, str] = field(default_factory=dict)

    def take(self, line: str) -> bool:
        """Read one line; return False if it is no comment, which ends the header."""
        line = line.strip()
        if line and not line.startswith("#"):
            return False
        if named := _FEATURE.fullmatch(line):
            self.features.setdefault(int(named.group(1)), named.group(2).strip())
        elif told := _QUERY.fullmatch(line):
            self.queries.setdefault(told.group(1), told.group(2).strip())
        return True

    def names(self, width: int) -> tuple[str, ...] | None:
        """Return the names if they are those of features 1 to n, all different, and ``width`` is at most n."""
        n = len(self.features)
        names = tuple(self.features.get(index, "") for index in range(1, n + 1))
        return names if n >= max(width, 1) and all(names) and len(set(names)) == n else None


def query_texts_of(queries: Sequence[str], comments: Sequence[str]) -> tuple[list[str], dict[str, str]] | None:
    """Return documents, and texts by query, of comments as search engines write them: ``7555 rambo``.

    ``queries`` and ``comments`` are those of every document. None where the comments are of another kind: one is
    shorter, a query has two texts or a document twice.
    """
    texts: dict[str, str] = {}
    documents: list[str] = []
    seen: set[tuple[str, str]] = set()
    for query, (document, text) in zip(queries, map(_split, comments), strict=True):
        if not text or texts.setdefault(query, text) != text or (query, document) in seen:
            return None
        seen.add((query, document))
        documents.append(document)
    return documents, texts
