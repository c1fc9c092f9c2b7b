"""The l1 ball: a limit instead of a price, whose prox is the nearest point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.penalties import L1Ball

vectors = st.lists(st.floats(-5, 5), min_size=1, max_size=7).map(np.array)
radii = st.floats(0.0, 12.0)


def test_the_ball_costs_nothing_inside_and_everything_outside() -> None:
    ball = L1Ball(2.0)
    assert ball.value(np.array([0.5, -1.5])) == 0.0
    assert ball.value(np.array([0.5, -1.6])) == np.inf
    assert ball.value(np.full(3, 2.0 / 3.0) * (1.0 + 1e-15)) == 0.0  # on the sphere, but for rounding


@settings(max_examples=100, deadline=None)
@given(v=vectors, radius=radii, step=st.floats(0.1, 9.0))
@example(v=np.array([3.0]), radius=1e-4, step=1.0)  # v loses digits that the radius has
def test_no_point_of_the_ball_is_nearer_than_the_projection(v: np.ndarray, radius: float, step: float) -> None:
    """v - u makes no acute angle with the way to any vertex: u is nearest in the whole ball (a convex set)."""
    u = L1Ball(radius).prox(v, step)
    assert np.abs(u).sum() <= radius * (1.0 + 1e-12)
    away = v - u
    assert radius * np.abs(away).max() - float(away @ u) <= 1e-12 * (1.0 + float(v @ v))


def test_points_of_the_ball_stay_where_they_are() -> None:
    w = np.array([0.3, -0.7, 0.0])
    np.testing.assert_array_equal(L1Ball(1.0).prox(w, 1.0), w)


def test_a_ball_of_radius_zero_is_the_empty_model() -> None:
    np.testing.assert_array_equal(L1Ball(0.0).prox(np.array([3.0, -1.0]), 1.0), [0.0, 0.0])


@settings(max_examples=60, deadline=None)
@given(gradient=vectors, radius=st.floats(0.1, 5.0))
def test_a_minimiser_of_a_linear_function_is_stationary(gradient: np.ndarray, radius: float) -> None:
    """It is the vertex against the steepest slope; half-way to it, and at the opposite one, nothing is stationary."""
    steepest = int(np.argmax(np.abs(gradient)))
    vertex = np.zeros_like(gradient)
    vertex[steepest] = -radius * np.sign(gradient[steepest])
    steep = abs(gradient[steepest])
    ball = L1Ball(radius)
    assert ball.distance_to_stationarity(vertex, gradient, 1.0).max() == 0.0
    assert ball.distance_to_stationarity(0.5 * vertex, gradient, 1.0).max() == steep
    assert ball.distance_to_stationarity(-vertex, gradient, 1.0).max() == 2.0 * steep
    if steep > 0.0:
        assert ball.distance_to_stationarity(2.0 * vertex, gradient, 1.0).max() == np.inf


@settings(max_examples=60, deadline=None)
@given(
    gradient=vectors, radius=st.floats(0.1, 5.0), slope=st.floats(0.0, 9.0), curvature=st.floats(0.0, 3.0),
    limit=st.floats(0.1, 3.0),
)  # fmt: skip
def test_the_dual_bound_is_the_best_on_the_ray(
    gradient: np.ndarray, radius: float, slope: float, curvature: float, limit: float
) -> None:
    """Against a grid of theta * slope - theta^2 * curvature - r ||theta gradient||_inf."""
    theta = np.linspace(0.0, limit, 4001)
    values = theta * (slope - radius * np.abs(gradient).max()) - theta**2 * curvature
    assert L1Ball(radius).dual_bound(slope, curvature, gradient, 1.0, limit) == pytest.approx(values.max(), abs=1e-5)


@pytest.mark.parametrize("radius", [-1.0, np.nan])
def test_a_radius_below_zero_is_refused(radius: float) -> None:
    with pytest.raises(ValueError, match=r"radius.*\b0 or more"):
        L1Ball(radius)
