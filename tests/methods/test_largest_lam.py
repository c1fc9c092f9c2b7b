"""The first lambda of a path under rules for features: nothing with a price is in above it, something just below.

The grid of l2 ends where no larger lambda changes the order of the documents, by explicit pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.analysis.features.rules import Rules
from core.analysis.path import path_grid
from core.data import RankingData, open_dataset
from core.methods import get_method
from core.solvers import Stop
from tests.oracles import RankSvm, optimum, ranking_problem

N_FEATURES = 8
RULES: dict[str, dict[str, Any]] = {
    "cheap": {"costs": {7: 0.1}},
    "dear": {"costs": {7: 10.0}},
    "free": {"forced": [7]},
    "free beside cheap": {"costs": {7: 0.1}, "forced": [2]},
    "a free one that uncovers another": {"forced": [0]},
    "signs": {"helps": [1], "hurts": [0]},
    "cheap of the wrong sign": {"costs": {7: 0.1}, "hurts": [7]},
    "off": {"off": [0]},
}


def shop() -> RankingData:
    """Twelve queries; feature 5 says something only beside feature 0, which hides its part in the other's slope."""
    rng = np.random.default_rng(0)
    features, labels = rng.normal(size=(120, N_FEATURES)), rng.integers(0, 3, 120)
    features[:, 2] += 0.5 * labels
    features[:, 7] += labels
    features[:, 5] *= 3.0
    features[:, 0] = 3.0 * labels - 2.0 * features[:, 5] + 0.3 * features[:, 0]
    return RankingData.build(features, labels, np.arange(0, 121, 10))


def largest(data: RankingData, factors: np.ndarray[Any, Any], signs: np.ndarray[Any, Any]) -> float:
    """From every pair's difference, with the free weights by a general optimiser."""
    pairs, free, w = RankSvm.of(data), factors == 0.0, np.zeros(N_FEATURES)
    if free.any():
        w, _ = optimum(pairs, 1.0, np.where(free, 0.0, np.inf))
    slope = pairs.gradient(w)
    steep = np.where(signs * slope > 0.0, 0.0, np.abs(slope))
    priced = (factors > 0.0) & np.isfinite(factors)
    return float((steep[priced] / factors[priced]).max())


@pytest.mark.parametrize("given", RULES.values(), ids=RULES)
def test_a_path_under_rules_starts_where_the_first_feature_with_a_price_enters(given: dict[str, Any]) -> None:
    data, given = shop(), dict(given)
    costs = np.ones(N_FEATURES)
    for j, cost in given.pop("costs", {}).items():
        costs[j] = cost
    rules = Rules.of(N_FEATURES, costs=costs, **given)
    method = rules.applied(get_method("l1"))
    training = method.training(data)
    right = largest(data, rules.factors, rules.signs)
    for lams in (path_grid(method, training, 6), method.grid(training)):
        assert lams[0] == pytest.approx(right, rel=1e-6)
        assert lams[-1] == pytest.approx(1e-4 * min(right, training.lam_max), rel=1e-6)
    free = set(np.flatnonzero(rules.factors == 0.0))
    above, below = (set(np.flatnonzero(method.fit(training, share * right).weights)) for share in (1.001, 0.99))
    assert above == free
    assert below > free


@pytest.mark.parametrize("given", [{"costs": {2: 0.1}}, {"off": [7]}], ids=str)
def test_the_path_of_a_push_starts_at_its_first_feature_too(given: dict[str, Any]) -> None:
    costs = np.ones(N_FEATURES)
    for j, cost in given.get("costs", {}).items():
        costs[j] = cost
    method = Rules.of(N_FEATURES, costs=costs, off=given.get("off", [])).applied(get_method("infinite-push-l1"))
    training = method.training(shop(), {"top_share": 0.5})
    first = float(method.grid(training)[0])
    kept = [method.fit(training, share * first).result.nonzero for share in (1.001, 0.98)]
    assert kept[0] == 0 < kept[1]


def test_rules_on_data_in_which_no_feature_helps_say_so() -> None:
    data = RankingData.build(np.zeros((12, 3)) + 1.0, np.tile([0, 1, 2, 0], 3), [0, 4, 8, 12])
    method = Rules.of(3, costs=np.array([0.1, 1.0, 1.0])).applied(get_method("l1"))
    with pytest.raises(ValueError, match="no feature differs"):
        method.grid(method.training(data))


L2 = get_method("l2")


@pytest.mark.parametrize("data", [ranking_problem(0), ranking_problem(1)], ids=["0", "1"])
def test_at_its_largest_lambda_the_model_is_as_good_as_constant_and_its_direction_final(data: RankingData) -> None:
    pairs = RankSvm.of(data).differences
    slope = -2.0 * pairs.mean(axis=0)
    curvature = 2.0 * pairs.T @ pairs / len(pairs)
    training = L2.training(data)
    grid = L2.grid(training)
    assert grid[0] == pytest.approx(100.0 * np.linalg.eigvalsh(curvature)[-1], rel=0.05)
    fit = L2.fit(training, grid[0], stop=Stop(tol=1e-12))
    assert 0.99 <= fit.result.objective <= 1.0, "the objective of constant scores is 1"
    assert np.linalg.norm(grid[0] * fit.weights + slope) <= 0.0105 * np.linalg.norm(slope)


def test_beyond_its_largest_lambda_the_order_of_documents_stays() -> None:
    data = open_dataset("planted").fold(1).train
    training = L2.training(data)
    end, far = (L2.fit(training, lam, stop=Stop(tol=1e-12)) for lam in (L2.grid(training)[0], 1e4 * training.lam_max))
    scores = [RankSvm.of(data.take_queries(range(10))).differences @ fit.weights for fit in (end, far)]
    assert np.mean(np.sign(scores[0]) == np.sign(scores[1])) > 0.99


def test_it_reaches_down_as_far_as_the_grids_of_the_others() -> None:
    training = L2.training(ranking_problem(0))
    grid = L2.grid(training)
    assert (np.diff(grid) < 0.0).all()
    assert grid[-1] == pytest.approx(get_method("l1").grid(training)[-1])
    assert len(grid) == len(get_method("l1").grid(training))
