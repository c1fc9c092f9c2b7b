"""Single features: the quality of the ranking by one, its correlation with relevance, and how alike two are.

Where documents are few and features many, what a measure costs is the call and not the documents: 42 documents take as
long as 4,000. So the columns of a block stand one under the other as lists of one file (`StackedLists`).
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, RankingData
from core.data.column_ranges import FAR, in_units
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.equal_values import rounded
from core.metrics.measures import Measure
from core.metrics.ranked_lists import JudgedLists, RankedLists

DOCUMENTS = 2**14
"""Documents of a block, those of every column counted; a longer file has blocks of one column."""


def standardised(features: NDArray[np.floating]) -> FloatArray:
    """Subtract the mean of each column and scale it to length 1; a constant column becomes 0. Same shape."""
    x = features.astype(np.float64)
    low, high = x.min(axis=0), x.max(axis=0)
    varies = low < high
    far = varies & (np.maximum(np.abs(low), np.abs(high)) / FAR > high - low)
    x[:, far] -= low[far]  # an offset far beyond the range would cost digits of the mean
    # Similarity has no unit. In that of the largest value no square leaves double precision.
    x /= np.where(varies, np.abs(x).max(axis=0), 1.0)
    x -= x.mean(axis=0)
    x /= np.where(varies, np.linalg.norm(x, axis=0), 1.0)
    x[:, ~varies] = 0.0
    return x


def pearson_matrix(features: NDArray[np.floating]) -> FloatArray:
    """Compute Pearson's correlation of all columns, shape (n_features, n_features).

    Symmetric, in [-1, 1]; a constant column has 0 with all others and 1 with itself.
    """
    x = standardised(features)
    return bounded(x.T @ x)


def bounded(values: FloatArray) -> FloatArray:
    """Make a matrix exactly symmetric, within [-1, 1], with ones on the diagonal."""
    symmetric = np.clip((values + values.T) / 2.0, -1.0, 1.0)
    np.fill_diagonal(symmetric, 1.0)
    return symmetric


Direction = Literal["descending", "better"]


def varying_within_queries(data: RankingData) -> NDArray[np.bool_]:
    """Mark the features that differ within some query, shape (n_features,); the others cannot rank."""
    return np.asarray(data.ranges.within > 0.0)


def scores_alone(data: RankingData, measure: Measure, convention: Convention, direction: Direction) -> FloatArray:
    """Measure the ranking by each feature alone, shape (n_features,), in [0, 1].

    Documents with equal values count in expectation over their orders, so that a feature gets no credit for the order
    of the file. A feature that is constant within queries ranks nothing and scores 0. Scores are rounded to 12
    decimals, so that values that differ by rounding only are equal in a choice.

    Parameters
    ----------
    direction : {"descending", "better"}
        "descending" ranks by falling value (FS-Rank); "better" by falling or rising value, whichever scores higher
        (Geng et al. 2007: a learner can give either sign).
    """
    if direction == "descending":
        return _scores_in_direction(data, measure, convention, 1.0)
    return oriented_scores(data, measure, convention)[0]


def oriented_scores(data: RankingData, measure: Measure, convention: Convention) -> tuple[FloatArray, FloatArray]:
    """Measure every feature in its better direction, and return that direction.

    Returns
    -------
    (scores, signs) : ndarrays of shape (n_features,)
        `scores_alone` in the better direction; 1 where falling values are better, -1 where rising ones are. A feature
        that scores the same in both directions, or ranks nothing, has 1.
    """
    falling, rising = (_scores_in_direction(data, measure, convention, sign) for sign in (1.0, -1.0))
    return np.maximum(falling, rising), np.where(falling >= rising, 1.0, -1.0)


def _scores_in_direction(data: RankingData, measure: Measure, convention: Convention, sign: float) -> FloatArray:
    scores = np.zeros(data.n_features)
    for lists, block, values in stacked_columns(data, convention, np.flatnonzero(varying_within_queries(data))):
        scores[block] = rounded(lists.means(lists.judged.rank(sign * values), measure))
    return scores


def relevance_correlation(data: RankingData) -> FloatArray:
    """Compute |Pearson's correlation| of every feature with relevance over all documents, shape (n_features,).

    This is the importance of FSMRank (Lai et al. 2013, Section III-B). A constant feature, whose correlation is 0 / 0,
    has 0.
    """
    label = standardised(data.relevance[:, None].astype(np.float64))[:, 0]
    return np.asarray(np.minimum(np.abs(standardised(data.features).T @ label), 1.0))


class StackedLists:
    """The judged lists of a dataset ``n_columns`` times, so that one sweep measures several scorings.

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
