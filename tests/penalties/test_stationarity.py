"""The distance to stationarity against a subdifferential that is measured, not derived."""

from __future__ import annotations

import numpy as np
import pytest

from core.penalties import Lp, Penalty, WeightedL1
from tests.penalties.every import SHOWN

LAM = 0.3


@pytest.mark.parametrize("gradient", [-2.0, -0.3, -0.1, 0.0, 0.29, 0.31, 3.5])
@pytest.mark.parametrize("w", [-1.3, -0.02, 0.0, 0.4, 2.0])
@pytest.mark.parametrize("penalty", [*SHOWN, WeightedL1(np.array([2.5]))], ids=lambda p: p.title)
def test_it_is_the_distance_of_zero_from_the_measured_subdifferential(
    penalty: Penalty, w: float, gradient: float
) -> None:
    h = 1e-7

    def omega(t: float) -> float:
        return LAM * penalty.curve(np.array([abs(t)])).item()

    # One-sided slopes: they differ at 0 only, and what lies between them is the subdifferential.
    left, right = (omega(w) - omega(w - h)) / h, (omega(w + h) - omega(w)) / h
    nearest = np.clip(-gradient, left, right)
    measured = abs(gradient + nearest)
    distance = penalty.distance_to_stationarity(np.array([w]), np.array([gradient]), LAM).item()
    assert distance == pytest.approx(measured, abs=1e-4)


def test_lp_is_smooth_away_from_zero() -> None:
    distance = Lp(0.5).distance_to_stationarity(np.array([0.25, -0.25]), np.array([-0.3, 0.5]), LAM)
    assert distance == pytest.approx([0.0, 0.2])


@pytest.mark.parametrize("w", [0.0, 1e-3])
def test_a_forbidden_feature_is_stationary_only_at_zero(w: float) -> None:
    distance = WeightedL1(np.array([np.inf])).distance_to_stationarity(np.array([w]), np.array([7.0]), LAM).item()
    assert distance == (0.0 if w == 0.0 else np.inf)
