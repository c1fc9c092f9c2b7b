"""Judged lists and ranked lists: what a measure needs before and after the scores are known.

Every measure but Top reads one of two curves along a list: the relevant documents so far, or NDCG, at each rank.
Both are laid out flat, one value a document, query after query; no query is padded to the length of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.by_query import descending_order, running_sums
from core.metrics.conventions import CountingRules, counting_rules
from core.metrics.measures import Measure, measures_at
from core.metrics.top_of_list import shares_on_top


def as_scores(scores: ArrayLike, n_documents: int) -> FloatArray:
    """Scores of all documents as float64, checked.

    Raises
    ------
    ValueError
        If there is not one score a document, or a score is NaN. (Infinite scores do have an order.)
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
    """The judgements of a dataset under a convention: all that does not depend on the scores.

    Build it once where many scorings of the same data are measured (a path, all single features).

    Parameters
    ----------
    data : RankingData
    convention : {"standard", "letor3", "letor4"}
    """

    data: RankingData
    convention: Convention

    @cached_property
    def rules(self) -> CountingRules:
        return counting_rules(self.convention)

    @property
    def starts(self) -> IntArray:
        """Number of every query's first document, shape (n_queries,)."""
        return self.data.query_offsets[:-1]

    @cached_property
    def sizes(self) -> IntArray:
        """Number of documents of every query, shape (n_queries,)."""
        return np.diff(self.data.query_offsets)

    @cached_property
    def ranks(self) -> IntArray:
        """1, 2, … along every list, shape (n_documents,)."""
        return np.arange(1, self.data.n_documents + 1) - np.repeat(self.starts, self.sizes)

    @cached_property
    def relevant(self) -> FloatArray:
        """1 for documents of relevance 1 or more, else 0, shape (n_documents,)."""
        return (self.data.relevance >= 1).astype(np.float64)

    @cached_property
    def gains(self) -> FloatArray:
        """2^l − 1 in units of 2^(largest l of the query), shape (n_documents,).

        NDCG has no unit, and in this one no label, however large, overflows.
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
        """Sum of the values of each query's documents, shape (n_queries,)."""
        return np.asarray(np.add.reduceat(values, self.starts))

    @cached_property
    def n_relevant(self) -> FloatArray:
        """Number of relevant documents of every query, shape (n_queries,)."""
        return self.sums_by_query(self.relevant)

    def ndcg_curve(self, ranked_gains: FloatArray) -> FloatArray:
        """NDCG at every rank of every list; 0 throughout a list without relevant documents.

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
        """A curve's value at rank ``cutoff`` of every list, shape (n_queries,).

        A shorter list gives its last value, or 0 where the convention asks for a full list.
        """
        last = self.starts + np.minimum(self.sizes, cutoff) - 1
        values = curve[last]
        return np.where(self.sizes < cutoff, 0.0, values) if needs_full_list else values

    def rank(self, scores: ArrayLike) -> RankedLists:
        """Put the documents of every query in descending order of score; ties keep file order.

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


@dataclass(frozen=True, eq=False)
class RankedLists:
    """Judged lists in the order of a scoring, ready to be measured.

    Parameters
    ----------
    judged : JudgedLists
    scores : ndarray of float64, shape (n_documents,)
        In file order; their order says nothing of ties.
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query.
    """

    judged: JudgedLists
    scores: FloatArray
    order: IntArray

    @cached_property
    def _hits(self) -> FloatArray:
        """Relevant documents up to every rank."""
        return running_sums(self.judged.relevant[self.order], self.judged.data.query_offsets)

    @cached_property
    def _ndcg(self) -> FloatArray:
        return self.judged.ndcg_curve(self.judged.gains[self.order])

    @cached_property
    def _average_precision(self) -> FloatArray:
        judged = self.judged
        precision_where_relevant = judged.relevant[self.order] * self._hits / judged.ranks
        return judged.sums_by_query(precision_where_relevant) / np.maximum(judged.n_relevant, 1)

    def per_query(self, measure: Measure) -> FloatArray:
        """The measure's value for every query, shape (n_queries,), each in [0, 1].

        A query without relevant documents has 0. MeanNDCG is the mean of NDCG@1, …, NDCG@n over the n ranks
        of the list; the LETOR 4.0 script defined it, and it is given in the other conventions likewise.
        """
        judged, rules = self.judged, self.judged.rules
        match measure:
            case Measure("NDCG", int(k)):
                return judged.at_cutoff(self._ndcg, k, needs_full_list=rules.ndcg_needs_full_list)
            case Measure("P", int(k)):
                return judged.at_cutoff(self._hits, k, needs_full_list=rules.precision_needs_full_list) / k
            case Measure("MeanNDCG"):
                return judged.sums_by_query(self._ndcg) / judged.sizes
            case Measure("Top"):
                return shares_on_top(judged.data.relevance >= 1, judged.data.query_offsets, self.scores)
            case _:
                return self._average_precision

    def mean(self, measure: Measure) -> float:
        """The measure's mean over all queries."""
        return float(self.per_query(measure).mean())

    def summary(self, cutoffs: Iterable[int] = range(1, 11)) -> dict[str, float]:
        """Means over queries of MAP, NDCG@k and P@k for every cutoff k, MeanNDCG and Top, by name.

        Raises
        ------
        ValueError
            If a cutoff is below 1.
        """
        return {str(measure): self.mean(measure) for measure in measures_at(cutoffs)}
