"""`RankingData`, the type of all ranking data: documents grouped by query, with graded relevance."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.data.column_ranges import ColumnRanges
from core.data.errors import refuse
from core.data.feature_blocks import blocks_of
from core.threads import cut, over_chunks

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_VALUES_AT_ONCE = 1 << 18
"""Values that are looked at together: what they leave behind stays in the processor's cache."""
_MOST_DECADES = 6.0
_BETWEEN = frozenset("\x1d\x1e\x1f")


@dataclass(frozen=True, eq=False, kw_only=True)
class RankingData:
    """Documents grouped by query, with features and relevance. Immutable.

    Parameters
    ----------
    features : ndarray of float64 (or float32), shape (n_documents, n_features)
        C-contiguous and read-only; finite. Or `FeatureBlocks` in its place, whose home answers for that.
    relevance : ndarray of int32, shape (n_documents,)
        Graded relevance, >= 0. A document is relevant if it is 1 or more.
    query_offsets : ndarray of int64, shape (n_queries + 1,)
        Documents ``query_offsets[q]:query_offsets[q + 1]`` belong to query ``q``.
    query_ids : tuple of str, length n_queries
    feature_names : tuple of str, length n_features
    document_ids : tuple of str, length n_documents, optional

    Raises
    ------
    DataError
        If shapes disagree, a value is not finite, a relevance is negative, or there is no document or feature.
    """

    features: NDArray[np.floating]
    relevance: NDArray[np.int32]
    query_offsets: IntArray
    query_ids: tuple[str, ...]
    feature_names: tuple[str, ...]
    document_ids: tuple[str, ...] | None = None

    @classmethod
    def build(
        cls,
        features: ArrayLike,
        relevance: ArrayLike,
        query_offsets: ArrayLike,
        *,
        query_ids: Sequence[str] | None = None,
        feature_names: Sequence[str] | None = None,
        document_ids: Sequence[str] | None = None,
        dtype: type[np.floating] = np.float64,
    ) -> RankingData:
        """Make ranking data from anything array-like; missing ids and names are generated."""
        given = np.atleast_2d(np.asarray(features))
        with np.errstate(over="ignore"):
            x = np.ascontiguousarray(given, dtype=dtype)
        offsets = np.asarray(query_offsets, dtype=np.int64)
        names = feature_names or unnamed(x.shape[1])
        if x.dtype != given.dtype and not _all_finite(x) and np.isfinite(np.asarray(given, dtype=np.float64)).all():
            row, column = np.argwhere(~np.isfinite(x))[0]
            refuse(
                f"document {row + 1} has {given[row, column]:g} in feature {names[column]!r}, which is too large for "
                f"{x.dtype.name}; use float64"
            )
        ids = query_ids or [str(q) for q in range(1, len(offsets))]
        return cls(
            features=x,
            relevance=np.asarray(relevance, dtype=np.int32),
            query_offsets=offsets,
            query_ids=tuple(ids),
            feature_names=tuple(names),
            document_ids=None if document_ids is None else tuple(document_ids),
        )

    def __post_init__(self) -> None:
        n_documents, n_features = self.features.shape
        offsets = self.query_offsets
        if n_documents == 0 or n_features == 0:
            refuse(f"there is nothing to rank: {n_documents} documents with {n_features} features")
        if self.relevance.shape != (n_documents,):
            refuse(f"{n_documents} documents but {self.relevance.size} relevance labels")
        if len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != n_documents or np.any(np.diff(offsets) <= 0):
            refuse("query offsets must rise strictly from 0 to the number of documents")
        for what, given, wanted in (
            ("query ids", len(self.query_ids), len(offsets) - 1),
            ("feature names", len(self.feature_names), n_features),
            ("document ids", n_documents if self.document_ids is None else len(self.document_ids), n_documents),
        ):
            if given != wanted:
                refuse(f"{given} {what} where {wanted} are needed")
        if int(self.relevance.min()) < 0:
            refuse("relevance must be 0 or more")
        blocks = blocks_of(self.features)
        if blocks is not None:
            if not np.isin(blocks.edges, offsets).all():
                refuse("blocks must begin and end where queries do")
        elif not _all_finite(self.features):
            row, column = np.argwhere(~np.isfinite(self.features))[0]
            refuse(f"document {row + 1} has a value that is not finite in feature {self.feature_names[column]!r}")
        for array in (self.features, self.relevance, self.query_offsets):
            if blocks_of(array) is None:
                array.setflags(write=False)

    @property
    def n_documents(self) -> int:
        """Number of documents over all queries."""
        return int(self.features.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features, d."""
        return int(self.features.shape[1])

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.query_offsets) - 1

    @cached_property
    def query_of_document(self) -> IntArray:
        """Number of the query (from 0) of every document, shape (n_documents,)."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.query_offsets))

    @property
    def value_range(self) -> tuple[float, float]:
        """Lowest and highest value of all features."""
        return float(self.ranges.low.min()), float(self.ranges.high.max())

    @cached_property
    def is_even(self) -> bool:
        """Whether features have ranges of about one size within queries, and no offsets far beyond them."""
        return not (self.ranges.is_wide or self.ranges.has_offsets)

    @cached_property
    def ranges(self) -> ColumnRanges:
        """Ranges of every feature, found in one pass; blocks then know the ends, too."""
        found = ColumnRanges.of(self.features, self.query_offsets)
        if (blocks := blocks_of(self.features)) is not None:
            blocks.know_ends(found.low, found.high)
        return found

    @cached_property
    def n_pairs(self) -> int:
        """P, the number of preference pairs (same query, different relevance); counted without building them."""
        levels = np.unique(self.relevance)
        starts = self.query_offsets[:-1]
        sizes = np.diff(self.query_offsets)
        same = np.zeros(self.n_queries, dtype=np.int64)
        for level in levels:
            same += np.add.reduceat((self.relevance == level).astype(np.int64), starts) ** 2
        return int((sizes**2 - same).sum() // 2)

    @property
    def queries_without_relevant(self) -> int:
        """Number of queries in which no document has a relevance above 0; every measure counts them 0."""
        return int((np.maximum.reduceat(self.relevance, self.query_offsets[:-1]) < 1).sum())

    @property
    def grades_note(self) -> tuple[str, ...]:
        """Say that every document counts as relevant in most of the queries, with ways out; else nothing."""
        lowest = np.minimum.reduceat(self.relevance, self.query_offsets[:-1])
        n = int((lowest >= 1).sum())
        if 2 * n < self.n_queries:
            return ()
        whole = n == self.n_queries
        said = f"Every document counts as relevant (the lowest grade is {lowest.min()})"
        if not whole:
            said = f"In {n:,} of {self.n_queries:,} queries every document counts as relevant"
        said = f"{said}: MAP, P, R, RR and Top are the same {'' if whole else 'there '}for any order"
        levels = np.unique(self.relevance)
        if len(levels) == 1:
            return (f"{said}, and no measure tells models apart, as all grades are alike.",)
        above = levels[levels > 1]
        if not len(above):
            return (f"{said}; they are measured by the other queries alone.",)
        level = next((int(one) for one in above if (self.relevance >= one).mean() <= 0.5), int(above[-1]))
        way = f"from a grade on, as in 'MAP(rel={level})'"
        return (f"{said}; choose by NDCG@10, or on the command line and in notebooks {way}.",)

    @property
    def scale_note(self) -> tuple[str, ...]:
        """Say that features' ranges within queries span more than six decades, and what would help; else nothing."""
        if self.is_even:
            return ()
        within = self.ranges.within.astype(np.float64)
        varying = np.flatnonzero(within > 0.0)
        if not len(varying):
            return ()
        narrow, wide = (varying[int(pick(within[varying]))] for pick in (np.argmin, np.argmax))
        decades = float(np.log10(within[wide]) - np.log10(within[narrow]))
        if decades <= _MOST_DECADES:
            return ()
        return (
            f"Ranges of features within queries span {decades:.0f} decades, from {self.feature_names[narrow]!r} to "
            f"{self.feature_names[wide]!r}, and a penalty prices all weights alike: scale them (--scale standard).",
        )

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of the content, which is the key of every cache."""
        digest = hashlib.sha256()
        for array in (self.features, self.relevance, self.query_offsets):
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            if (blocks := blocks_of(array)) is not None:
                blocks.add_to(digest.update)
            else:
                digest.update(array.data)
        for names in (self.query_ids, self.feature_names, self.document_ids or ()):
            digest.update("\x1f".join(map(_unmistakable, names)).encode())
            digest.update(b"\x1e")
        return digest.hexdigest()

    def with_features(
        self,
        features: ArrayLike,
        feature_names: Sequence[str] | None = None,
        dtype: type[np.floating] | None = None,
    ) -> RankingData:
        """Return the same documents with other features, shape (n_documents, any number)."""
        return RankingData.build(
            features,
            self.relevance,
            self.query_offsets,
            query_ids=self.query_ids,
            feature_names=feature_names or self.feature_names,
            document_ids=self.document_ids,
            dtype=dtype or self.features.dtype.type,
        )

    def rows_of(self, query: int) -> slice:
        """Return the places of the documents of the query with this number (from 0); IndexError if there is none."""
        if not 0 <= query < self.n_queries:
            msg = f"there are {self.n_queries} queries, and none has the number {query}"
            raise IndexError(msg)
        return slice(int(self.query_offsets[query]), int(self.query_offsets[query + 1]))

    def take_queries(self, queries: Sequence[int] | IntArray) -> RankingData:
        """Return the queries with these numbers (from 0), in this order; a number may come more than once."""
        offsets = self.query_offsets
        chosen = np.asarray(queries, dtype=np.int64)
        rows = np.concatenate([np.arange(offsets[q], offsets[q + 1]) for q in chosen])
        sizes = offsets[chosen + 1] - offsets[chosen]
        return self.take_documents(rows, np.concatenate([[0], np.cumsum(sizes)]), [self.query_ids[q] for q in chosen])

    def take_documents(self, rows: IntArray, query_offsets: IntArray, query_ids: Sequence[str]) -> RankingData:
        """Return the documents with these numbers (from 0), in this order, as those of the queries given."""
        return replace(
            self,
            features=self.features[rows],
            relevance=self.relevance[rows],
            query_offsets=query_offsets,
            query_ids=tuple(query_ids),
            document_ids=None if self.document_ids is None else tuple([self.document_ids[row] for row in rows]),
        )


def unnamed(n_features: int) -> tuple[str, ...]:
    """Return the names that features have where nothing names them."""
    return tuple(f"feature {j}" for j in range(1, n_features + 1))


def _all_finite(values: NDArray[np.floating]) -> bool:
    """Whether every value of a matrix is finite."""
    chunks = cut(np.full(len(values), values.shape[1]), _VALUES_AT_ONCE)
    return all(over_chunks(lambda first, last: bool(np.isfinite(values[first:last]).all()), chunks))


def _unmistakable(name: str) -> str:
    """A name without the characters that stand between names, so that no two lists of names are written alike."""
    if not _BETWEEN.intersection(name):
        return name
    return name.replace("\x1d", "\x1d0").replace("\x1e", "\x1d1").replace("\x1f", "\x1d2")
