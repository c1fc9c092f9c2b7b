"""Selection of models with equally many features, so that methods are compared fairly."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.path import PathPoint


def with_as_many_features(points: Sequence[PathPoint], n_features: int) -> PathPoint:
    """Return the model of a path whose number of features is nearest to ``n_features``.

    Of two equally near sizes the smaller wins; of equal sizes the model with the largest C, which is shrunk the least.

    Raises
    ------
    ValueError
        If there is no model.
    """
    if not points:
        msg = "there is no model to choose from"
        raise ValueError(msg)

    def distance(point: PathPoint) -> tuple[int, int, float]:
        nonzero = point.fit.result.nonzero
        return abs(nonzero - n_features), nonzero, point.fit.lam

    return min(points, key=distance)
