"""Views of regularization paths: by model size, at one lambda, and by importance of features over several paths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.path import PathPoint

FloatArray = NDArray[np.float64]


def weights_along(points: Sequence[PathPoint]) -> FloatArray:
    """Return all weights of a path, shape (n_points, n_features).

    Raises
    ------
    ValueError
        If there is no point.
    """
    if not points:
        msg = "a path without points has no weights"
        raise ValueError(msg)
    return np.array([point.fit.weights for point in points])


def ratio_of(point: PathPoint) -> float:
    """Return lambda / lambda_max, in (0, 1] on a path."""
    return point.fit.lam / point.fit.lam_max


def nearest_point(points: Sequence[PathPoint], lam: float) -> PathPoint:
    """Return the point whose lambda is nearest in log to ``lam`` > 0; of two equally near ones the sparser.

    Raises
    ------
    ValueError
        If there is no point.
    """
    if not points:
        msg = "a path without points has no nearest one"
        raise ValueError(msg)
    return min(points, key=lambda point: (abs(np.log(point.fit.lam) - np.log(lam)), -point.fit.lam))


def by_size(points: Sequence[PathPoint]) -> list[PathPoint]:
    """Return one model for every number of features on the path, smallest first.

    If a path reaches a size several times, the model with the smallest lambda represents it: of equally many features
    it is shrunk the least.
    """
    smallest_lam: dict[int, PathPoint] = {}
    for point in sorted(points, key=lambda point: -point.fit.lam):
        smallest_lam[point.fit.result.nonzero] = point
    return [smallest_lam[size] for size in sorted(smallest_lam)]


def importance(paths: Sequence[Sequence[PathPoint]]) -> FloatArray:
    """Compute the importance of each feature over several paths, shape (n_features,).

    It is the mean absolute weight along a path, so that entering early counts as well as growing large. Every path is
    first scaled to a largest mean of 1, so that a penalty that shrinks more has the same influence.

    Raises
    ------
    ValueError
        If there is no path, or one without points.
    """
    if not paths:
        msg = "there is no path to weigh features on"
        raise ValueError(msg)
    means = np.array([np.abs(weights_along(points)).mean(axis=0) for points in paths])
    largest = means.max(axis=1, keepdims=True)
    return np.asarray((means / np.where(largest > 0.0, largest, 1.0)).sum(axis=0))


def most_important(paths: Sequence[Sequence[PathPoint]], most: int) -> list[int]:
    """Return the columns (from 0) of at most ``most`` features that enter any path, most important first."""
    values = importance(paths)
    order = np.argsort(-values, kind="stable")[:most]
    return [int(j) for j in order if values[j] > 0.0]


def telling_part(point: PathPoint) -> str:
    """The part that says most about new queries: test, else validation, else training."""
    return next(part for part in ("test", "vali", "train") if part in point.metrics)
