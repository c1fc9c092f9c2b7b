"""Reader of one LETOR file: SVMlight lines with ``qid:``, as in LETOR 3.0, LETOR 4.0 and MSLR.

And the grouping of documents by query, for every format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import UngroupedQueriesError
from core.data.files.file_content import file_label, read_content
from core.data.files.packed import Limits
from core.data.letor._letor_kernel import COMMENT_BEGIN, COMMENT_END, QUERY_BEGIN, QUERY_END
from core.data.letor.letor_lines import Lines, line_and_column, load_parser, parse, plain_lines
from core.data.ranking_data import IntArray, RankingData
from core.kernels import is_cached

_SMALL = 4 << 20
"""Bytes of text up to which a file is read in plain Python where the parser has not been compiled yet."""


def read_letor(
    source: Path | bytes,
    *,
    name: str | None = None,
    group: bool = False,
    dtype: type[np.floating] = np.float64,
) -> RankingData:
    """Read a LETOR file: ``label qid:id index:value ... # comment``, plain or gzipped.

    A feature that a line does not list is 0. A query id is any text without blanks. The document id is ``X`` where the
    comment says ``docid = X`` (LETOR 3.0 and 4.0), the first word where all comments are a search engine's (``7555
    rambo``, see `query_texts_of`), else the whole comment. Lines ``#1: name`` above the first document name the
    features; other comment lines and blank lines are skipped. Values are the doubles nearest to the decimals.

    Parameters
    ----------
    source : Path or bytes
        The file or its content.
    name : str, optional
        Name of the file in messages; its path by default.
    group : bool
        Put the documents of a query together if the file has them apart, in order of first appearance.
    dtype : type
        float64 or float32.

    Raises
    ------
    DataError
        At the first error, with line and column. There is no partial result.
    UngroupedQueriesError
        If the documents of a query are apart and ``group`` is False.
    """
    return read_letor_and_texts(source, name=name, group=group, dtype=dtype)[0]


def read_letor_and_texts(
    source: Path | bytes, *, name: str | None = None, group: bool = False, dtype: type[np.floating] = np.float64
) -> tuple[RankingData, dict[str, str]]:
    """Read a LETOR file as `read_letor` does, and the texts of its queries by their ids.

    A query's text stands in a line ``# qid:1: rambo`` above the first document, or in the comments of its documents.
    """
    label = name or file_label(source)
    content = read_content(source, label)
    limits = Limits.of(source)
    early = len(content) <= _SMALL and not is_cached(load_parser)
    lines = (plain_lines(content, dtype) if early else None) or parse(content, label, limits, dtype)
    header = LetorHeader.of(content)
    starts = np.flatnonzero(lines.starts_query)
    runs = [_text(content, lines.places[row, QUERY_BEGIN], lines.places[row, QUERY_END]) for row in starts]
    documents, texts = _documents(content, lines, runs, starts)
    data = assemble(
        lines.features,
        lines.relevance,
        runs,
        starts,
        document_ids=documents,
        feature_names=None,
        group=group,
        file=label,
        line_of_document=lambda row: line_and_column(content, int(lines.places[row, QUERY_BEGIN]))[0],
    )
    names = header.names(data.n_features)
    texts |= {query: text for query, text in header.queries.items() if query in set(data.query_ids)}
    return data if names is None else replace(widened(data, len(names)), feature_names=names), texts


def assemble(
    features: NDArray[np.floating],
    relevance: NDArray[np.int32],
    run_ids: Sequence[str],
    run_starts: IntArray,
    *,
    document_ids: Sequence[str] | None,
    feature_names: Sequence[str] | None,
    group: bool,
    file: str,
    line_of_document: Callable[[int], int],
) -> RankingData:
    """Make ranking data from documents in file order, shapes (n_documents, n_features) and (n_documents,).

    ``run_ids`` and ``run_starts`` are query id and first document of every run of consecutive documents with the same
    id. With ``group``, documents of a query that are apart are put together, in the order in which queries and
    documents first appear; without it they raise an `UngroupedQueriesError` with the document's line in the file.
    """
    number_of_query = {query: number for number, query in enumerate(dict.fromkeys(run_ids))}
    run_lengths = np.diff(np.append(run_starts, len(relevance)))
    queries = np.repeat(np.array([number_of_query[query] for query in run_ids], dtype=np.int64), run_lengths)
    if len(number_of_query) < len(run_ids):
        if not group:
            refuse_apart(run_ids, run_starts, lambda row: (file, line_of_document(row)), "line")
        order = np.argsort(queries, kind="stable")
        features, relevance = features[order], relevance[order]
        document_ids = None if document_ids is None else [document_ids[row] for row in order]
    sizes = np.bincount(queries, minlength=len(number_of_query))
    return RankingData.build(
        features,
        relevance,
        np.concatenate([[0], np.cumsum(sizes)]),
        query_ids=list(number_of_query),
        feature_names=feature_names,
        document_ids=document_ids,
        dtype=features.dtype.type,
    )


def refuse_apart(
    ids: Sequence[str],
    starts: Sequence[int] | IntArray,
    place: Callable[[int], tuple[str, int]],
    kind: str,
    column: str | None = None,
) -> None:
    """Raise an `UngroupedQueriesError` at a run whose query has an earlier one; ``place`` tells file, and line or row.

    ``kind`` is what the place counts, ``"line"`` or ``"row"``.
    """
    if len(set(ids)) == len(ids):
        return
    first = {query: run for run, query in reversed([*enumerate(ids)])}
    again, query = next((run, query) for run, query in enumerate(ids) if first[query] < run)
    file, at = place(int(starts[again]))
    before, ended = place(int(starts[first[query] + 1]) - 1)
    where = f"{kind} {ended}" if before == file else f"{kind} {ended} of {before}"
    reason = (
        f"the documents of query {query} are not consecutive: the query ended in {where} and appears again here; "
        "they can be brought together when reading"
    )
    raise UngroupedQueriesError(reason, file=file, column=column, **{kind: at})


def widened(data: RankingData, n_features: int) -> RankingData:
    """Add features of zeros on the right, up to ``n_features``, which are no fewer than the data has."""
    if data.n_features == n_features:
        return data
    features = np.zeros((data.n_documents, n_features), dtype=data.features.dtype)
    features[:, : data.n_features] = data.features
    added = tuple(f"feature {j}" for j in range(data.n_features + 1, n_features + 1))
    return replace(data, features=features, feature_names=data.feature_names + added)


def _documents(
    content: bytes, lines: Lines, runs: Sequence[str], starts: IntArray
) -> tuple[list[str] | None, dict[str, str]]:
    """Return the document ids ("" where there is none; None if no line has one), and query texts in the comments."""
    if not lines.places[:, COMMENT_END].any():
        return None, {}
    comments = [_text(content, begin, end) for begin, end in lines.places[:, [COMMENT_BEGIN, COMMENT_END]].tolist()]
    named = [named_document(comment) for comment in comments]
    if not any(comments):
        return None, {}
    if not any(named):
        queries = np.repeat(np.array(runs, dtype=object), np.diff([*starts, len(comments)]))
        found = query_texts_of(queries.tolist(), comments)
        if found is not None:
            return found
    ids = [comment.strip() if document is None else document for document, comment in zip(named, comments, strict=True)]
    return (ids if any(ids) else None), {}


def _text(content: bytes, begin: int, end: int) -> str:
    return content[begin:end].decode("utf-8", errors="backslashreplace")


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

    @classmethod
    def of(cls, content: bytes) -> LetorHeader:
        """Read the header of a text."""
        header, above = cls(), BytesIO(content)
        while (line := above.readline()) and header.take(line.decode("utf-8", errors="backslashreplace")):
            pass
        return header

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
