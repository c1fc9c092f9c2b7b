"""Every prox gives the global minimum, also where the problem has several local ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.penalties import L2, MCP, SCAD, Log, Lp, Penalty, WeightedL1
from tests.penalties.every import CONCAVE, SHOWN

PENALTIES: list[Penalty] = [
    *SHOWN,
    WeightedL1(np.array([0.7])),
    Log(2.0),
    MCP(3.0),
    Lp(0.2),
    Lp(0.9),
    SCAD(),
    SCAD(1.0, 2.1),
]
GRID = np.linspace(-1.0, 1.0, 20_001)

every_penalty = pytest.mark.parametrize("penalty", PENALTIES, ids=[f"{p.title} {i}" for i, p in enumerate(PENALTIES)])
steps = st.floats(1e-3, 20.0)


@every_penalty
@settings(max_examples=40, deadline=None)
@given(v=st.floats(-6, 6), step=steps)
@example(v=1.0, step=1.0)
@example(v=3.0, step=3.0)
@example(v=1.5, step=1.1)
def test_no_point_of_a_dense_grid_is_better(penalty: Penalty, v: float, step: float) -> None:
    u = penalty.prox(np.array([v]), step)
    points = np.concatenate([GRID * (abs(v) + 0.1), [0.0, v]])
    objective = 0.5 * (points - v) ** 2 + step * penalty.curve(np.abs(points))
    reached = 0.5 * (u.item() - v) ** 2 + step * penalty.curve(np.abs(u)).item()
    assert reached <= objective.min() + 1e-12 * max(1.0, v * v)


@every_penalty
@settings(max_examples=40, deadline=None)
@given(v=st.lists(st.floats(-6, 6), min_size=2, max_size=8).map(np.array), step=steps)
def test_it_is_odd_and_monotone_and_never_past_v(penalty: Penalty, v: np.ndarray, step: float) -> None:
    v = np.sort(v)
    u = penalty.prox(v, step)
    assert_array_equal(penalty.prox(-v, step), -u)
    assert np.all(np.diff(u) >= -1e-12)
    assert np.all(np.abs(u) <= np.abs(v) * (1 + 1e-12))


@every_penalty
@settings(max_examples=40, deadline=None)
@given(v=st.floats(-6, 6), step=steps)
def test_its_point_is_stationary(penalty: Penalty, v: float, step: float) -> None:
    """v - u lies in step times the subdifferential at u."""
    u = penalty.prox(np.array([v]), step)
    distance = penalty.distance_to_stationarity(u, u - v, step).item()
    # Right at a weight of lp that is close to 0 the slope is steep: allow for the rounding of u.
    steep = abs(step * penalty.curvature(u).item()) * abs(u.item())
    assert distance <= 1e-10 * max(1.0, abs(v), step, steep)


@pytest.mark.parametrize("penalty", CONCAVE, ids=lambda p: p.title)
def test_a_concave_penalty_jumps_where_two_minima_are_equal(penalty: Penalty) -> None:
    """With a step this long the map leaps from 0; a stationary point alone would let it creep."""
    v = np.linspace(0.0, 6.0, 6001)
    u = penalty.prox(v, 2.5)
    first = np.flatnonzero(u)[0]
    assert first > 0
    assert u[first] > 0.5


def test_the_l2_prox_shrinks_in_proportion() -> None:
    assert_allclose(L2().prox(np.array([3.0, -1.0]), 0.5), [2.0, -2.0 / 3.0])
