"""Which way a single feature ranks: from its largest value down, or from its smallest up."""

from __future__ import annotations

import numpy as np

from core.data import Convention, RankingData
from core.metrics import JudgedLists, Measure
from core.metrics.stacked_lists import values_of


def ranks_better_reversed(data: RankingData, convention: Convention, feature: int) -> bool:
    """Whether the smallest values first have the higher MAP.

    Documents with the same value count in expectation over their orders.

    Parameters
    ----------
    data : RankingData
        The training part: the direction is chosen as a model is.
    convention : {"standard", "letor3", "letor4"}
    feature : int
        Its column, from 0.
    """
    lists, values, measure = JudgedLists(data, convention), values_of(data, np.array([feature]))[:, 0], Measure("MAP")
    return lists.rank(-values).mean(measure) > lists.rank(values).mean(measure) + 1e-12
