"""The sparsity ratio: the share of usable features to which a model gives a weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.data import RankingData


def usable_features(data: RankingData) -> NDArray[np.bool_]:
    """Mark the features that are non-zero for some document, shape (n_features,)."""
    return np.asarray(data.features.any(axis=0))


def sparsity_ratio(weights: ArrayLike, usable: ArrayLike) -> float:
    """Compute the share of usable features with a non-zero weight; smaller is sparser.

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

    Raises
    ------
    ValueError
        If the two have different lengths.

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
