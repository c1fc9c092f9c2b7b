"""Lists that measures are read from.

Every measure but Top is read from a curve along a list: the number of relevant documents so far, NDCG, or the mean of
1/rank where a reader stops, at each rank. All are stored flat, one value a document, query after query, unpadded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np

from core.data.ranking_data import FloatArray, IntArray
from core.metrics import cascade
from core.metrics.judgements import Judgements
from core.metrics.measures import Measure, measures_at
from core.metrics.top_of_list import shares_on_top_ranked


class MeasuredLists(ABC):
    """Base of the lists that measures are read from: curves along the ranks, and precision at relevant ranks.

    `RankedLists` reads them from one order of the documents, `ExpectedLists` takes their mean over several orders.
    """

    judged: Judgements
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

    order: IntArray

    @property
    @abstractmethod
    def tied(self) -> IntArray:
        """The places in ranked order where groups of tied documents begin, shape (n_groups,)."""

    @property
    @abstractmethod
    def _places(self) -> tuple[IntArray, IntArray]:
        """The documents in ranked order, and the places in it where groups of tied documents begin."""

    def reciprocal_ranks(self, stops: FloatArray) -> FloatArray:
        """Compute the mean of 1/rank where a reader stops, as far as every rank, shape (n_documents,).

        Parameters
        ----------
        stops : ndarray of float64, shape (n_documents,)
            The probability that a document stops the reader, in file order.
        """
        order, first = self._places
        offsets = self.judged.data.query_offsets
        return cascade.reciprocal_ranks(cascade.passing(stops[order], first, offsets), self.judged.ranks, offsets)

    def per_query(self, measure: Measure) -> FloatArray:
        """Compute the measure for every query, shape (n_queries,), each in [0, 1].

        A query without relevant documents has 0. In RR, ERR and R a list shorter than k counts as far as it goes, under
        every convention: the official scripts of LETOR do not have them. MeanNDCG is the mean of NDCG@1, …, NDCG@n over
        the n ranks of the list. The LETOR 4.0 script defines it; the other conventions use the same definition.
        """
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
                return self._at(self.reciprocal_ranks(cascade.stops_at_relevant(judged.data.relevance)), None)
            case Measure("ERR", cutoff):
                return self._at(self.reciprocal_ranks(cascade.stops_by_grade(judged.data.relevance)), cutoff)
            case Measure("Top"):
                return shares_on_top_ranked(judged.relevant > 0, judged.data.query_offsets, self.order, self.tied)
            case _:
                return judged.sums_by_query(self.precision_where_relevant) / np.maximum(judged.n_relevant, 1)

    def _at(self, curve: FloatArray, cutoff: int | None) -> FloatArray:
        """Return a curve's value at a rank, or at the end of the list, shape (n_queries,)."""
        last = int(self.judged.sizes.max()) if cutoff is None else cutoff
        return self.judged.at_cutoff(curve, last, needs_full_list=False)

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
        ks = tuple(cutoffs)
        rules = self.judged.rules
        ndcg = self.judged.means_at_cutoffs(self.ndcg, ks, needs_full_list=rules.ndcg_needs_full_list)
        precision = self.judged.means_at_cutoffs(
            self.hits, ks, needs_full_list=rules.precision_needs_full_list, by_cutoff=True
        )
        measures = measures_at(ks)
        at_cutoffs = dict(zip(measures[1 : 1 + 2 * len(ks)], [*ndcg, *precision], strict=True))
        return {
            str(measure): float(at_cutoffs[measure]) if measure in at_cutoffs else self.mean(measure)
            for measure in measures
        }
