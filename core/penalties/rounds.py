"""The penalty of a round of reweighting."""

from __future__ import annotations

import numpy as np

from core.penalties.base import FloatArray, Penalty
from core.penalties.l1 import WeightedL1
from core.penalties.signed import Signed


def weighted_l1_of(penalty: Penalty, beta: FloatArray) -> Penalty:
    """Return weighted l1 with the signs of the penalty that it stands for.

    Parameters
    ----------
    penalty : Penalty
    beta : ndarray, shape (n_features,)
        Slopes g'(|w|), each >= 0; an infinite one forbids the feature.
    """
    signs = penalty.signs(len(beta))
    return Signed(WeightedL1(beta), signs) if np.any(signs) else WeightedL1(beta)
