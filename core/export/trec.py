"""TREC's run and qrels, with which trec_eval, ir_measures and other tools can check our figures.

Those tools sort by score again, break ties in ways of their own, and may read scores as float32. Scores of a run
therefore fall strictly in float32: tied documents keep the order of the file by the smallest possible steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from core.data import RankingData
from core.data.errors import refuse
from core.metrics import JudgedLists

TAG = "sparse-ranking-lab"
"""Of every run."""
LARGEST_SCORE = 1e37
"""Beyond it the steps between float32 numbers may leave their range."""


class TrecNames(NamedTuple):
    """Names of every query and every document without blanks, none twice in its place.

    ``numbered`` is what is numbered because the data's own ids cannot be used: "queries", "documents", both or nothing.
    """

    queries: tuple[str, ...]
    documents: tuple[str, ...]
    numbered: tuple[str, ...]


def trec_names(data: RankingData) -> TrecNames:
    """Take the ids of the data where TREC's files can hold them; else number queries, or documents within them."""
    numbered = []
    queries = data.query_ids
    if not _usable(queries):
        queries = tuple(str(number) for number in range(1, data.n_queries + 1))
        numbered.append("queries")
    documents = data.document_ids
    bounds = list(zip(data.query_offsets[:-1].tolist(), data.query_offsets[1:].tolist(), strict=True))
    if documents is None or not all(_usable(documents[start:stop]) for start, stop in bounds):
        inside = ((query, rank) for query, (a, b) in zip(queries, bounds, strict=True) for rank in range(1, b - a + 1))
        documents = tuple(f"{query}-{rank}" for query, rank in inside)
        numbered.append("documents")
    return TrecNames(tuple(queries), tuple(documents), tuple(numbered))


def trec_qrels(data: RankingData) -> str:
    """Write ``query 0 document relevance``, a line a document, in the order of the file."""
    names = trec_names(data)
    of = data.query_of_document.tolist()
    rows = zip(of, names.documents, data.relevance.tolist(), strict=True)
    return "".join(f"{names.queries[q]} 0 {document} {label}\n" for q, document, label in rows)


def trec_run(data: RankingData, scores: ArrayLike) -> str:
    """Write ``query Q0 document rank score tag``, a line a document, by descending score.

    Scores, shape (n_documents,), are written to the digits of float32; see the module for ties. Raises a `DataError` if
    one is beyond float32; a `ValueError` if there is not one score a document, or one is NaN.
    """
    ranked = JudgedLists(data, "standard").rank(scores)
    falling = _falling(ranked.scores[ranked.order], data.query_offsets)
    names = trec_names(data)
    of, ranks = data.query_of_document.tolist(), ranked.judged.ranks.tolist()
    rows = zip(of, ranked.order.tolist(), ranks, falling.tolist(), strict=True)
    return "".join(
        f"{names.queries[q]} Q0 {names.documents[row]} {rank} {score:.9g} {TAG}\n" for q, row, rank, score in rows
    )


def _falling(ranked: np.ndarray, query_offsets: np.ndarray) -> np.ndarray:
    """Round descending scores to float32, each at least one step below the one above it in its query."""
    if np.abs(ranked).max() > LARGEST_SCORE:
        refuse(f"scores beyond {LARGEST_SCORE:g} do not fit into a TREC run; scale them")
    falling = ranked.astype(np.float32)
    first = set(query_offsets[:-1].tolist())
    for place in np.flatnonzero(falling[1:] >= falling[:-1]) + 1:
        row = int(place)
        while row < len(falling) and row not in first and falling[row] >= falling[row - 1]:
            falling[row] = np.nextafter(falling[row - 1], np.float32(-np.inf))
            row += 1
    return falling


def _usable(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names) and all(name and not any(map(str.isspace, name)) for name in names)
