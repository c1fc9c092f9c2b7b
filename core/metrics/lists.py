"""Judged lists (everything before the scores are known) and ranked lists (from which measures are read)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from core.data.ranking_data import FloatArray, IntArray
from core.metrics.by_query import descending_order, running_sums, tie_starts
from core.metrics.expected_lists import ExpectedLists
from core.metrics.judgements import Judgements
from core.metrics.measured_lists import MeasuredLists


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


@dataclass(frozen=True, eq=False)
class RankedLists(MeasuredLists):
    """Judged lists sorted by a scoring; tied documents stand in file order.

    Parameters
    ----------
    judged : Judgements
    scores : ndarray of float64, shape (n_documents,)
        In file order.
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query.
    """

    judged: Judgements
    scores: FloatArray
    order: IntArray

    @cached_property
    def hits(self) -> FloatArray:
        """Relevant documents up to every rank, shape (n_documents,)."""
        return running_sums(self.judged.relevant[self.order], self.judged.data.query_offsets)

    @cached_property
    def ndcg(self) -> FloatArray:
        """NDCG at every rank, shape (n_documents,)."""
        return self.judged.ndcg_curve(self.judged.gains[self.order])

    @cached_property
    def precision_where_relevant(self) -> FloatArray:
        """Precision at every rank with a relevant document, 0 at the others, shape (n_documents,)."""
        return self.judged.relevant[self.order] * self.hits / self.judged.ranks

    @property
    def _places(self) -> tuple[IntArray, IntArray]:
        return self.order, np.arange(len(self.order))

    @cached_property
    def tied(self) -> IntArray:
        """The places in ranked order where groups of tied documents begin, shape (n_groups,)."""
        return tie_starts(self.scores[self.order], self.judged.data.query_offsets)

    @cached_property
    def expected(self) -> MeasuredLists:
        """The same lists in expectation over the orders of tied documents; itself where nothing is tied."""
        first = self.tied
        return self if len(first) == len(self.order) else ExpectedLists(self.judged, self.scores, self.order, first)


class JudgedLists(Judgements):
    """Judgements that rank: build it once to measure many scorings of the same data (a path, all single features).

    Parameters
    ----------
    data : RankingData
    convention : {"standard", "letor3", "letor4"}
    """

    def rank(self, scores: ArrayLike) -> RankedLists:
        """Sort the documents of every query by descending score; ties keep file order.

        Parameters
        ----------
        scores : array-like, shape (n_documents,)

        Raises
        ------
        ValueError
            If there is not one score a document, or a score is NaN.
        """
        s = as_scores(scores, self.data.n_documents)
        return RankedLists(self, s, descending_order(s, self.data.query_offsets))

    def expect(self, scores: ArrayLike) -> MeasuredLists:
        """Rank by descending score and measure in expectation over the orders of tied documents.

        Everything that chooses (C, features, budgets) uses it, so that no choice profits from the order of the file.

        Parameters
        ----------
        scores : array-like, shape (n_documents,)

        Raises
        ------
        ValueError
            If there is not one score a document, or a score is NaN.
        """
        return self.rank(scores).expected
