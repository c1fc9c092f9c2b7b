"""A model's metrics on every part of a fold."""

from __future__ import annotations

import numpy as np

from core import open_dataset
from core.analysis.evaluation import FoldJudge


def test_metrics_are_those_of_the_judgement_whether_scores_are_tied_or_not() -> None:
    judge = FoldJudge(open_dataset("planted").fold(1), "letor4")
    tied = np.zeros(judge.fold.train.n_features)
    untied = np.linspace(-1.0, 1.0, len(tied))
    assert judge.judgement(tied).in_file_order.keys() == judge.judgement(tied).expected_over_ties.keys() != set()
    assert FoldJudge(judge.fold, "standard").judgement(tied).in_file_order == {}, "no number depends on the file"
    for weights in (tied, untied):
        assert judge.metrics(weights) == judge.judgement(weights).metrics
