"""The top of a list: every document's score relative to the highest-scored negative."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.data import RankingData
from core.data.ranking_data import IntArray
from core.metrics import JudgedLists, Measure
from core.solvers.problem import FloatArray, pair_scores

# Shares of positives on top, from none to all: the first and the last bin are single values.
SHARE_BINS = ("none", "up to ¼", "up to ½", "up to ¾", "below all", "all")
_EDGES = (0.0, 0.25, 0.5, 0.75)
WIDEST = 4.0


@dataclass(frozen=True, eq=False)
class TopStrips:
    """A list's scores less that of its top negative, in descending order.

    Attributes
    ----------
    positives, negatives : ndarray of float64
        Scores less that of the top negative. A positive is on top if its value is above 0; the first negative has 0.
    positive_rows, negative_rows : ndarray of int64
        The documents' positions in the list, in the same order; ties keep the order of the list.
    top_negatives : int
        Number of negatives in the top share; the last of them may count in part.
    """

    positives: FloatArray
    negatives: FloatArray
    positive_rows: IntArray
    negative_rows: IntArray
    top_negatives: int

    @property
    def on_top(self) -> int:
        """Number of positives that score above every negative."""
        return int(np.count_nonzero(self.positives > 0.0))

    @property
    def beaten(self) -> int:
        """Number of negatives that score as high as the lowest positive."""
        return int(np.count_nonzero(self.negatives >= self.positives[-1]))

    @property
    def boundary(self) -> float:
        """Value of the last negative in the top share: 0 if that is the top one alone."""
        return float(self.negatives[self.top_negatives - 1])


def top_strips(relevance: ArrayLike, scores: ArrayLike, top_share: float = 0.0) -> TopStrips:
    """Compute the strips of one list.

    Raises a `ValueError` if there is no positive or no negative.

    Parameters
    ----------
    relevance : array-like of int, shape (n_documents,)
        A document is positive if its relevance is above 0.
    scores : array-like, shape (n_documents,)
    top_share : float
        kappa, from 0 to 1: the share of the negatives in the loss; at least one negative counts.
    """
    positive = np.asarray(relevance) > 0
    heights = np.asarray(scores, dtype=np.float64)
    if positive.all() or not positive.any():
        msg = "a list without a positive and a negative has no top to look at"
        raise ValueError(msg)
    heights = heights - heights[~positive].max()
    positive_rows, negative_rows = (_falling(heights, np.flatnonzero(rows)) for rows in (positive, ~positive))
    # As in the loss: k = max(1, kappa n) negatives, the last in part; rounding must not add one.
    k = max(1, int(np.ceil(top_share * len(negative_rows) - 1e-9)))
    return TopStrips(heights[positive_rows], heights[negative_rows], positive_rows, negative_rows, k)


def _falling(heights: FloatArray, rows: IntArray) -> IntArray:
    return rows[np.argsort(-heights[rows], kind="stable")]


def lists_with_a_top(data: RankingData) -> IntArray:
    """Return the queries with positives and negatives; the others are not in the infinite push."""
    positive = (data.relevance > 0).astype(np.int64)
    found = np.add.reduceat(positive, data.query_offsets[:-1])
    return np.flatnonzero((found > 0) & (found < np.diff(data.query_offsets)))


def shares_over_lists(data: RankingData, weights: FloatArray) -> FloatArray:
    """Compute the share of positives on top in every list with a top, in [0, 1].

    It is above 0 exactly where the first document is relevant.
    """
    return top_of_each_list(data, weights)[lists_with_a_top(data)]


def top_of_each_list(data: RankingData, weights: FloatArray) -> FloatArray:
    """Compute the same of every list, as the measure *Top* averages it."""
    return JudgedLists(data, "standard").rank(pair_scores(data, weights)).per_query(Measure("Top"))


def counts_by_share(shares: FloatArray) -> IntArray:
    """Count the lists in each of `SHARE_BINS`; shape (6,)."""
    return np.bincount(share_bins(shares), minlength=len(SHARE_BINS))


def share_bins(shares: FloatArray) -> IntArray:
    """The place in `SHARE_BINS` of every share."""
    return np.where(shares >= 1.0, len(_EDGES) + 1, np.searchsorted(_EDGES, shares, side="left"))


def reach(data: RankingData, query: int, paths: list[FloatArray], lowest: float = 0.05) -> tuple[float, float]:
    """Compute limits of the strips' values that hold for all models of a path, except for each model's lowest few.

    Parameters
    ----------
    paths : list of ndarray, shape (n_features,)
        Weights of the models.
    lowest : float
        The quantile of each model's values that may lie below the picture.
    """
    rows = data.rows_of(query)
    scores = data.features[rows] @ np.array(paths).T
    heights = scores - scores[data.relevance[rows] == 0].max(axis=0)
    return float(np.quantile(heights, lowest, axis=0).min()), float(heights.max())


def reach_around(data: RankingData, query: int, chosen: FloatArray, path: list[FloatArray]) -> tuple[float, float]:
    """Compute limits that suit a chosen model and leave room for others of its path.

    The last models of a path have weights so large that the chosen one would be a point beside them. So the limits are
    those of the path (`reach`), but at most `WIDEST` times those of the chosen model; of an empty one, the path's.
    """
    left, right = reach(data, query, [chosen])
    most_left, most_right = reach(data, query, [chosen, *path])
    if not chosen.any():
        return most_left, most_right
    width = WIDEST * max(right, -left)
    return max(most_left, -width), min(most_right, width)


def heights_along(data: RankingData, query: int, path: list[FloatArray]) -> FloatArray:
    """Compute every document's score above the top negative for many models; shape (n_models, n_documents)."""
    rows = data.rows_of(query)
    scores = np.array(path) @ data.features[rows].T
    return np.asarray(scores - scores[:, data.relevance[rows] == 0].max(axis=1, keepdims=True))
