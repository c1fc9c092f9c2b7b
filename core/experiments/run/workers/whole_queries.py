"""Which documents move between partitions, so that each query is whole in one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.data.errors import refuse

IntArray = NDArray[np.int64]
Repartition = Literal["boundary", "shuffle", "never"]
REPARTITIONS: tuple[str, ...] = get_args(Repartition)


@dataclass(frozen=True, eq=False)
class Piece:
    """Rows of one partition that are together in a new one."""

    partition: int
    rows: IntArray


@dataclass(frozen=True, eq=False)
class Division:
    """New partitions of whole queries, which stay in the order of their numbers."""

    # What each new partition is made of, before its rows are put in order. No new partition is empty.
    pieces: tuple[tuple[Piece, ...], ...]
    orders: tuple[IntArray, ...]  # the order of its rows: each query's documents together, in their given order
    offsets: IntArray  # shape (n_queries + 1,)
    edges: IntArray  # shape (n_partitions + 1,): first rows of the new partitions, and the number of documents
    # moved_documents, moved_queries: documents that come into another partition, and queries that have such
    moved_documents: int
    moved_queries: int

    @property
    def largest(self) -> tuple[int, int]:
        """Number of the query with the most documents, and how many these are."""
        sizes = np.diff(self.offsets)
        return int(sizes.argmax()), int(sizes.max())


def divide(codes: Sequence[IntArray], names: Sequence[str], how: str) -> Division:
    """Divide documents into partitions of whole queries.

    Parameters
    ----------
    codes : sequence of ndarray of int64
        The query's number of each document, a partition after the other; numbers count from 0 in the order of the
        queries' first documents.
    names : sequence of str
        Of the queries, by number.
    how : {"boundary", "shuffle", "never"}
        Whether only queries that are cut between two partitions move (to the first of the two); or all queries are
        spread evenly; or nothing moves.

    Raises
    ------
    DataError
        If a query is cut that must not be, or is in partitions that are not side by side.
    """
    if how not in REPARTITIONS:
        refuse(f"there is no repartition {how!r}; choose one of {', '.join(REPARTITIONS)}")
    sizes = [len(part) for part in codes]
    all_codes = np.concatenate([np.zeros(0, dtype=np.int64), *codes])
    if not len(all_codes):
        refuse("there is nothing to rank: all partitions are empty")
    of_partition = np.repeat(np.arange(len(codes)), sizes)
    n_documents = np.bincount(all_codes)
    first_row = np.unique(all_codes, return_index=True)[1]
    home = of_partition[first_row]
    if how == "shuffle":
        middle = np.cumsum(n_documents) - n_documents / 2
        home = (middle * len(codes) / len(all_codes)).astype(np.int64)
    elif how == "never":
        cut = np.flatnonzero(home[all_codes] != of_partition)
        if len(cut):
            query = all_codes[cut[0]]
            refuse(
                f"query {names[query]!r} is cut: it has documents in partitions {home[query] + 1} and "
                f"{of_partition[cut[0]] + 1}; repartition='boundary' moves them together"
            )
    else:
        _refuse_apart(codes, names)
    target, moved = home[all_codes], home[all_codes] != of_partition
    row_in_partition = np.arange(len(all_codes)) - np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    pieces, orders, edges = [], [], [0]
    by_target = np.argsort(target, kind="stable")
    bounds = np.searchsorted(target[by_target], np.arange(len(codes) + 1))
    for first, last in pairwise(bounds.tolist()):
        rows = by_target[first:last]
        if not len(rows):
            continue
        starts = np.flatnonzero(np.diff(of_partition[rows], prepend=-1))
        pieces.append(
            tuple(Piece(int(of_partition[some[0]]), row_in_partition[some]) for some in np.split(rows, starts[1:]))
        )
        orders.append(np.argsort(all_codes[rows], kind="stable"))
        edges.append(edges[-1] + len(rows))
    return Division(
        tuple(pieces),
        tuple(orders),
        np.concatenate([[0], np.cumsum(n_documents)]),
        np.array(edges, dtype=np.int64),
        int(moved.sum()),
        len(np.unique(all_codes[moved])),
    )


def _refuse_apart(codes: Sequence[IntArray], names: Sequence[str]) -> None:
    """Raise a `DataError` if a query is in partitions between which another query stands."""
    before: IntArray | None = None
    seen: dict[int, int] = {}
    for number, part in enumerate(codes):
        if not len(part):
            continue
        for query in np.unique(part).tolist():
            continues = before is not None and before[-1] == query and part[0] == query
            if query in seen and not continues:
                refuse(
                    f"the documents of query {names[query]!r} are apart, in partitions {seen[query] + 1} and "
                    f"{number + 1} with other queries between; choose repartition='shuffle'"
                )
            seen[query] = number
        before = part
