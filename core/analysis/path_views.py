"""Views of paths: by size, at one lambda, by entry and importance."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.evaluation import FloatArray
from core.analysis.path import PathPoint


def weights_along(points: Sequence[PathPoint]) -> FloatArray:
    """Return all weights of a path, shape (n_points, n_features)."""
    return np.array([point.fit.weights for point in points])


def ratio_of(point: PathPoint) -> float:
    """Return lambda / lambda_max, in (0, 1] on a path."""
    return point.fit.lam / point.fit.lam_max


def nearest_point(points: Sequence[PathPoint], lam: float) -> PathPoint:
    """Return the point whose lambda is nearest in log to ``lam`` > 0; of two equally near ones the sparser."""
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
    first scaled to a largest mean of 1, so that a penalty that shrinks more has the same influence. There is at least
    one path, and each has points.
    """
    means = np.array([np.abs(weights_along(points)).mean(axis=0) for points in paths])
    largest = means.max(axis=1, keepdims=True)
    return np.asarray((means / np.where(largest > 0.0, largest, 1.0)).sum(axis=0))


def most_important(paths: Sequence[Sequence[PathPoint]], most: int) -> list[int]:
    """Return the columns (from 0) of at most ``most`` features that enter any path, most important first."""
    values = importance(paths)
    order = np.argsort(-values, kind="stable")[:most]
    return [int(j) for j in order if values[j] > 0.0]


def telling_part(parts: Container[str]) -> str:
    """The part that says most about new queries: test, else validation, else training."""
    return next(part for part in ("test", "vali", "train") if part in parts)


def with_as_many_features(points: Sequence[PathPoint], n_features: int) -> PathPoint:
    """Return the model of a path whose number of features is nearest to ``n_features``.

    Of two equally near sizes the smaller wins; of equal sizes the model with the largest C, which is shrunk the least.
    """

    def distance(point: PathPoint) -> tuple[int, int, float]:
        nonzero = point.fit.result.nonzero
        return abs(nonzero - n_features), nonzero, point.fit.lam

    return min(points, key=distance)


@dataclass(frozen=True)
class Entry:
    """A feature's first appearance in the models of a path.

    Attributes
    ----------
    feature : int
        Column, from 0.
    ratio : float
        lambda / lambda_max of the first model with the feature, exact up to the spacing of the path's grid.
    rank : int
        1 for the first feature to enter. Features that enter with the same model rank by their absolute weight in it.
    leaves : bool
        Whether a later model of the path lacks it.
    """

    feature: int
    ratio: float
    rank: int
    leaves: bool


def entry_order(points: Sequence[PathPoint]) -> tuple[Entry, ...]:
    """Return the features that enter along a path, in the order of entry.

    Parameters
    ----------
    points : sequence of PathPoint
        In descending order of lambda.

    Returns
    -------
    tuple of Entry
        One for every feature that any model of the path keeps; empty for an empty path.
    """
    if not points:
        return ()
    weights = np.abs([point.fit.weights for point in points])
    kept = weights > 0.0
    first = kept.argmax(axis=0)
    entered = np.flatnonzero(kept.any(axis=0))
    order = sorted(entered.tolist(), key=lambda j: (first[j], -weights[first[j], j]))
    return tuple(
        Entry(
            feature=j,
            ratio=ratio_of(points[first[j]]),
            rank=rank,
            leaves=not kept[first[j] :, j].all(),
        )
        for rank, j in enumerate(order, 1)
    )
