"""The l0 penalty: a price for every feature that is used, beside half the squared norm."""

from __future__ import annotations

import numpy as np
import pytest

from core.penalties import L0


def test_a_feature_pays_its_price_if_it_is_used() -> None:
    w = np.array([0.0, -2.0, 1.0])
    assert L0(3.0).value(w) == pytest.approx(2.5 + 6.0)
    assert L0(3.0, np.array([1.0, 0.0, 2.0])).value(w) == pytest.approx(2.5 + 6.0)
    assert L0(3.0, np.array([1.0, np.inf, 2.0])).value(w) == np.inf
    assert L0(3.0).priced(np.array([1.0, 0.5, 0.0])).value(w) == pytest.approx(2.5 + 1.5)


@pytest.mark.parametrize("step", [0.1, 1.0, 4.0])
def test_the_prox_is_the_global_minimum(step: float) -> None:
    penalty, grid = L0(0.7), np.linspace(-5.0, 5.0, 100_001)
    for v in (-3.0, -1.1, 0.4, 0.9, 2.2):
        values = 0.5 * (grid - v) ** 2 + step * (0.5 * grid**2 + 0.7 * (np.abs(grid) > 1e-9))
        assert penalty.prox(np.array([v]), step)[0] == pytest.approx(grid[np.argmin(values)], abs=2e-4)


def test_the_dual_bound_is_the_best_value_on_the_ray() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        g, costs, lam = rng.normal(size=5), rng.choice([0.0, 0.5, 1.0, np.inf], 5), 0.3
        price, slope, curvature = float(rng.uniform(0.1, 3.0)), float(rng.uniform(0.5, 4.0)), 0.4
        theta = np.linspace(0.0, 10.0, 40_001)[:, None]
        prices = np.minimum(lam * price * costs, 1e9)
        conjugate = np.maximum((theta * g) ** 2 / (2.0 * lam) - prices, 0.0).sum(axis=1)
        values = theta[:, 0] * slope - theta[:, 0] ** 2 * curvature - conjugate
        bound = L0(price, costs).dual_bound(slope, curvature, g, lam)
        assert bound == pytest.approx(values.max(), abs=slope * 2.5e-4)  # the grid may miss a kink by a step


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        L0(0.0)
    with pytest.raises(ValueError, match="0 or more"):
        L0(1.0, np.array([1.0, -1.0]))
