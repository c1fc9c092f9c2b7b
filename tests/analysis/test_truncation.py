"""A truncated model keeps its largest weights as they are, and is measured as any other."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.truncation import truncations
from core.data import Fold
from core.metrics import evaluate_ranking
from tests.oracles import ranking_problem

DATA = ranking_problem(0, n_features=5)
WEIGHTS = np.array([0.2, -3.0, 0.0, 1.0, -0.2])


def test_the_k_largest_weights_stay_as_they_are() -> None:
    kept = [step.weights.tolist() for step in truncations(WEIGHTS, FoldJudge(Fold("all", DATA), "standard"))]
    assert kept == [
        [0.0, -3.0, 0.0, 0.0, 0.0],
        [0.0, -3.0, 0.0, 1.0, 0.0],
        [0.2, -3.0, 0.0, 1.0, 0.0],
        [0.2, -3.0, 0.0, 1.0, -0.2],
    ]


@pytest.mark.parametrize("k", [1, 2, 4])
def test_each_has_the_metrics_of_its_own_scores(k: int) -> None:
    steps = list(truncations(WEIGHTS, FoldJudge(Fold("all", DATA), "letor3")))
    step = steps[k - 1]
    expected = evaluate_ranking(DATA, DATA.features @ step.weights, "letor3")
    assert (step.n_features, step.metrics["train"]) == (k, expected)


def test_an_empty_model_has_none() -> None:
    assert list(truncations(np.zeros(5), FoldJudge(Fold("all", DATA), "standard"))) == []
