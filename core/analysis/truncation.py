"""A model cut down to its largest weights, without a refit: how FSMRank's Figs. 1-3 count features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.analysis.evaluation import FloatArray, FoldJudge


@dataclass(frozen=True, eq=False)
class Truncation:
    """A model's k largest weights and what they are worth.

    Attributes
    ----------
    n_features : int
        k.
    weights : ndarray, shape (n_features,)
        All others are 0.
    metrics : dict
        By part and measure.
    """

    n_features: int
    weights: FloatArray
    metrics: dict[str, dict[str, float]]


def truncations(weights: FloatArray, judge: FoldJudge) -> Iterator[Truncation]:
    """The model with its k largest weights, k from 1 to all that are not 0; one after the other.

    Lai et al. (2013, FSMRank, Section IV-D): "sort the features decreasingly by their weights", keep the first k
    "using their associated weights". Sorted by size, since a negative weight says as much; equals in file order.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    judge : FoldJudge
    """
    order = np.argsort(-np.abs(weights), kind="stable")[: np.count_nonzero(weights)]
    kept = np.zeros_like(weights)
    for k, column in enumerate(order, start=1):
        kept[column] = weights[column]
        yield Truncation(k, kept.copy(), judge.metrics(kept))
