"""Reader of one LETOR file: SVMlight lines with ``qid:``, as in LETOR 3.0, LETOR 4.0 and MSLR."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.data.errors import DataError
from core.data.file_content import file_label, read_content
from core.data.letor._letor_kernel import (
    COMMENT_BEGIN,
    COMMENT_END,
    LISTED,
    QUERY_BEGIN,
    QUERY_END,
    Stop,
    parse_lines,
    survey,
)
from core.data.letor.letor_problems import problem_at
from core.data.letor.query_groups import assemble
from core.data.letor.value_problems import line_and_column
from core.data.ranking_data import IntArray, RankingData

_DOCUMENT_ID = re.compile(rb"\bdocid\s*=\s*(\S+)")
_INEXACT_ROOM = 65_536
_ENOUGH_TO_JUDGE = 10


def read_letor(
    source: Path | bytes,
    *,
    name: str | None = None,
    feature_names: Sequence[str] | None = None,
    n_features: int | None = None,
    group: bool = False,
    dtype: type[np.floating] = np.float64,
) -> RankingData:
    """Read a LETOR file: ``label qid:id index:value ... # comment``, plain or gzipped.

    A feature that a line does not list is 0. A query id is any text without blanks. The document id is ``X`` where the
    comment says ``docid = X`` (LETOR 3.0 and 4.0), else the whole comment. Blank lines and comment lines are skipped.
    Values are the doubles nearest to the decimals.

    Parameters
    ----------
    source : Path or bytes
        The file or its content.
    name : str, optional
        Name of the file in messages; its path by default.
    feature_names : sequence of str, optional
        One name for every feature.
    n_features : int, optional
        Number of features, for a file that may not list the last ones.
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
    label = name or file_label(source)
    content = read_content(source, label)
    lines = _parse(content, label, dtype)
    starts = np.flatnonzero(lines.starts_query)
    data = assemble(
        lines.features,
        lines.relevance,
        [_text(content, lines.places[row, QUERY_BEGIN], lines.places[row, QUERY_END]) for row in starts],
        starts,
        document_ids=_document_ids(content, lines.places),
        feature_names=None,
        group=group,
        file=label,
        line_of_document=lambda row: line_and_column(content, int(lines.places[row, QUERY_BEGIN]))[0],
    )
    wanted = n_features if feature_names is None else len(feature_names)
    if wanted is not None:
        data = widened(data, wanted, file=label)
    return data if feature_names is None else replace(data, feature_names=tuple(feature_names))


def widened(data: RankingData, n_features: int, *, file: str | None = None) -> RankingData:
    """Add features of zeros on the right, up to ``n_features``.

    Raises
    ------
    DataError
        If the data has more features than that.
    """
    if data.n_features > n_features:
        msg = f"there are {data.n_features} features where {n_features} are expected"
        raise DataError(msg, file=file)
    if data.n_features == n_features:
        return data
    features = np.zeros((data.n_documents, n_features), dtype=data.features.dtype)
    features[:, : data.n_features] = data.features
    added = tuple(f"feature {j}" for j in range(data.n_features + 1, n_features + 1))
    return replace(data, features=features, feature_names=data.feature_names + added)


@dataclass(frozen=True, eq=False)
class _Lines:
    """Output of the kernel, by document in file order; ``places`` are byte positions in the text."""

    features: NDArray[np.floating]
    relevance: NDArray[np.int32]
    starts_query: NDArray[np.bool_]
    places: IntArray


def _parse(content: bytes, name: str, dtype: type[np.floating]) -> _Lines:
    text = np.frombuffer(content, dtype=np.uint8)
    n_documents, width, widest_at = survey(text)
    if n_documents == 0:
        msg = "there is no document in it, only comments" if b"#" in content else "the file is empty"
        raise DataError(msg, file=name)
    _refuse_too_large(n_documents, width, np.dtype(dtype).itemsize, content, widest_at, name)
    lines = _Lines(
        features=np.zeros((n_documents, width), dtype=dtype),
        relevance=np.zeros(n_documents, dtype=np.int32),
        starts_query=np.zeros(n_documents, dtype=np.bool_),
        places=np.zeros((n_documents, 5), dtype=np.int64),
    )
    inexact = np.empty((max(_INEXACT_ROOM, width), 3), dtype=np.int64)
    flat = lines.features.reshape(-1)
    stop, position, row = Stop.FULL, 0, 0
    while stop == Stop.FULL:
        stop, position, row, pending = parse_lines(
            text, position, row, lines.features, lines.relevance, lines.starts_query, lines.places, inexact
        )
        values = np.array([float(content[begin:end]) for _, begin, end in inexact[:pending].tolist()])
        if np.isinf(values).any():
            raise problem_at(Stop.VALUE, content, int(inexact[np.isinf(values).argmax(), 1]), name)
        flat[inexact[:pending, 0]] = values
    if stop != Stop.END:
        raise problem_at(stop, content, position, name)
    if width == 0:
        msg = "no document has a feature; a feature is written index:value"
        raise DataError(msg, file=name)
    _refuse_cut_off(content, lines.places, width, name)
    return lines


def _refuse_too_large(n_documents: int, width: int, itemsize: int, content: bytes, widest_at: int, name: str) -> None:
    """Refuse data larger than the memory, and name the feature index that makes it so: often a stray one."""
    needed = n_documents * width * itemsize
    if needed > _physical_memory():
        line, column = line_and_column(content, widest_at)
        msg = (
            f"{n_documents:,} documents with {width:,} features would take {needed / 2**30:,.0f} GiB, more "
            f"than this computer has; is the feature index {width} right?"
        )
        raise DataError(msg, file=name, line=line, column=column)


def _physical_memory() -> int:
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 2**35


def _refuse_cut_off(content: bytes, places: IntArray, width: int, name: str) -> None:
    """Refuse a file that was cut off inside its last line, even where that line still parses.

    The cut shows where every other line lists all features: the last line then lists fewer and has no line break. Files
    with few documents, or with lines that do not list all features, are not judged.
    """
    listed = places[:, LISTED]
    others_full = len(listed) > _ENOUGH_TO_JUDGE and bool((listed[:-1] == width).all())
    if others_full and listed[-1] < width and not content.endswith(b"\n"):
        line, _ = line_and_column(content, len(content))
        msg = (
            f"the file ends in the middle of this line, after {listed[-1]} of {width} features; it was cut "
            "off, so fetch it again (or end it with a line break if it is whole)"
        )
        raise DataError(msg, file=name, line=line)


def _document_ids(content: bytes, places: IntArray) -> list[str] | None:
    """Return ``docid = X`` or the whole comment of every document ("" where there is none); None if no line has one."""
    ids = []
    for begin, end in places[:, [COMMENT_BEGIN, COMMENT_END]].tolist():
        named = _DOCUMENT_ID.search(content, begin, end)
        text = named.group(1) if named else content[begin:end].strip()
        ids.append(text.decode("utf-8", errors="backslashreplace"))
    return ids if any(ids) else None


def _text(content: bytes, begin: int, end: int) -> str:
    return content[begin:end].decode("utf-8", errors="backslashreplace")
