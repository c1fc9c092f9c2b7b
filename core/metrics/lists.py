"""Judged lists (everything before the scores are known) and ranked lists (from which measures are read).

Every measure but Top is read from one of two curves along a list: the number of relevant documents so far, or NDCG, at
each rank. Both are stored flat, one value a document, query after query, without padding.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.by_query import descending_order, running_sums, tie_starts
from core.metrics.conventions import CountingRules, counting_rules
from core.metrics.measures import Measure, measures_at
from core.metrics.top_of_list import shares_on_top


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
class JudgedLists:
    """The judgements of a dataset under a convention: everything in a measure that does not depend on the scores.

    Build it once to measure many scorings of the same data (a path, all single features).

    Parameters
    ----------
    data : RankingData
    convention : {"standard", "letor3", "letor4"}
    """

    data: RankingData
    convention: Convention

    @cached_property
    def rules(self) -> CountingRules:
        """The rules of the convention."""
        return counting_rules(self.convention)

    @property
    def starts(self) -> IntArray:
        """Row of every query's first document, shape (n_queries,)."""
        return self.data.query_offsets[:-1]

    @cached_property
    def sizes(self) -> IntArray:
        """Number of documents of every query, shape (n_queries,)."""
        return np.diff(self.data.query_offsets)

    @cached_property
    def ranks(self) -> IntArray:
        """The ranks 1, 2, … along every list, shape (n_documents,)."""
        return np.arange(1, self.data.n_documents + 1) - np.repeat(self.starts, self.sizes)

    @cached_property
    def relevant(self) -> FloatArray:
        """1 for documents of relevance 1 or more, else 0, shape (n_documents,)."""
        return (self.data.relevance >= 1).astype(np.float64)

    @cached_property
    def gains(self) -> FloatArray:
        """The gains 2^l − 1 in units of 2^(largest l of the query), shape (n_documents,).

        NDCG does not depend on the unit, and with this one no label, however large, overflows.
        """
        largest = np.maximum.reduceat(self.data.relevance, self.starts)
        top = np.repeat(largest, self.sizes).astype(np.float64)
        return np.asarray(np.exp2(self.data.relevance - top) - np.exp2(-top))

    @cached_property
    def _discounts(self) -> FloatArray:
        return self.rules.discount(self.ranks)

    @cached_property
    def _ideal_dcg(self) -> FloatArray:
        order = descending_order(self.gains, self.data.query_offsets)
        return running_sums(self.gains[order] * self._discounts, self.data.query_offsets)

    def sums_by_query(self, values: FloatArray) -> FloatArray:
        """Sum the values of each query's documents, shape (n_queries,)."""
        return np.asarray(np.add.reduceat(values, self.starts))

    @cached_property
    def n_relevant(self) -> FloatArray:
        """Number of relevant documents of every query, shape (n_queries,)."""
        return self.sums_by_query(self.relevant)

    def ndcg_curve(self, ranked_gains: FloatArray) -> FloatArray:
        """Compute NDCG at every rank of every list; 0 throughout a list without relevant documents.

        Parameters
        ----------
        ranked_gains : ndarray, shape (n_documents,)
            The gains of each query's documents in ranked order.

        Returns
        -------
        ndarray, shape (n_documents,)
        """
        dcg = running_sums(ranked_gains * self._discounts, self.data.query_offsets)
        return np.divide(dcg, self._ideal_dcg, out=np.zeros_like(dcg), where=self._ideal_dcg > 0)

    def at_cutoff(self, curve: FloatArray, cutoff: int, *, needs_full_list: bool) -> FloatArray:
        """Return a curve's value at rank ``cutoff`` of every list, shape (n_queries,).

        A shorter list gives its last value, or 0 where the convention needs a full list.
        """
        last = self.starts + np.minimum(self.sizes, cutoff) - 1
        values = curve[last]
        return np.where(self.sizes < cutoff, 0.0, values) if needs_full_list else values

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


class MeasuredLists(ABC):
    """Base of the lists that measures are read from: two curves along the ranks, and precision at relevant ranks.

    `RankedLists` reads them from one order of the documents, `ExpectedLists` takes their mean over several orders.
    """

    judged: JudgedLists
    scores: FloatArray

    @property
    @abstractmethod
    def hits(self) -> FloatArray:
        """Relevant documents up to every rank, shape (n_documents,)."""

    @property
    @abstractmethod
    def ndcg(self) -> FloatArray:
        """NDCG at every rank, shape (n_documents,)."""

    @property
    @abstractmethod
    def precision_where_relevant(self) -> FloatArray:
        """Precision at every rank with a relevant document, 0 at the others, shape (n_documents,)."""

    def per_query(self, measure: Measure) -> FloatArray:
        """Compute the measure for every query, shape (n_queries,), each in [0, 1].

        A query without relevant documents has 0. MeanNDCG is the mean of NDCG@1, …, NDCG@n over the n ranks of the
        list. The LETOR 4.0 script defines it; the other conventions use the same definition.
        """
        judged, rules = self.judged, self.judged.rules
        match measure:
            case Measure("NDCG", int(k)):
                return judged.at_cutoff(self.ndcg, k, needs_full_list=rules.ndcg_needs_full_list)
            case Measure("P", int(k)):
                return judged.at_cutoff(self.hits, k, needs_full_list=rules.precision_needs_full_list) / k
            case Measure("MeanNDCG"):
                return judged.sums_by_query(self.ndcg) / judged.sizes
            case Measure("Top"):
                return shares_on_top(judged.data.relevance >= 1, judged.data.query_offsets, self.scores)
            case _:
                return judged.sums_by_query(self.precision_where_relevant) / np.maximum(judged.n_relevant, 1)

    def mean(self, measure: Measure) -> float:
        """Average the measure over all queries."""
        return float(self.per_query(measure).mean())

    def summary(self, cutoffs: Iterable[int] = range(1, 11)) -> dict[str, float]:
        """Average MAP, NDCG@k and P@k for every cutoff k, MeanNDCG and Top over queries, by name.

        Raises
        ------
        ValueError
            If a cutoff is below 1.
        """
        return {str(measure): self.mean(measure) for measure in measures_at(cutoffs)}


@dataclass(frozen=True, eq=False)
class RankedLists(MeasuredLists):
    """Judged lists sorted by a scoring; tied documents stand in file order.

    Parameters
    ----------
    judged : JudgedLists
    scores : ndarray of float64, shape (n_documents,)
        In file order.
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query.
    """

    judged: JudgedLists
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

    @cached_property
    def expected(self) -> MeasuredLists:
        """The same lists in expectation over the orders of tied documents; itself where nothing is tied."""
        first = tie_starts(self.scores[self.order], self.judged.data.query_offsets)
        return self if len(first) == len(self.order) else ExpectedLists(self.judged, self.scores, self.order, first)


@dataclass(frozen=True, eq=False)
class ExpectedLists(MeasuredLists):
    """Judged lists in expectation over uniformly random orders of documents with the same score.

    This is the value of a ranking independent of the file's order, computed as by McSherry & Najork (2008). NDCG and
    precision are linear in the document at each rank, so at each rank the mean of the tied documents stands in. Average
    precision is not linear: among n tied documents, m of them relevant, with h relevant documents above them, the p-th
    (from 0) is relevant with probability m / n, and each of the p before it is then relevant with probability (m − 1) /
    (n − 1). The conventions' rules for short lists do not depend on the order. Nor does Top, which counts ties against
    a document.

    Parameters
    ----------
    judged : JudgedLists
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

    judged: JudgedLists
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
