"""A penalty with signs is infinite on the wrong side, and its prox and residual know that."""

from __future__ import annotations

import numpy as np
import pytest

from core.penalties import Penalty, Signed
from tests.penalties.every import SHOWN

BASES: list[Penalty] = [penalty for penalty in SHOWN if penalty.sparse]
every_base = pytest.mark.parametrize("base", BASES, ids=lambda p: p.title)
SIGNS = np.array([1.0, -1.0, 0.0])


@every_base
def test_its_value_is_infinite_on_the_wrong_side_only(base: Penalty) -> None:
    signed = Signed(base, SIGNS)
    assert signed.value(np.array([0.5, -0.5, -2.0])) == base.value(np.array([0.5, -0.5, -2.0]))
    assert signed.value(np.array([-1e-9, 0.0, 0.0])) == np.inf
    assert signed.value(np.array([0.0, 1e-9, 0.0])) == np.inf


@every_base
@pytest.mark.parametrize("step", [0.05, 1.1])
@pytest.mark.parametrize("v", [-4.0, -0.6, 0.0, 0.3, 1.7])
def test_no_allowed_point_of_a_dense_grid_is_better_than_its_prox(base: Penalty, step: float, v: float) -> None:
    reached = Signed(base, SIGNS).prox(np.full(3, v), step)
    points = np.concatenate([np.linspace(-4.5, 4.5, 9001), [0.0, v]])
    objective = 0.5 * (points - v) ** 2 + step * base.curve(np.abs(points))
    for sign, u in zip(SIGNS, reached, strict=True):
        own = 0.5 * (u - v) ** 2 + step * base.curve(np.abs(np.array([u]))).item()
        assert sign * u >= 0.0
        assert own <= objective[sign * points >= 0.0].min() + 1e-9


@every_base
def test_a_weight_that_its_sign_holds_at_zero_is_stationary_however_steep_the_loss(base: Penalty) -> None:
    signed, held = Signed(base, SIGNS), np.array([9.0, -9.0, 0.0])
    assert not signed.distance_to_stationarity(np.zeros(3), held, 0.1).any()
    free = signed.distance_to_stationarity(np.zeros(3), -held, 0.1)
    np.testing.assert_array_equal(free, base.distance_to_stationarity(np.zeros(3), -held, 0.1))


def test_a_sign_is_one_of_three_numbers() -> None:
    with pytest.raises(ValueError, match=r"sign.*\b1, -1\b.*\b0\b"):
        Signed(BASES[0], np.array([0.5]))
