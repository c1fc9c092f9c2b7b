"""Ranked lists, from which measures are read, in expectation over the orders of tied documents.

Every measure but Top is read from a curve along a list: the number of relevant documents so far, NDCG, or the mean of
1/rank where a reader stops, at each rank. All are stored flat, one value a document, query after query, unpadded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.by_query import (
    descending_order,
    list_curves,
    reciprocal_ranks,
    shares_on_top,
    stops_by_grade,
    tie_starts,
)
from core.metrics.conventions import CountingRules, counting_rules
from core.metrics.measures import Measure, measures_at


@dataclass(frozen=True, eq=False)
class JudgedLists:
    """The judgements of a dataset under a convention, to rank by: all in a measure that does not depend on the scores.

    Build it once to measure many scorings of the same data (a path, all single features).
    """

    data: RankingData
    convention: Convention

    def rank(self, scores: ArrayLike) -> RankedLists:
        """Sort the documents of every query by descending score, to be measured over the orders of tied documents.

        `RankedLists.official` of it counts as the official script of the convention.

        Raises a `ValueError` if there is not one score a document, or a score is NaN.

        Parameters
        ----------
        scores : array-like, shape (n_documents,)
        """
        s, offsets = as_scores(scores, self.data.n_documents), self.data.query_offsets
        order = descending_order(s, offsets)
        return RankedLists(self, s, order, tie_starts(s[order], offsets))

    @cached_property
    def rules(self) -> CountingRules:
        """The rules of the convention."""
        return counting_rules(self.convention)

    def from_level(self, rel: int) -> JudgedLists:
        """Return the same lists with documents of this grade or more as the relevant ones."""
        known = self._levels.get(rel)
        if known is None:
            data = replace(self.data, relevance=(self.data.relevance >= rel).astype(np.int32))
            known = self._levels[rel] = JudgedLists(data, self.convention)
        return known

    @cached_property
    def _levels(self) -> dict[int, JudgedLists]:
        return {}

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
    def discounts(self) -> FloatArray:
        """The convention's discount of every rank, shape (n_documents,)."""
        return self.rules.discount(self.ranks)

    @cached_property
    def ideal_dcg(self) -> FloatArray:
        """DCG up to every rank of the ideal list, shape (n_documents,)."""
        order = descending_order(self.gains, self.data.query_offsets)
        return list_curves(self.gains, self.relevant, self.discounts, order, np.arange(len(order)), self.starts)[1]

    def sums_by_query(self, values: FloatArray) -> FloatArray:
        """Sum the values of each query's documents, shape (n_queries,)."""
        return np.asarray(np.add.reduceat(values, self.starts))

    @cached_property
    def n_relevant(self) -> FloatArray:
        """Number of relevant documents of every query, shape (n_queries,)."""
        return self.sums_by_query(self.relevant)

    def at_cutoff(self, curve: FloatArray, cutoff: int, *, needs_full_list: bool) -> FloatArray:
        """Return a curve's value at rank ``cutoff`` of every list, shape (n_queries,).

        A shorter list gives its last value, or 0 where the convention needs a full list.
        """
        last = self.starts + np.minimum(self.sizes, cutoff) - 1
        values = curve[last]
        return np.where(self.sizes < cutoff, 0.0, values) if needs_full_list else values


@dataclass(frozen=True, eq=False)
class RankedLists:
    """Judged lists sorted by a scoring, in expectation over uniformly random orders of documents with the same score.

    This is the value of a ranking independent of the file's order, computed as by McSherry & Najork (2008). NDCG and
    precision are linear in the document at each rank, so at each rank the mean of the tied documents stands in. Average
    precision is not linear: among n tied documents, m of them relevant, with h relevant documents above them, the p-th
    (from 0) is relevant with probability m / n, and each of the p before it is then relevant with probability (m − 1) /
    (n − 1). `core.metrics.by_query.reciprocal_ranks` has the rule for RR and ERR. The conventions' rules for short
    lists do not depend on the order. Nor does Top, which counts ties against a document.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_documents,)
        In file order.
    order : ndarray of int64, shape (n_documents,)
        The documents in ranked order, query by query; tied ones in file order.
    tied : ndarray of int64, shape (n_groups,)
        The places in that order where groups of tied documents begin, ascending; from `tie_starts`.
    in_file_order : bool
        Whether tied documents keep file order instead.

    References
    ----------
    McSherry & Najork, Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied Scores,
    ECIR 2008.
    """

    judged: JudgedLists
    scores: FloatArray
    order: IntArray
    tied: IntArray
    in_file_order: bool = False

    @cached_property
    def official(self) -> RankedLists:
        """The same lists as the convention's official script counts: tied documents keep file order if there is one."""
        if self.judged.rules.keeps_file_order and len(self._groups) < len(self.order):
            return replace(self, in_file_order=True)
        return self

    @cached_property
    def _groups(self) -> IntArray:
        """Where groups of documents begin over whose orders is averaged; in file order each stands alone."""
        return np.arange(len(self.order)) if self.in_file_order else self.tied

    @cached_property
    def _curves(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        judged = self.judged
        return list_curves(judged.gains, judged.relevant, judged.discounts, self.order, self._groups, judged.starts)

    @property
    def hits(self) -> FloatArray:
        """Expected number of relevant documents up to every rank, shape (n_documents,)."""
        return self._curves[0]

    @cached_property
    def ndcg(self) -> FloatArray:
        """Expected NDCG at every rank, shape (n_documents,); 0 throughout a list without relevant documents."""
        ideal, dcg = self.judged.ideal_dcg, self._curves[1]
        return np.divide(dcg, ideal, out=np.zeros_like(dcg), where=ideal > 0)

    @property
    def summed_precision(self) -> FloatArray:
        """Expected sum of the precision at every rank whose document is relevant, shape (n_queries,)."""
        return self._curves[2]

    def reciprocal_ranks(self, stops: FloatArray) -> FloatArray:
        """Compute the mean of 1/rank where a reader stops, as far as every rank, shape (n_documents,).

        Parameters
        ----------
        stops : ndarray of float64, shape (n_documents,)
            The probability that a document stops the reader, in file order.
        """
        return reciprocal_ranks(stops[self.order], self._groups, self.judged.data.query_offsets)

    def per_query(self, measure: Measure) -> FloatArray:
        """Compute the measure for every query, shape (n_queries,), each in [0, 1].

        A query without relevant documents has 0. In RR, ERR and R a list shorter than k counts as far as it goes, under
        every convention: the official scripts of LETOR do not have them. MeanNDCG is the mean of NDCG@1, …, NDCG@n over
        the n ranks of the list. The LETOR 4.0 script defines it; the other conventions use the same definition.
        """
        if measure.rel > 1:
            return replace(self, judged=self.judged.from_level(measure.rel)).per_query(replace(measure, rel=1))
        judged, rules = self.judged, self.judged.rules
        match measure:
            case Measure("NDCG", int(k)):
                return judged.at_cutoff(self.ndcg, k, needs_full_list=rules.ndcg_needs_full_list)
            case Measure("P", int(k)):
                return judged.at_cutoff(self.hits, k, needs_full_list=rules.precision_needs_full_list) / k
            case Measure("MeanNDCG"):
                return judged.sums_by_query(self.ndcg) / judged.sizes
            case Measure("R", int(k)):
                found = judged.at_cutoff(self.hits, k, needs_full_list=False)
                return found / np.maximum(judged.n_relevant, 1)
            case Measure("RR"):
                return self._at(self.reciprocal_ranks(judged.relevant), None)
            case Measure("ERR", cutoff):
                return self._at(self.reciprocal_ranks(stops_by_grade(judged.data.relevance)), cutoff)
            case Measure("Top"):
                return shares_on_top(judged.relevant > 0, judged.data.query_offsets, self.order, self.tied)
            case _:
                return self.summed_precision / np.maximum(judged.n_relevant, 1)

    def _at(self, curve: FloatArray, cutoff: int | None) -> FloatArray:
        """Return a curve's value at a rank, or at the end of the list, shape (n_queries,)."""
        last = int(self.judged.sizes.max()) if cutoff is None else cutoff
        return self.judged.at_cutoff(curve, last, needs_full_list=False)

    def mean(self, measure: Measure) -> float:
        """Average the measure over all queries."""
        return float(self.per_query(measure).mean())

    def summary(self, cutoffs: Iterable[int] = range(1, 11)) -> dict[str, float]:
        """Average MAP, NDCG@k and P@k for every cutoff k, MeanNDCG and Top over queries, by name.

        Raises a `ValueError` if a cutoff is below 1.
        """
        return {str(measure): self.mean(measure) for measure in measures_at(cutoffs)}


def as_scores(scores: ArrayLike, n_documents: int) -> FloatArray:
    """Check the scores of all documents and return them as float64.

    Raises a `ValueError` if the number of scores is not that of the documents, or a score is NaN; an infinite one is
    allowed.
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
