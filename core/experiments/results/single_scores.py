"""Scores of single features on a run's datasets, fold by fold, where this is quick."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.features.single_feature import single_feature_scores
from core.analysis.ingredient import AtOnce, made_at_once
from core.experiments.run.plan import Plan, PlannedDataset

QUICK_BYTES = 300 << 20
"""Size of the features over all folds of a dataset that takes about five seconds."""
N_STRONG = 10
"""Number of strong features, if a dataset has at least twice as many."""

SingleScores = dict[str, dict[int, list[float]]]
"""NDCG@10 on the training part, by dataset and fold, in the order of the features."""


def training_scores(plan: Plan, largest: int = QUICK_BYTES) -> AtOnce[SingleScores]:
    """Return NDCG@10 of every feature alone on the training parts of a run's datasets, whatever its methods.

    Raises `DataError` when it is made if a dataset can no longer be read. Datasets with more bytes of features than
    ``largest`` are left out.
    """
    folds = sorted({(cell.dataset, cell.fold, cell.fingerprints) for cell in plan.cells})
    return _scores.of(
        tuple(planned for planned in plan.datasets if planned.fold_bytes * planned.n_folds <= largest), folds
    )


@made_at_once("Measuring every feature alone")
def _scores(datasets: Sequence[PlannedDataset], folds: object) -> SingleScores:
    """The datasets are opened to what the fingerprints in ``folds`` tell."""
    return {
        planned.name: {
            number: [score.ndcg_at_10 for score in single_feature_scores(fold.train, planned.convention)]
            for number, fold in enumerate(map(planned.source.open().fold, range(1, planned.n_folds + 1)), start=1)
        }
        for planned in datasets
    }


def n_strong(single: SingleScores, dataset: str) -> int:
    """Return how many of a dataset's features count as strong."""
    n_features = len(next(iter(single[dataset].values())))
    return max(min(N_STRONG, n_features // 2), 1)
