"""Documents sorted by query and relevance: preference pairs follow from the groups and are never built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data import DataError
from core.data.ranking_data import IntArray
from core.threads import cut

CHUNK_DOCUMENTS = 1024


@dataclass(frozen=True, eq=False)
class PairGroups:
    """Groups of equally relevant documents of a query, the most relevant first; each is preferred to all later ones.

    Queries whose documents all have the same relevance have no preference pairs and are left out.

    Attributes
    ----------
    order : ndarray of int64, shape (n_paired_documents,)
        Row of the document at each position.
    group_start : ndarray of int64, shape (n_groups + 1,)
        Position in ``order`` at which each group starts.
    query_group : ndarray of int64, shape (n_paired_queries + 1,)
        First group of each query.
    n_pairs : int
        P, the number of preference pairs.
    """

    order: IntArray
    group_start: IntArray
    query_group: IntArray
    n_pairs: int

    @classmethod
    def to_learn_from(cls, relevance: NDArray[np.integer], query_offsets: IntArray) -> PairGroups:
        """Group documents as `of` does, and refuse data without preference pairs.

        Raises a `DataError` if no query has documents of different relevance.
        """
        groups = cls.of(relevance, query_offsets)
        if groups.n_pairs == 0:
            msg = (
                "no query has documents of different relevance, so there are no preference pairs to learn from; "
                "check the relevance labels"
            )
            raise DataError(msg)
        return groups

    @classmethod
    def of(cls, relevance: NDArray[np.integer], query_offsets: IntArray) -> PairGroups:
        """Group documents by query and relevance.

        Parameters
        ----------
        relevance : ndarray of int, shape (n_documents,)
        query_offsets : ndarray of int64, shape (n_queries + 1,)
        """
        sizes = np.diff(query_offsets)
        lowest, highest = int(relevance.min(initial=0)), int(relevance.max(initial=0))
        levels = highest - lowest + 1
        narrow = levels * len(sizes) <= np.iinfo(np.int32).max
        number = np.dtype(np.int32 if narrow else np.int64)  # half of the bytes to sort, where they suffice
        first_group = (np.arange(len(sizes), dtype=np.int64) * levels).astype(number)
        group = np.repeat(first_group, sizes) + (highest - relevance.astype(np.int64)).astype(number)
        order = np.argsort(group, kind="stable")
        first = np.flatnonzero(np.diff(group[order], prepend=-1))
        query = np.searchsorted(query_offsets, first, side="right") - 1
        group_size = np.diff(first, append=len(order))
        groups_of_query = np.bincount(query, minlength=len(sizes))
        paired = groups_of_query > 1

        if not paired.all():
            order, group_size = order[np.repeat(paired, sizes)], group_size[paired[query]]
        group_start = np.concatenate([[0], np.cumsum(group_size)])
        query_group = np.concatenate([[0], np.cumsum(groups_of_query[paired])])
        n_pairs = int((sizes[paired] ** 2).sum() - (group_size**2).sum()) // 2
        return cls(order, group_start.astype(np.int64), query_group.astype(np.int64), n_pairs)

    def __getstate__(self) -> dict[str, Any]:
        """Travel with half of the bytes, where the rows can be counted so."""
        narrow = self.order.astype(np.int32) if self.order.max(initial=0) <= np.iinfo(np.int32).max else self.order
        own = {name: value for name, value in vars(self).items() if name in self.__dataclass_fields__}
        return own | {"order": narrow}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, order=state["order"].astype(np.int64))

    def within(self, first: int, last: int) -> PairGroups:
        """Return the groups of the rows from ``first`` to ``last``, counted from ``first``; no query may be cut."""
        begin, end = (int(np.searchsorted(self.query_rows, row)) for row in (first, last))
        groups = self.query_group[begin : end + 1]
        edges = self.group_start[groups[0] : groups[-1] + 1]
        order = self.order[edges[0] : edges[-1]] - first
        return PairGroups(order, edges - edges[0], groups - groups[0], 0)

    @cached_property
    def chunks(self) -> list[tuple[int, int]]:
        """Ranges of queries with about 1,024 documents: rows of a few features then stay in the processor's cache."""
        return cut(self.query_sizes, CHUNK_DOCUMENTS)

    @cached_property
    def query_rows(self) -> IntArray:
        """First row of every query that has pairs: they come in the order of the rows."""
        starts = self.group_start[self.query_group[:-1]]
        return np.minimum.reduceat(self.order, starts) if len(starts) else starts

    @property
    def query_sizes(self) -> IntArray:
        """Number of documents of every query that has pairs, shape (n_paired_queries,)."""
        return np.diff(self.group_start[self.query_group])
