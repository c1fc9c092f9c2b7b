"""A regularization path as work in steps of one model."""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint, path_grid, regularization_path
from core.content import Series
from core.methods import EmptyOptimumError
from core.work import Steps


class PathRun(Steps[PathPoint]):
    """A path in progress.

    Parameters
    ----------
    points : iterator of PathPoint
        From `regularization_path`, or several of them one after the other.
    total : int
        How many there will be.
    empty : EmptyOptimumError, optional
        Why there are none: the empty model is optimal at every lambda.
    """

    def __init__(self, points: Iterator[PathPoint], total: int, empty: EmptyOptimumError | None = None) -> None:
        super().__init__(points, total)
        self.empty = empty

    @classmethod
    def of(cls, how: Fitting) -> PathRun:
        """Prepare the path of a method over its own range of lambda; `empty` says why there is none."""
        try:
            lams = path_grid(how.method, how.training)
        except EmptyOptimumError as empty:
            return cls(iter(()), 0, empty)
        points = regularization_path(
            how.method, how.training, lams, how.judge, solver=how.solver, parameters=how.settings, stop=how.stop
        )
        return cls(points, len(lams))

    only_at_work = (*Steps.only_at_work, "_series")

    @property
    def points(self) -> Series[PathPoint]:
        """The models so far, in the order in which they are fitted; the same object until there are more."""
        known: Series[PathPoint] | None = vars(self).get("_series")
        if known is None or len(known) != len(self.found):
            known = self._series = Series(self.found)
        return known
