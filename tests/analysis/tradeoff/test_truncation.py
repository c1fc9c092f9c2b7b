"""A truncated model keeps its largest weights as they are, and is measured as any other."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.analysis.evaluation import FoldJudge
from core.analysis.tradeoff.truncation import is_filter, refits, sizes_to_cut, truncations
from core.data import Fold
from core.methods import METHODS, get_method
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


def test_every_size_is_looked_at_up_to_where_there_are_many_and_the_whole_always() -> None:
    assert sizes_to_cut(46) == tuple(range(1, 47))
    assert sizes_to_cut(0) == ()
    many = sizes_to_cut(2000)
    assert many[:64] == tuple(range(1, 65))
    assert (many[-1], len(many)) == (2000, len(set(many)))
    assert len(many) < 150
    assert all(b - a <= max(1, a // 20) for a, b in pairwise(many))


@pytest.mark.parametrize("method_id", ["fs-rank", "gas-e", "fsmsvm"])
def test_a_filter_is_refitted_with_just_so_many_features_at_the_same_lambda(method_id: str) -> None:
    method, judge = get_method(method_id), FoldJudge(Fold("all", DATA), "standard")
    training = method.training(DATA)
    fit = method.fit(training, 0.05)
    assert is_filter(method)
    for model, k in zip(refits(fit, training, judge, (1, 3)), (1, 3), strict=True):
        alone = method.fit(training, 0.05, parameters={method.parameters[0].name: k})
        assert np.count_nonzero(model.weights) == k == model.n_features
        np.testing.assert_array_equal(model.weights, alone.weights)
        assert model.metrics == judge.metrics(alone.weights)


def test_only_filters_are_filters() -> None:
    by_hand = {"forward", "rfe", "elimination", "exchange"}
    assert {method.id for method in METHODS if is_filter(method)} == {"fs-rank", "gas-e", "fsmsvm"} | by_hand
