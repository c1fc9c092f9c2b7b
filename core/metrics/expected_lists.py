"""Measures in expectation over the orders of tied documents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.data.ranking_data import FloatArray, IntArray
from core.metrics.by_query import running_sums
from core.metrics.judgements import Judgements
from core.metrics.measured_lists import MeasuredLists


@dataclass(frozen=True, eq=False)
class ExpectedLists(MeasuredLists):
    """Judged lists in expectation over uniformly random orders of documents with the same score.

    This is the value of a ranking independent of the file's order, computed as by McSherry & Najork (2008). NDCG and
    precision are linear in the document at each rank, so at each rank the mean of the tied documents stands in. Average
    precision is not linear: among n tied documents, m of them relevant, with h relevant documents above them, the p-th
    (from 0) is relevant with probability m / n, and each of the p before it is then relevant with probability (m − 1) /
    (n − 1). `core.metrics.cascade` has the rule for RR and ERR. The conventions' rules for short lists do not depend on
    the order. Nor does Top, which counts ties against a document.

    Parameters
    ----------
    judged : Judgements
    scores : ndarray of float64, shape (n_documents,)
        In file order.
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query; tied ones in any order.
    first : ndarray of int64, shape (n_groups,)
        The places in that order where groups of tied documents begin, ascending; from `tie_starts`.

    References
    ----------
    McSherry & Najork, Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied Scores,
    ECIR 2008.
    """

    judged: Judgements
    scores: FloatArray
    order: IntArray
    first: IntArray

    @cached_property
    def _sizes(self) -> IntArray:
        """Number of documents of each group, shape (n_groups,)."""
        return np.diff(self.first, append=len(self.order))

    @cached_property
    def _place(self) -> IntArray:
        """0, 1, … along every group, shape (n_documents,)."""
        return np.arange(len(self.order)) - np.repeat(self.first, self._sizes)

    @property
    def _places(self) -> tuple[IntArray, IntArray]:
        return self.order, self.first

    @property
    def tied(self) -> IntArray:
        """The places in ranked order where groups of tied documents begin, shape (n_groups,)."""
        return self.first

    @cached_property
    def _relevant(self) -> FloatArray:
        """Number of relevant documents of each group, shape (n_groups,)."""
        return np.asarray(np.add.reduceat(self.judged.relevant[self.order], self.first))

    @cached_property
    def _hits_above(self) -> FloatArray:
        """Relevant documents of the list above each group, shape (n_groups,)."""
        hits = running_sums(self.judged.relevant[self.order], self.judged.data.query_offsets)
        return np.asarray(hits[self.first + self._sizes - 1] - self._relevant)

    def _spread(self, values: FloatArray) -> FloatArray:
        """Repeat the value of each group for its documents, shape (n_documents,)."""
        return np.repeat(values, self._sizes)

    @cached_property
    def hits(self) -> FloatArray:
        """Expected number of relevant documents up to every rank, shape (n_documents,)."""
        inside = self._spread(self._relevant) * (self._place + 1) / np.repeat(self._sizes, self._sizes)
        return self._spread(self._hits_above) + inside

    @cached_property
    def ndcg(self) -> FloatArray:
        """Expected NDCG at every rank, shape (n_documents,)."""
        mean_gain = np.add.reduceat(self.judged.gains[self.order], self.first) / self._sizes
        return self.judged.ndcg_curve(self._spread(mean_gain))

    @cached_property
    def precision_where_relevant(self) -> FloatArray:
        """Expected precision at a rank if its document is relevant, else 0, shape (n_documents,)."""
        also_relevant = self._spread((self._relevant - 1.0) / np.maximum(self._sizes - 1, 1))
        hits_if_relevant = self._spread(self._hits_above) + 1.0 + self._place * also_relevant
        return self._spread(self._relevant / self._sizes) * hits_if_relevant / self.judged.ranks
