"""The part of the data that a function about features looks at."""

from __future__ import annotations

from core.data.dataset import Fold
from core.data.ranking_data import RankingData


def training_part(data: object) -> RankingData:
    """Return the training part of a fold, and data without parts as they are.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if isinstance(data, Fold):
        return data.train
    if isinstance(data, RankingData):
        return data
    msg = f"data must be a Fold, such as dataset.fold(1), or RankingData, such as fold.test, not {type(data).__name__}"
    raise TypeError(msg)
