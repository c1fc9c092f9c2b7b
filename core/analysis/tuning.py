"""Choosing C on the validation part, as the papers do."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.path import PathPoint
from core.data import DataError
from core.metrics import Measure


def best_on_validation(points: Sequence[PathPoint], measure: str = "map") -> PathPoint:
    """The point with the best validation value; among equals the one with the largest lambda.

    Laporte et al. (2014, Section V-C) choose by MAP, Lai et al. (2013) by NDCG@10.

    Parameters
    ----------
    points : sequence of PathPoint
        With metrics.
    measure : str
        ``"map"``, ``"ndcg@10"``, ...

    Raises
    ------
    DataError
        If the fold has no validation part.
    ValueError
        If there is no such measure, or nothing to choose from.
    """
    name = str(Measure.parse(measure))
    if not points or any(not point.metrics for point in points):
        msg = "choosing C needs a path with metrics: give it at least one point and a judge"
        raise ValueError(msg)
    if any("vali" not in point.metrics for point in points):
        msg = "there is no validation part to choose C on; give C, or a dataset with train, vali and test"
        raise DataError(msg)
    if name not in points[0].metrics["vali"]:
        msg = f"{name} is not measured along a path; choose by one of {', '.join(points[0].metrics['vali'])}"
        raise ValueError(msg)
    return max(points, key=lambda point: (point.metrics["vali"][name], point.fit.lam))
