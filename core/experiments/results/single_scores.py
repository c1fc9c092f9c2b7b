"""Scores of single features on a run's datasets, fold by fold, where this is quick."""

from __future__ import annotations

from core.analysis.features.single_feature import single_feature_scores
from core.experiments.run.plan import Plan

QUICK_BYTES = 300 << 20
"""Size of the features over all folds of a dataset that takes about five seconds."""

SingleScores = dict[str, dict[int, list[float]]]
"""NDCG@10 on the training part, by dataset and fold, in the order of the features."""


def training_scores(plan: Plan, largest: int = QUICK_BYTES) -> SingleScores:
    """Compute NDCG@10 of every feature alone on the training parts, under each dataset's convention.

    Parameters
    ----------
    plan : Plan
    largest : int
        Datasets with more bytes of features than this are left out.

    Raises
    ------
    DataError
        If a dataset can no longer be read.
    """
    scores: SingleScores = {}
    for planned in plan.datasets:
        if planned.fold_bytes * planned.n_folds > largest:
            continue
        dataset = planned.source.open()
        scores[planned.name] = {
            number: [
                score.ndcg_at_10 for score in single_feature_scores(dataset.fold(number).train, planned.convention)
            ]
            for number in range(1, planned.n_folds + 1)
        }
    return scores
