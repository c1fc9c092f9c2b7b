"""The size of a dataset in the numbers of papers, the quality of the order of its file, and the rows of a query."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.data import Convention, RankingData
from core.data.ranking_data import IntArray
from core.metrics import JudgedLists, Measure
from core.metrics.feature_scores import varying_within_queries


@dataclass(frozen=True)
class DatasetCard:
    """A row of Table III, and further numbers that decide whether a ranking can be learned from the data.

    Parameters
    ----------
    n_features, n_queries, n_documents : int
        A document counts once for every query it belongs to.
    n_pairs : int
        Preference pairs: same query, different relevance.
    documents_per_query, relevant_per_query : float
        Means over all queries; relevant means a relevance of 1 or more.
    smallest_query, largest_query : int
        Fewest and most documents of a query.
    levels : tuple of (int, int)
        Every relevance level that occurs, ascending, with its number of documents.
    queries_without_pairs : int
        Queries whose documents all have the same relevance; a ranking loss learns nothing from them.
    queries_without_relevant : int
        Queries without any relevant document; their MAP and NDCG are 0 under every ranking.
    zero_features, constant_features : tuple of int
        Features that are 0, or another constant, in every document; counted from 1 as in LETOR files.
    level_features : tuple of int
        Features that are constant within every query but differ between queries; they cannot rank either.

    References
    ----------
    Laporte et al., Nonconvex Regularizations for Feature Selection in Ranking With Sparse SVM, TNNLS 2014,
    Table III and Section V-B.
    """

    n_features: int
    n_queries: int
    n_documents: int
    n_pairs: int
    documents_per_query: float
    relevant_per_query: float
    smallest_query: int
    largest_query: int
    levels: tuple[tuple[int, int], ...]
    queries_without_pairs: int
    queries_without_relevant: int
    zero_features: tuple[int, ...]
    constant_features: tuple[int, ...]
    level_features: tuple[int, ...]

    @property
    def n_usable(self) -> int:
        """Number of features that are not zero everywhere; a sparsity ratio is a share of them."""
        return self.n_features - len(self.zero_features)

    @property
    def n_telling(self) -> int:
        """Number of features that differ between documents of at least one query; a linear model can use no others."""
        return self.n_usable - len(self.constant_features) - len(self.level_features)


def dataset_card(*parts: RankingData) -> DatasetCard:
    """Make the card of one part of a fold, or of several parts together.

    Raises a `ValueError` if there is no part, or they have different numbers of features.

    Parameters
    ----------
    *parts : RankingData
        At least one part. All have the same features, and no two share a query.
    """
    widths = {data.n_features for data in parts}
    if len(widths) != 1:
        msg = f"a card is made of parts with the same features, not of {len(parts)} parts with {sorted(widths)}"
        raise ValueError(msg)
    relevance = np.concatenate([data.relevance for data in parts])
    sizes = np.concatenate([np.diff(data.query_offsets) for data in parts])
    lowest, highest = np.concatenate([_relevance_ranges(data) for data in parts], axis=1)
    lows = np.min([data.features.min(axis=0) for data in parts], axis=0)
    highs = np.max([data.features.max(axis=0) for data in parts], axis=0)
    flat = lows == highs
    level = np.all([~varying_within_queries(data) for data in parts], axis=0)
    grades, counts = np.unique(relevance, return_counts=True)
    return DatasetCard(
        n_features=widths.pop(),
        n_queries=len(sizes),
        n_documents=len(relevance),
        n_pairs=sum(data.n_pairs for data in parts),
        documents_per_query=float(sizes.mean()),
        relevant_per_query=float((relevance >= 1).sum() / len(sizes)),
        smallest_query=int(sizes.min()),
        largest_query=int(sizes.max()),
        levels=tuple(zip(grades.tolist(), counts.tolist(), strict=True)),
        queries_without_pairs=int((lowest == highest).sum()),
        queries_without_relevant=int((highest < 1).sum()),
        zero_features=_numbers(flat & (lows == 0)),
        constant_features=_numbers(flat & (lows != 0)),
        level_features=_numbers(level & ~flat),
    )


def _relevance_ranges(data: RankingData) -> NDArray[np.int32]:
    """Compute the lowest and the highest relevance of every query, shape (2, n_queries)."""
    starts = data.query_offsets[:-1]
    return np.stack([np.minimum.reduceat(data.relevance, starts), np.maximum.reduceat(data.relevance, starts)])


def _numbers(chosen: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple((np.flatnonzero(chosen) + 1).tolist())


@dataclass(frozen=True)
class FileOrder:
    """A measure of the file's own order, beside its expectation over all orders.

    Attributes
    ----------
    file : float
        What tables print for a constant score: under LETOR's conventions the measure of the order of the file, as the
        official scripts count; under the standard one the mean over all orders.
    expected : float
        The exact mean over all orders of the documents.
    """

    measure: str
    file: float
    expected: float


def file_order(data: RankingData, convention: Convention, measure: str) -> FileOrder:
    """Measure the order of the file.

    Raises a `ValueError` if there is no such measure or convention.

    Parameters
    ----------
    measure : str
        ``"MAP"``, ``"NDCG@10"``, ...
    """
    wanted = Measure.parse(measure)
    alike = JudgedLists(data, convention).rank(np.zeros(data.n_documents))
    return FileOrder(str(wanted), alike.official.mean(wanted), alike.mean(wanted))


@dataclass(frozen=True, eq=False)
class QueryRows:
    """The raw rows of a query in descending order of relevance; ties in the order of the file.

    Parameters
    ----------
    n_documents, n_relevant : int
        Counts over the whole query, even if only its first rows are here.
    places : ndarray of int64, shape (n_rows,)
        Position of every row in the file's order of the query, from 0.
    relevance : ndarray of int32, shape (n_rows,)
    features : ndarray, shape (n_rows, n_features)
    document_ids : tuple of str, length n_rows, optional
    """

    query_id: str
    n_documents: int
    n_relevant: int
    places: IntArray
    relevance: NDArray[np.int32]
    features: NDArray[np.floating]
    document_ids: tuple[str, ...] | None


def query_rows(data: RankingData, query: int, *, most: int | None = None) -> QueryRows:
    """Return the rows of the query with this number (from 0), or the ``most`` first of them.

    Raises an `IndexError` if there is no such query.
    """
    rows = data.rows_of(query)
    relevance = data.relevance[rows]
    places = np.argsort(-relevance, kind="stable")[:most]
    ids = data.document_ids
    return QueryRows(
        query_id=data.query_ids[query],
        n_documents=len(relevance),
        n_relevant=int((relevance >= 1).sum()),
        places=places,
        relevance=relevance[places],
        features=data.features[rows][places],
        document_ids=None if ids is None else tuple(ids[rows.start + place] for place in places),
    )
