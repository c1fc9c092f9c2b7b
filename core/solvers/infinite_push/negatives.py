"""Selection of the negatives in a program of the infinite push: first a sample, then those near the top."""

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
    """Selects rows of documents: all positives of the queries in the loss, and some of their negatives.

    A negative that is not among the top ones at the optimum has multiplier 0 there, so the program without it has the
    same optimum. A program without some negatives bounds the whole program from below.

    Attributes
    ----------
    everything : ndarray of int
        Rows of all documents of the queries in the loss, ascending.
    top : ndarray, shape (n_queries,)
        k, the number of top negatives of every query in the loss.
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
        """Return the positives and, evenly spaced in file order, a sample of the negatives."""
        return self._rows(
            negatives[np.linspace(0, len(negatives), count, endpoint=False, dtype=np.int64)]
            for negatives in self._negatives
            for count in [min(len(negatives), max(FEWEST, int(SAMPLE * len(negatives))))]
        )

    def near_the_top(self, scores: FloatArray) -> IntArray:
        """Return the positives, the top negatives at these scores, and some negatives below them.

        ``scores`` has shape (n_documents,).
        """
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
        """Tell whether a top negative at these scores, shape (n_documents,), is missing in ``rows`` (ascending)."""
        for negatives, k in zip(self._negatives, self.top, strict=True):
            last = len(negatives) - int(np.ceil(k))
            top = negatives[np.argpartition(scores[negatives], last)[last:]]
            if not np.isin(top, rows).all():
                return True
        return False

    def _rows(self, negatives: Iterator[IntArray] | list[IntArray]) -> IntArray:
        rows: IntArray = np.sort(np.concatenate([self._positives, *negatives]))
        return rows
