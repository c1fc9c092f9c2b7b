"""What single features do, for a run's report."""

from __future__ import annotations

from core.analysis.features.single_feature import single_feature_scores
from core.experiments.results.single_scores import TrainingScores
from core.experiments.run.plan import Plan


def test_scores_are_those_of_the_training_parts(plan: Plan) -> None:
    (planned,) = plan.datasets
    found = TrainingScores.of(plan).made()[planned.name]
    assert list(found) == [1, 2, 3]
    second = single_feature_scores(planned.source.open().fold(2).train, planned.convention)
    assert found[2] == [score.ndcg_at_10 for score in second]


def test_large_datasets_are_left_out(plan: Plan) -> None:
    assert TrainingScores.of(plan, largest=10).made() == {}
