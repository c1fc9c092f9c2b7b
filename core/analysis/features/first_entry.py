"""The order in which features enter a path, and whether they stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.path import PathPoint


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
            ratio=points[first[j]].fit.lam / points[first[j]].fit.lam_max,
            rank=rank,
            leaves=not kept[first[j] :, j].all(),
        )
        for rank, j in enumerate(order, 1)
    )
