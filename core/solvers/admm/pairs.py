"""The pairs of a positive and a negative document of a query, as the paper's ADMM needs them."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.losses.base import FloatArray, IntArray
from core.losses.pair_groups import PairGroups


@dataclass(frozen=True, eq=False)
class PairBlocks:
    """All pairs, one block a query: for every negative (a column), all positives.

    The paper's matrix X, whose rows are the differences x_i - x_j, is never stored. A difference of scores is the score
    of the difference, so X w, X^T v and X^T X are computed from the documents. The iterates are the same, at a lower
    cost.

    Attributes
    ----------
    positive, negative : ndarray of int64, shape (n_pairs,)
        Rows of the positive and the negative document of each pair.
    block_start : ndarray of int64, shape (n_blocks + 1,)
    height : ndarray of int64, shape (n_blocks,)
        Number of positives of each query: the length of its columns.
    width : ndarray of int64, shape (n_blocks,)
        Number of negatives of each query: the number of its columns.
    """

    positive: IntArray
    negative: IntArray
    block_start: IntArray
    height: IntArray
    width: IntArray
    n_documents: int

    @classmethod
    def of(cls, groups: PairGroups, n_documents: int) -> Self:
        """List the pairs.

        Parameters
        ----------
        groups : PairGroups
            Two groups a query, as in `InfinitePush`: the positives, then the negatives.
        """
        sizes = np.diff(groups.group_start)
        height, width = sizes[0::2], sizes[1::2]
        positive, negative = [], []
        for first, m, n in zip(groups.group_start[0:-1:2], height, width, strict=True):
            positive.append(np.tile(groups.order[first : first + m], n))
            negative.append(np.repeat(groups.order[first + m : first + m + n], m))
        block_start = np.concatenate([[0], np.cumsum(height * width)])
        return cls(np.concatenate(positive), np.concatenate(negative), block_start, height, width, n_documents)

    def __len__(self) -> int:
        return len(self.positive)

    def differences(self, scores: FloatArray) -> FloatArray:
        """Compute X w of the pairs, shape (n_pairs,), from the documents' scores, shape (n_documents,)."""
        difference: FloatArray = scores[self.positive] - scores[self.negative]
        return difference

    def on_documents(self, values: FloatArray) -> FloatArray:
        """Sum values of the pairs on the documents, shape (n_documents,): the transpose of `differences`.

        X^T v of the pairs is the product of the documents' features with the result.
        """
        up = np.bincount(self.positive, values, self.n_documents)
        down = np.bincount(self.negative, values, self.n_documents)
        return np.asarray(up - down, dtype=np.float64)

    def gram(self, features: NDArray[np.floating]) -> FloatArray:
        """Compute X^T X of the pairs, shape (n_features, n_features), at the cost of one product of the documents.

        In a query of m positives and n negatives it is n sum_i x_i x_i^T + m sum_j x_j x_j^T less the two products of
        the sums. An offset of the query's features cancels in every pair, so features are centred first, for accuracy.
        """
        total = np.zeros((features.shape[1], features.shape[1]))
        for block, (m, n) in enumerate(zip(self.height, self.width, strict=True)):
            first = self.block_start[block]
            up = features[self.positive[first : first + m]].astype(np.float64)
            down = features[self.negative[first : first + m * n : m]].astype(np.float64)
            centre = (up.sum(axis=0) + down.sum(axis=0)) / (m + n)
            up, down = up - centre, down - centre
            crossed = np.outer(up.sum(axis=0), down.sum(axis=0))
            total += n * (up.T @ up) + m * (down.T @ down) - crossed - crossed.T
        return total
