"""Truncation of a model to its largest weights, without a refit, as in FSMRank's Figs. 1-3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.evaluation import FloatArray, FoldJudge
from core.methods import Fit, Method, Training, get_method
from core.penalties import L2On

EVERY_SIZE = 64  # up to here every number of features is looked at; above, a twentieth more each time


@dataclass(frozen=True, eq=False)
class SizedModel:
    """A model of at most k features, and its metrics.

    Attributes
    ----------
    n_features : int
        k.
    weights : ndarray, shape (n_features,)
    metrics : dict
        Values by part, then by measure.
    """

    n_features: int
    weights: FloatArray
    metrics: dict[str, dict[str, float]]


def sizes_to_cut(nonzero: int) -> tuple[int, ...]:
    """Return the numbers of features to cut at: every one at first, then ever wider spaced, up to all non-zero ones."""
    sizes, k = [], 1
    while k < nonzero:
        sizes.append(k)
        k += 1 if k < EVERY_SIZE else k // 20
    return (*sizes, nonzero) if nonzero > 0 else ()


def truncations(weights: FloatArray, judge: FoldJudge) -> Iterator[SizedModel]:
    """Yield the model with its k largest absolute weights for each k of `sizes_to_cut`; all other weights are 0.

    Lai et al. (2013, FSMRank, Section IV-D): "sort the features decreasingly by their weights", keep the first k "using
    their associated weights". Weights are sorted by absolute value, because a negative weight matters as much; equal
    ones in file order.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    judge : FoldJudge
    """
    order = np.argsort(-np.abs(weights), kind="stable")
    for k in sizes_to_cut(int(np.count_nonzero(weights))):
        kept = np.zeros_like(weights)
        kept[order[:k]] = weights[order[:k]]
        yield SizedModel(k, kept, judge.metrics(kept))


def is_filter(method: Method) -> bool:
    """Tell whether a method selects a given number of features before it fits, so that other numbers are quick fits."""
    return isinstance(method.make_penalty(method.settings(), 1.0), L2On)


def refits(fit: Fit, training: Training, judge: FoldJudge, sizes: Sequence[int]) -> Iterator[SizedModel]:
    """Yield a filter's model at the same lambda with k features, for each k: the other curves of Figs. 1-3.

    Parameters
    ----------
    fit : Fit
        A fit of a filter (see `is_filter`).
    training : Training
        The training data of the fit.
    judge : FoldJudge
    sizes : sequence of int
    """
    method = get_method(fit.method)
    count = next(parameter.name for parameter in method.parameters if parameter.counts)
    for k in sizes:
        settings = {**fit.parameters, count: float(k)}
        weights = method.fit(training, fit.lam, solver=fit.solver, parameters=settings).weights
        yield SizedModel(k, weights, judge.metrics(weights))
