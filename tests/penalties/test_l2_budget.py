"""The ridge within a budget: what it allows, its prox, its dual bound, and the words for its models."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.penalties import L2, L2Budget
from tests.says import assert_says


def test_its_value_is_that_of_l2_within_the_budget_and_infinite_beyond() -> None:
    w = np.array([1.0, 0.0, -2.0])
    assert L2Budget(2).value(w) == L2().value(w)
    assert L2Budget(1).value(w) == np.inf
    costs = np.array([0.5, 1.0, 1.0])
    assert L2Budget(1.5, costs).value(w) == L2().value(w)
    assert L2Budget(1.4, costs).value(w) == np.inf
    assert L2Budget(1.0, np.array([np.inf, 1.0, 1.0])).value(w) == np.inf
    assert L2Budget(1.0, np.array([0.0, 1.0, 1.0])).value(w) == L2().value(w)


def test_its_prox_is_the_best_of_all_sets() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        v, costs, budget, step = rng.normal(size=5), rng.uniform(0.2, 2.0, 5), rng.uniform(0.5, 4.0), 0.7
        penalty = L2Budget(budget, costs)
        u = penalty.prox(v, step)
        values = [
            0.5 * ((kept * v / 1.7 - v) ** 2).sum() + step * penalty.value(kept * v / 1.7)
            for kept in map(np.array, product([0.0, 1.0], repeat=5))
        ]
        assert 0.5 * ((u - v) ** 2).sum() + step * penalty.value(u) == pytest.approx(min(values), rel=1e-9)


def test_its_dual_bound_takes_the_largest_slopes_that_the_budget_pays() -> None:
    g = np.array([3.0, -2.0, 1.0])
    two = L2().dual_bound(1.0, 0.5, g[:2], 0.1)
    assert L2Budget(2).dual_bound(1.0, 0.5, g, 0.1) == pytest.approx(two)
    assert L2Budget(3).dual_bound(1.0, 0.5, g, 0.1) == pytest.approx(L2().dual_bound(1.0, 0.5, g, 0.1))
    without_first = L2Budget(2, np.array([np.inf, 1.0, 1.0])).dual_bound(1.0, 0.5, g, 0.1)
    assert without_first == pytest.approx(L2().dual_bound(1.0, 0.5, g[1:], 0.1))


def test_its_words_say_which_models_a_bound_covers() -> None:
    plain = L2Budget(1).among
    assert_says(plain, "at most 1 feature")
    assert_says(L2Budget(5).priced(np.array([1.0, np.inf, 0.0])).among, "at most 5 features", "free", "without", "off")
    dear = L2Budget(2).priced(np.array([0.5, 1.5])).among
    assert_says(dear, "cost", "at most 2 times", "mean cost")
    assert not any(word in words for words in (plain, dear) for word in ("free", "off"))


@pytest.mark.parametrize(("budget", "costs"), [(-1.0, None), (np.nan, None), (1.0, [-1.0]), (1.0, [np.nan])])
def test_a_budget_or_cost_that_cannot_be_is_refused(budget: float, costs: list[float] | None) -> None:
    with pytest.raises(ValueError, match="must be 0 or more"):
        L2Budget(budget, None if costs is None else np.array(costs))
