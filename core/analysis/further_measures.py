"""Points of a path, measured by what their summary leaves out: RR, ERR and R@k can choose, too."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.evaluation import FoldJudge
from core.analysis.path import PathPoint
from core.metrics import Measure


def measured_by(points: Sequence[PathPoint], judge: FoldJudge, measure: str) -> list[PathPoint]:
    """Return the points with a measure among their metrics; a point that has it already stays as it is.

    Parameters
    ----------
    points : sequence of PathPoint
    judge : FoldJudge
        Of their fold.
    measure : str
        ``"rr"``, ``"R@5"``, ...

    Raises
    ------
    ValueError
        If there is no such measure.
    """
    name = str(Measure.parse(measure))
    return [
        point
        if all(name in values for values in point.metrics.values())
        else PathPoint.of(point.fit, judge.with_measure(point.judgement, point.fit.weights, name))
        for point in points
    ]
