"""Measures of a ranking in one call, and of a model's sparsity."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.data import Convention, RankingData
from core.metrics.ranked_lists import JudgedLists


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

    Raises a `ValueError` if the number of scores is not that of the documents, a score is NaN, a cutoff is below 1, or
    there is no such convention.

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
    """
    return JudgedLists(data, convention).rank(scores).official.summary(cutoffs)


def usable_features(data: RankingData) -> NDArray[np.bool_]:
    """Mark the features that are non-zero for some document, shape (n_features,)."""
    return np.asarray(data.features.any(axis=0))


def sparsity_ratio(weights: ArrayLike, usable: ArrayLike) -> float:
    """Compute the share of usable features with a non-zero weight; smaller is sparser.

    Raises a `ValueError` if the two have different lengths.

    Parameters
    ----------
    weights : array-like, shape (n_features,)
    usable : array-like of bool, shape (n_features,)
        From `usable_features` of the training data. A feature that is zero everywhere cannot matter and is counted in
        neither numerator nor denominator.

    Returns
    -------
    float
        In [0, 1]; 0 where no feature is usable.

    References
    ----------
    Laporte et al., Nonconvex Regularizations for Feature Selection in Ranking With Sparse SVM, TNNLS 2014,
    §V-B.
    """
    used, can_be_used = np.asarray(weights) != 0, np.asarray(usable, dtype=bool)
    if used.shape != can_be_used.shape or used.ndim != 1:
        msg = f"weights of shape {used.shape} do not belong to features of shape {can_be_used.shape}"
        raise ValueError(msg)
    return float((used & can_be_used).sum() / max(can_be_used.sum(), 1))
