"""The judgements of a dataset under a convention: everything in a measure that is known before the scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray, IntArray
from core.metrics.by_query import descending_order, running_sums
from core.metrics.conventions import CountingRules, counting_rules


@dataclass(frozen=True, eq=False)
class Judgements:
    """The judgements of a dataset under a convention: everything in a measure that does not depend on the scores.

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

    def from_level(self, rel: int) -> Judgements:
        """Return the same lists with documents of this grade or more as the relevant ones."""
        known = self._levels.get(rel)
        if known is None:
            data = replace(self.data, relevance=(self.data.relevance >= rel).astype(np.int32))
            known = self._levels[rel] = Judgements(data, self.convention)
        return known

    @cached_property
    def _levels(self) -> dict[int, Judgements]:
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
    def _ideal_dcg(self) -> FloatArray:
        order = descending_order(self.gains, self.data.query_offsets)
        return running_sums(self.gains[order] * self.discounts, self.data.query_offsets)

    def sums_by_query(self, values: FloatArray) -> FloatArray:
        """Sum the values of each query's documents, shape (n_queries,)."""
        return np.asarray(np.add.reduceat(values, self.starts))

    @cached_property
    def n_relevant(self) -> FloatArray:
        """Number of relevant documents of every query, shape (n_queries,)."""
        return self.sums_by_query(self.relevant)

    def ndcg_curve(self, dcg: FloatArray) -> FloatArray:
        """Divide DCG at every rank by that of the ideal list, shape (n_documents,); 0 where that is 0."""
        return np.divide(dcg, self._ideal_dcg, out=np.zeros_like(dcg), where=self._ideal_dcg > 0)

    def at_cutoff(self, curve: FloatArray, cutoff: int, *, needs_full_list: bool) -> FloatArray:
        """Return a curve's value at rank ``cutoff`` of every list, shape (n_queries,).

        A shorter list gives its last value, or 0 where the convention needs a full list.
        """
        last = self.starts + np.minimum(self.sizes, cutoff) - 1
        values = curve[last]
        return np.where(self.sizes < cutoff, 0.0, values) if needs_full_list else values

    def means_at_cutoffs(
        self, curve: FloatArray, cutoffs: tuple[int, ...], *, needs_full_list: bool, by_cutoff: bool = False
    ) -> FloatArray:
        """Average what `at_cutoff` gives over the queries, for several cutoffs at once, shape (n_cutoffs,).

        ``by_cutoff`` divides it by the cutoff first.
        """
        values, ks = curve[self._last(cutoffs)], np.array(cutoffs)[:, None]
        if needs_full_list:
            values[self.sizes < ks] = 0.0
        return np.asarray((values / ks if by_cutoff else values).mean(axis=1))

    def _last(self, cutoffs: tuple[int, ...]) -> IntArray:
        """The rows of the documents at several cutoffs, or at the ends of shorter lists, (n_cutoffs, n_queries)."""
        known = self._last_rows.get(cutoffs)
        if known is None:
            shown = np.minimum(self.sizes, np.array(cutoffs)[:, None])
            known = self._last_rows[cutoffs] = self.starts + shown - 1
        return known

    @cached_property
    def _last_rows(self) -> dict[tuple[int, ...], IntArray]:
        return {}
