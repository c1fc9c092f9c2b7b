"""A regularization path as work in steps of one model."""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.path import PathPoint
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

    @property
    def points(self) -> list[PathPoint]:
        """The models so far, in the order in which they are fitted."""
        return list(self.found)
