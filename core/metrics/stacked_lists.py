"""The lists of a dataset several times over, so that one sweep measures several scorings.

Where documents are few and features many, what a measure costs is the call and not the documents: 42 documents take as
long as 4,000. Here the columns of a block stand one under the other as lists of one file.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.data import Convention, RankingData
from core.data.column_ranges import in_units
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.measures import Measure
from core.metrics.ranked_lists import JudgedLists, RankedLists

DOCUMENTS = 2**14
"""Documents of a block, those of every column counted; a longer file has blocks of one column."""


class StackedLists:
    """The judged lists of a dataset, ``n_columns`` times.

    Attributes
    ----------
    judged : JudgedLists
        Of all copies together: of one dataset with ``n_columns * n_documents`` documents.
    """

    def __init__(self, data: RankingData, convention: Convention, n_columns: int) -> None:
        self.n_columns = n_columns
        first = np.arange(n_columns)[:, None] * data.n_documents
        copies = RankingData.build(
            np.zeros((n_columns * data.n_documents, 1), dtype=np.float32),
            np.tile(data.relevance, n_columns),
            np.append(0, (first + data.query_offsets[1:]).ravel()),
            dtype=np.float32,
        )
        self.judged = JudgedLists(copies, convention)

    def means(self, lists: RankedLists, measure: Measure) -> FloatArray:
        """Average a measure over the queries of every copy, shape (n_columns,).

        Parameters
        ----------
        lists : RankedLists
            Of ``judged``, ranked by the columns' values one after the other.
        """
        return np.asarray(lists.per_query(measure).reshape(self.n_columns, -1).mean(axis=1))


def stacked_columns(
    data: RankingData, convention: Convention, columns: IntArray
) -> Iterator[tuple[StackedLists, IntArray, FloatArray]]:
    """Go through columns of features block by block.

    Parameters
    ----------
    columns : ndarray of int64, shape (n_wanted,)
        Their numbers, from 0.

    Yields
    ------
    (lists, block, values) : StackedLists, ndarray of int64, ndarray of float64
        The lists to rank, the numbers of this block's columns, and their values one column after the other, shape
        (len(block) * n_documents,).
    """
    at_once = max(DOCUMENTS // data.n_documents, 1)
    lists: StackedLists | None = None
    for first in range(0, len(columns), at_once):
        block = columns[first : first + at_once]
        if lists is None or lists.n_columns != len(block):
            lists = StackedLists(data, convention, len(block))
        yield lists, block, values_of(data, block).T.ravel()


def values_of(data: RankingData, columns: IntArray) -> FloatArray:
    """Return columns of features to rank by, shape (n_documents, n_columns), without offsets within queries.

    Scores that differ by a trillionth are tied, for they are sums. Values are none: beside an offset of a trillion a
    difference of 1 is one.
    """
    values = np.ascontiguousarray(data.features[:, columns], dtype=np.float64)
    return np.asarray(in_units(values, data.query_offsets, np.ones(len(columns))), dtype=np.float64)
