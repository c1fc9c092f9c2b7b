"""The penalty of a refit is the ridge on a support, told in lambdas of the penalty that found it."""

from __future__ import annotations

import numpy as np
import pytest

from core.penalties import L1, Refitted

W = np.array([0.5, 0.0, -2.0])
RIDGE = Refitted(L1(), 0.2)


def test_its_value_is_half_the_ratio_times_the_squared_norm() -> None:
    assert RIDGE.value(W) == pytest.approx(0.1 * 4.25)


def test_its_slope_and_curvature_are_those_of_its_value() -> None:
    step = 1e-6
    for t in (0.0, 0.3, 2.0):
        ahead, behind = (RIDGE.value(np.array([t + sign * step])) for sign in (1, -1))
        assert (ahead - behind) / (2 * step) == pytest.approx(RIDGE.weights(np.array([t]))[0], abs=1e-9)
    assert RIDGE.curvature(W).tolist() == [0.2, 0.2, 0.2]


def test_a_model_is_stationary_where_the_ridge_model_of_its_support_is_whatever_the_other_gradients() -> None:
    lam = 0.5
    gradient = np.array([-0.05, 9.0, 0.2])  # minus lam * ratio * w on the support
    assert RIDGE.distance_to_stationarity(W, gradient, lam) == pytest.approx([0.0, 0.0, 0.0])
    assert RIDGE.distance_to_stationarity(W, gradient + 0.3, lam) == pytest.approx([0.3, 0.0, 0.3])


def test_the_prox_is_the_minimiser_on_a_grid() -> None:
    grid = np.linspace(-3.0, 3.0, 60_001)
    for v in (-1.7, 0.4):
        values = 0.5 * (grid - v) ** 2 + 1.5 * 0.1 * grid**2
        assert RIDGE.prox(np.array([v]), 1.5)[0] == pytest.approx(grid[np.argmin(values)], abs=1e-4)


def test_it_is_not_convex_and_as_sparse_as_what_selects() -> None:
    """No penalty has the model as its minimiser among all models, so no gap among all may be told."""
    assert (RIDGE.convex, RIDGE.sparse) == (False, True)
    assert RIDGE.dual_bound(1.0, 1.0, W, 0.5) is None


@pytest.mark.parametrize("ratio", [0.0, -1.0, np.nan, np.inf])
def test_a_ridge_must_be_a_positive_number(ratio: float) -> None:
    with pytest.raises(ValueError, match="positive lambda"):
        Refitted(L1(), ratio)
