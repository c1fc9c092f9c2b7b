"""Which negatives a program of the infinite push needs to know of: a sample first, then those near the top."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.losses import InfinitePush
from core.losses.base import IntArray
from core.solvers.problem import FloatArray

FEWEST = 50  # negatives of a query in the sample, and beyond the top ones later
SAMPLE = 0.125  # of a query's negatives
MARGIN = 0.05  # of a query's negatives beyond the top ones


class Candidates:
    """Rows of documents: every positive of a query that counts, and some of its negatives.

    A negative that is not among the top ones at the optimum has multiplier 0 there, so the program without it has the
    same optimum; as long as it is left out, the program bounds the whole one from below.

    Attributes
    ----------
    everything : ndarray of int
        Rows of all documents of queries that count, in order.
    top : ndarray, shape (n_queries,)
        k, the number of top negatives of every query that counts.
    """

    def __init__(self, loss: InfinitePush) -> None:
        groups = loss.groups
        bounds = groups.group_start
        self._positives = np.concatenate(
            [groups.order[bounds[g] : bounds[g + 1]] for g in range(0, len(bounds) - 1, 2)]
        )
        self._negatives = [groups.order[bounds[g] : bounds[g + 1]] for g in range(1, len(bounds) - 1, 2)]
        self.everything: IntArray = np.sort(groups.order)
        self.top: FloatArray = loss.top

    def sample(self) -> IntArray:
        """Negatives at even distances, as they stand in the file."""
        return self._rows(
            negatives[np.linspace(0, len(negatives), count, endpoint=False, dtype=np.int64)]
            for negatives in self._negatives
            for count in [min(len(negatives), max(FEWEST, int(SAMPLE * len(negatives))))]
        )

    def near_the_top(self, scores: FloatArray) -> IntArray:
        """The top negatives at these scores, of all documents, and some beyond them."""
        chosen = []
        for negatives, k in zip(self._negatives, self.top, strict=True):
            count = int(np.ceil(k) + max(FEWEST, np.ceil(MARGIN * len(negatives))))
            if count < len(negatives):
                last = len(negatives) - count
                chosen.append(negatives[np.argpartition(scores[negatives], last)[last:]])
            else:
                chosen.append(negatives)
        return self._rows(chosen)

    def lacking(self, rows: IntArray, scores: FloatArray) -> bool:
        """Whether a top negative at these scores, of all documents, is not among the rows (which rise)."""
        for negatives, k in zip(self._negatives, self.top, strict=True):
            last = len(negatives) - int(np.ceil(k))
            top = negatives[np.argpartition(scores[negatives], last)[last:]]
            if not np.isin(top, rows).all():
                return True
        return False

    def _rows(self, negatives: Iterator[IntArray] | list[IntArray]) -> IntArray:
        rows: IntArray = np.sort(np.concatenate([self._positives, *negatives]))
        return rows
