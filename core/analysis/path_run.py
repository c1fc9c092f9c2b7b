"""A regularization path as work in steps of one model."""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.path import PathPoint
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

    only_at_work = (*Steps.only_at_work, "_series")

    @property
    def points(self) -> Series[PathPoint]:
        """The models so far, in the order in which they are fitted; the same object until there are more."""
        known: Series[PathPoint] | None = vars(self).get("_series")
        if known is None or len(known) != len(self.found):
            known = self._series = Series(self.found)
        return known
