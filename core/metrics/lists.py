"""Judged lists: everything before the scores are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from core.data.ranking_data import FloatArray
from core.metrics.by_query import descending_order, tie_starts
from core.metrics.judgements import Judgements
from core.metrics.ranked_lists import RankedLists


def as_scores(scores: ArrayLike, n_documents: int) -> FloatArray:
    """Check the scores of all documents and return them as float64.

    Raises
    ------
    ValueError
        If the number of scores is not that of the documents, or a score is NaN. (Infinite scores are allowed.)
    """
    s = np.asarray(scores, dtype=np.float64)
    if s.shape != (n_documents,):
        msg = f"{n_documents} documents need {n_documents} scores, not an array of shape {s.shape}"
        raise ValueError(msg)
    undefined = np.flatnonzero(np.isnan(s))
    if undefined.size:
        first = undefined[0] + 1
        msg = f"{undefined.size} of {n_documents} scores are not a number, first that of document {first}"
        raise ValueError(msg)
    return s


class JudgedLists(Judgements):
    """Judgements that rank: build it once to measure many scorings of the same data (a path, all single features).

    Parameters
    ----------
    data : RankingData
    convention : {"standard", "letor3", "letor4"}
    """

    def rank(self, scores: ArrayLike) -> RankedLists:
        """Sort the documents of every query by descending score, to be measured over the orders of tied documents.

        `RankedLists.official` of it counts as the official script of the convention.

        Parameters
        ----------
        scores : array-like, shape (n_documents,)

        Raises
        ------
        ValueError
            If there is not one score a document, or a score is NaN.
        """
        s, offsets = as_scores(scores, self.data.n_documents), self.data.query_offsets
        order = descending_order(s, offsets)
        return RankedLists(self, s, order, tie_starts(s[order], offsets))
