"""Functions that compute measures from data and scores in one call."""

from __future__ import annotations

from collections.abc import Iterable

from numpy.typing import ArrayLike

from core.data import Convention, RankingData
from core.data.ranking_data import FloatArray
from core.metrics.measures import Measure
from core.metrics.ranked_lists import JudgedLists, as_scores
from core.metrics.top_of_list import shares_on_top


def evaluate_ranking(
    data: RankingData,
    scores: ArrayLike,
    convention: Convention,
    *,
    cutoffs: Iterable[int] = range(1, 11),
) -> dict[str, float]:
    """Measure the ranking of every query by descending score, as tables print it.

    Tied documents count in expectation over their orders under the standard convention, and keep file order under
    LETOR's, as its official scripts have it. Ties count against Top.

    Parameters
    ----------
    scores : array-like, shape (n_documents,)
    convention : {"standard", "letor3", "letor4"}
        Rules for short lists and discounts; see `describe_convention`.
    cutoffs : iterable of int
        The ranks k of NDCG@k and P@k, each at least 1.

    Returns
    -------
    dict of str to float
        ``MAP``, ``NDCG@k`` and ``P@k`` for every cutoff, ``MeanNDCG``, ``Top``; means over all queries, in [0, 1].

    Raises
    ------
    ValueError
        If the number of scores is not that of the documents, a score is NaN, a cutoff is below 1, or there is no such
        convention.
    """
    return JudgedLists(data, convention).rank(scores).official.summary(cutoffs)


def per_query(data: RankingData, scores: ArrayLike, measure: str, convention: Convention) -> FloatArray:
    """Compute a measure for every query over the orders of tied documents, as significance tests need it.

    Parameters
    ----------
    scores : array-like, shape (n_documents,)
    measure : str
        ``"MAP"`` (average precision of each query), ``"NDCG@10"``, ``"P@5"``, ``"MeanNDCG"``, ``"Top"``, …

    Returns
    -------
    ndarray of float64, shape (n_queries,)

    Raises
    ------
    ValueError
        If the number of scores is not that of the documents, a score is NaN, or there is no such measure or convention.
    """
    return JudgedLists(data, convention).rank(scores).per_query(Measure.parse(measure))


def top_rate(data: RankingData, scores: ArrayLike) -> float:
    """Compute the share of a query's positives that score strictly above all its negatives, averaged over queries.

    This is the measure Top of `evaluate_ranking`, computed alone; see `shares_on_top`.

    Parameters
    ----------
    scores : array-like, shape (n_documents,)

    Raises
    ------
    ValueError
        If there is not one score a document, or a score is NaN.
    """
    checked = as_scores(scores, data.n_documents)
    return float(shares_on_top(data.relevance >= 1, data.query_offsets, checked).mean())
