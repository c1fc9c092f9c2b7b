"""Grouping of documents in file order by query; a query whose documents stand apart is an error or is put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.data.errors import UngroupedQueriesError
from core.data.ranking_data import IntArray, RankingData


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
    """Make ranking data from documents in file order; the query changes at the documents ``run_starts``.

    Parameters
    ----------
    features : ndarray, shape (n_documents, n_features)
    relevance : ndarray, shape (n_documents,)
    run_ids, run_starts : sequence of str, ndarray of int64, length n_runs
        Query id and first document of every run of consecutive documents with the same id.
    document_ids, feature_names : sequence of str, optional
    group : bool
        Put the documents of a query together if they are apart, in the order in which queries and documents first
        appear; without it they are an error.
    file, line_of_document
        Name of the file, and what returns a document's line, for the message.

    Raises
    ------
    UngroupedQueriesError
        If documents of a query are apart and ``group`` is False.
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
