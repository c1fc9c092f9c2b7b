"""The documents of one query, most relevant first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data import RankingData
from core.data.ranking_data import IntArray


@dataclass(frozen=True, eq=False)
class QueryRows:
    """The raw rows of a query in descending order of relevance; ties in the order of the file.

    Parameters
    ----------
    query_id : str
    n_documents, n_relevant : int
        Counts over the whole query, even if only its first rows are here.
    places : ndarray of int64, shape (n_rows,)
        Position of every row in the file's order of the query, from 0.
    relevance : ndarray of int32, shape (n_rows,)
    features : ndarray, shape (n_rows, n_features)
    document_ids : tuple of str, length n_rows, optional
    """

    query_id: str
    n_documents: int
    n_relevant: int
    places: IntArray
    relevance: NDArray[np.int32]
    features: NDArray[np.floating]
    document_ids: tuple[str, ...] | None


def query_rows(data: RankingData, query: int, *, most: int | None = None) -> QueryRows:
    """Return the rows of the query with this number (from 0), or the ``most`` first of them.

    Raises
    ------
    IndexError
        If there is no such query.
    """
    if not 0 <= query < data.n_queries:
        msg = f"there are {data.n_queries} queries, and none has the number {query}"
        raise IndexError(msg)
    first, last = (int(offset) for offset in data.query_offsets[query : query + 2])
    relevance = data.relevance[first:last]
    places = np.argsort(-relevance, kind="stable")[:most]
    ids = data.document_ids
    return QueryRows(
        query_id=data.query_ids[query],
        n_documents=last - first,
        n_relevant=int((relevance >= 1).sum()),
        places=places,
        relevance=relevance[places],
        features=data.features[first + places],
        document_ids=None if ids is None else tuple(ids[first + place] for place in places),
    )
