"""The first lambda of a path under rules for features: nothing with a price is in above it, something just below."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from core.analysis.features.rules import Rules
from core.analysis.path import path_grid
from core.data import RankingData
from core.methods import get_method

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
    """From every pair's difference, with the free weights by BFGS."""
    x, y = np.asarray(data.features), np.asarray(data.relevance)
    queries = np.repeat(np.arange(data.n_queries), np.diff(data.query_offsets))
    pairs = np.array([x[i] - x[j] for i in range(120) for j in range(120) if queries[i] == queries[j] and y[i] > y[j]])

    def gradient(w: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.asarray(-2.0 * pairs.T @ np.maximum(1.0 - pairs @ w, 0.0) / len(pairs))

    free, w = np.flatnonzero(factors == 0.0), np.zeros(N_FEATURES)
    if len(free):

        def of_free(u: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
            v = np.zeros(N_FEATURES)
            v[free] = u
            return float(np.square(np.maximum(1.0 - pairs @ v, 0.0)).mean()), gradient(v)[free]

        w[free] = minimize(of_free, np.zeros(len(free)), jac=True, method="BFGS", options={"gtol": 1e-11}).x
    slope = gradient(w)
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


def test_without_rules_a_path_starts_at_lambda_max() -> None:
    method = get_method("l1")
    training = method.training(shop())
    np.testing.assert_array_equal(method.grid(training), training.lam_max * method.ratios)


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
