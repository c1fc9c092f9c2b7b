"""Scores of single features on a run's datasets, fold by fold, where this is quick."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.features.single_feature import single_feature_scores
from core.analysis.ingredient import AtOnce
from core.experiments.run.plan import Plan, PlannedDataset

QUICK_BYTES = 300 << 20
"""Size of the features over all folds of a dataset that takes about five seconds."""
N_STRONG = 10
"""Number of strong features, if a dataset has at least twice as many."""

SingleScores = dict[str, dict[int, list[float]]]
"""NDCG@10 on the training part, by dataset and fold, in the order of the features."""


@dataclass(frozen=True)
class TrainingScores(AtOnce[SingleScores]):
    """NDCG@10 of every feature alone on the training parts, under each dataset's convention.

    Attributes
    ----------
    datasets : tuple of PlannedDataset
    fingerprints : tuple
        The parts of every fold, by dataset and number: the content that the datasets are opened to.
    largest : int
        Datasets with more bytes of features than this are left out.
    """

    datasets: tuple[PlannedDataset, ...]
    fingerprints: tuple[tuple[str, int, tuple[str, ...]], ...]
    largest: int = QUICK_BYTES

    what = "Measuring every feature alone"

    @classmethod
    def of(cls, plan: Plan, largest: int = QUICK_BYTES) -> TrainingScores:
        """Return those of a run's datasets, whatever its methods."""
        folds = sorted({(cell.dataset, cell.fold, cell.fingerprints) for cell in plan.cells})
        return cls(plan.datasets, tuple(folds), largest)

    def result(self, run: object = None) -> SingleScores:
        """Compute the scores.

        Raises
        ------
        DataError
            If a dataset can no longer be read.
        """
        scores: SingleScores = {}
        for planned in self.datasets:
            if planned.fold_bytes * planned.n_folds > self.largest:
                continue
            dataset = planned.source.open()
            scores[planned.name] = {
                number: [
                    score.ndcg_at_10 for score in single_feature_scores(dataset.fold(number).train, planned.convention)
                ]
                for number in range(1, planned.n_folds + 1)
            }
        return scores


def n_strong(single: SingleScores, dataset: str) -> int:
    """Return how many of a dataset's features count as strong."""
    n_features = len(next(iter(single[dataset].values())))
    return max(min(N_STRONG, n_features // 2), 1)
