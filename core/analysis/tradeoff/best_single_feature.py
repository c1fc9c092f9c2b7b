"""The baseline without learning: the ranking by the single feature that is best on the training part."""

from dataclasses import dataclass

import numpy as np

from core.analysis.ingredient import made_at_once
from core.data import Convention, Fold
from core.metrics import JudgedLists, Measure
from core.metrics.equal_values import rounded
from core.metrics.feature_scores import stacked_columns, values_of


@dataclass(frozen=True)
class SingleFeatureReference:
    """The best single feature of the training part, and its quality on all parts.

    Attributes
    ----------
    index : int
        Counted from 1, as in LETOR files.
    reverse : bool
        Whether documents are ranked by ascending value.
    values : dict
        Value of the measure on every part of the fold, over the orders of tied documents.
    """

    index: int
    name: str
    reverse: bool
    values: dict[str, float]


@made_at_once("Measuring every feature alone")
def best_single_feature(fold: Fold, convention: Convention, measure: str) -> SingleFeatureReference:
    """Find the feature whose values alone, in either direction, rank the training part best.

    Like a model, it is chosen on the training part only. Documents with equal values are judged in expectation over
    their orders. Among equal features the first wins, and descending before ascending.

    Raises a `ValueError` if there is no such measure or convention.

    Parameters
    ----------
    measure : str
        ``"MAP"``, ``"NDCG@10"``, ...
    """
    wanted = Measure.parse(measure)
    # The largest value; among equals the first feature, and descending first: hence the signs.
    _, position, direction = max(
        (rounded(mean), -j, direction)
        for lists, block, values in stacked_columns(fold.train, convention, np.arange(fold.train.n_features))
        for direction in (1, -1)
        for mean, j in zip(
            lists.means(lists.judged.rank(direction * values), wanted).tolist(), block.tolist(), strict=True
        )
    )
    j = -position
    return SingleFeatureReference(
        index=j + 1,
        name=fold.train.feature_names[j],
        reverse=direction < 0,
        values={
            part: JudgedLists(data, convention).rank(direction * values_of(data, np.array([j]))[:, 0]).mean(wanted)
            for part, data in fold.parts().items()
        },
    )
