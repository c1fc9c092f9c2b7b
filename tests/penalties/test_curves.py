"""Curve, slope and curvature of every penalty belong together, and penalties have the limits their papers give.

The distance to stationarity against a subdifferential that is measured, not derived.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.penalties import (
    L0,
    L1,
    L2,
    MCP,
    SCAD,
    FeatureWeighted,
    L1Ball,
    L2Budget,
    Log,
    Lp,
    Penalty,
    Refitted,
    Signed,
    WeightedL1,
)
from core.penalties.importance_similarity import ImportanceSimilarity
from tests.penalties.every import KINDS, SEVERAL, SHOWN

T = np.linspace(0.03, 4.99, 311)  # off every kink


@pytest.fixture(
    params=SEVERAL, ids=lambda p: f"{p.title} {'-'.join(f'{v:g}' for v in vars(p).values() if np.isscalar(v))}"
)
def penalty(request: pytest.FixtureRequest) -> Penalty:
    chosen: Penalty = request.param
    return chosen


def test_the_curve_rises_from_zero(penalty: Penalty) -> None:
    assert penalty.curve(np.zeros(1)).item() == 0.0
    assert np.all(np.diff(penalty.curve(np.linspace(0.0, 8.0, 200))) >= 0.0)


def test_weights_are_the_slope_of_the_curve(penalty: Penalty) -> None:
    h = 1e-6
    slope = (penalty.curve(T + h) - penalty.curve(T - h)) / (2 * h)
    assert_allclose(penalty.weights(T), slope, rtol=1e-6, atol=1e-8)
    assert_array_equal(penalty.weights(-T), penalty.weights(T))


def test_the_curvature_is_the_slope_of_the_weights(penalty: Penalty) -> None:
    h = 1e-6
    slope = (penalty.weights(T + h) - penalty.weights(T - h)) / (2 * h)
    assert_allclose(penalty.curvature(T), slope, rtol=1e-6, atol=1e-7)
    assert_array_equal(penalty.curvature(-T), penalty.curvature(T))


def test_a_penalty_lies_below_its_tangents_if_it_is_sparse(penalty: Penalty) -> None:
    """Concave in |w|: what reweighting rests on. The ℓ2 penalty is convex in |w| and keeps every feature."""
    at, point = T[:, None], T[None, :]
    tangent = penalty.curve(at) + penalty.weights(at) * (point - at)
    assert np.all(penalty.curve(point) <= tangent + 1e-12) == penalty.sparse


def test_the_value_is_the_sum_over_features_of_either_sign(penalty: Penalty) -> None:
    w = np.array([0.3, -2.0, 0.0])
    assert penalty.value(w) == pytest.approx(
        penalty.curve(np.array([0.3])).sum() + penalty.curve(np.array([2.0])).sum()
    )


def test_slopes_are_those_of_table_two() -> None:
    """Laporte et al. (2014), Table II."""
    t = np.array([0.25, 1.0, 3.0])
    assert_allclose(Lp(0.5).weights(t), [1.0, 0.5, 0.5 / np.sqrt(3)])
    assert_allclose(Log(0.1).weights(t), [1 / 0.35, 1 / 1.1, 1 / 3.1])
    assert_allclose(MCP(2.0).weights(t), [0.875, 0.5, 0.0])


@pytest.mark.parametrize("penalty", [MCP(1e6), SCAD(1e6)], ids=["MCP", "SCAD"])
def test_with_a_huge_knee_it_is_l1(penalty: Penalty) -> None:
    v = np.linspace(-5, 5, 101)
    assert_allclose(penalty.curve(np.abs(v)), np.abs(v), rtol=1e-5)
    assert_allclose(penalty.weights(v), L1().weights(v), rtol=1e-5)
    assert_allclose(penalty.prox(v, 1.3), L1().prox(v, 1.3), atol=1e-5)


@pytest.mark.parametrize(("penalty", "knee"), [(MCP(0.7), 0.7), (SCAD(0.5, 3.0), 1.5)], ids=["MCP", "SCAD"])
def test_beyond_the_knee_nothing_is_shrunk(penalty: Penalty, knee: float) -> None:
    beyond = np.array([knee, knee + 0.1, 50.0])
    assert not penalty.weights(beyond).any()
    assert np.ptp(penalty.curve(beyond)) < 1e-15


def test_lp_has_an_infinite_weight_at_zero_so_that_zero_stays() -> None:
    w = np.zeros(2)
    assert np.all(np.isposinf(Lp().weights(w)))
    assert not Lp().distance_to_stationarity(w, np.array([1e300, -5.0]), 1e-9).any()


def test_an_infinite_weight_forbids_a_feature_and_a_zero_weight_frees_it() -> None:
    penalty = WeightedL1(np.array([np.inf, 0.0, 2.0]))
    assert penalty.value(np.array([0.0, 5.0, 1.0])) == 2.0
    assert penalty.value(np.array([1e-9, 0.0, 0.0])) == np.inf
    assert_array_equal(penalty.prox(np.array([9.0, 0.4, 9.0]), 0.5), [0.0, 0.4, 8.0])


NO_PENALTY: list[tuple[str, Callable[[float], object], tuple[float, ...]]] = [
    ("must be 0 or more", lambda x: WeightedL1(np.array([1.0, x])), (-0.1, np.nan)),
    ("must be 0 or more", lambda x: FeatureWeighted(L1(), np.array([1.0, x])), (-0.1, np.nan)),
    ("use a sparse penalty", lambda x: FeatureWeighted(L2(), np.full(2, x)), (1.0,)),
    ("positive lambda", lambda x: Refitted(L1(), x), (0.0, -1.0, np.nan, np.inf)),
    (r"sign.*\b1, -1\b.*\b0\b", lambda x: Signed(L1(), np.array([x])), (0.5,)),
    ("one common step", lambda x: ImportanceSimilarity(np.ones(2), np.eye(2), x).prox(np.ones(2), np.ones(2)), (1.0,)),
    ("0 or more", lambda x: ImportanceSimilarity(np.array([1.0, x]), np.eye(2), 1.0), (-1.0,)),
    ("0 or more", lambda x: ImportanceSimilarity(np.ones(2), np.full(2, x), 1.0), (-1.0,)),
    ("0 or more", lambda x: ImportanceSimilarity(np.ones(2), np.eye(2), x), (-1.0, np.nan)),
    ("above 0", L0, (0.0,)),
    ("0 or more", lambda x: L0(1.0, np.array([1.0, x])), (-1.0,)),
    ("must be 0 or more", L2Budget, (-1.0, np.nan)),
    ("must be 0 or more", lambda x: L2Budget(1.0, np.array([x])), (-1.0, np.nan)),
    (r"radius.*\b0 or more", L1Ball, (-1.0, np.nan)),
]


@pytest.mark.parametrize(("words", "make", "values"), NO_PENALTY)
def test_what_no_penalty_can_be_is_refused(
    words: str, make: Callable[[float], object], values: tuple[float, ...]
) -> None:
    for value in values:
        with pytest.raises(ValueError, match=words):
            make(value)


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_out_of_range_are_refused_by_name(kind: type[Penalty]) -> None:
    for parameter in kind.parameters:
        assert parameter.minimum <= parameter.default <= parameter.maximum
        assert vars(kind())[parameter.name] == parameter.default
        for edge in (parameter.minimum, parameter.maximum):
            kind(**{parameter.name: edge})
        for wrong in (parameter.minimum - 1e-3, parameter.maximum * 1.01, np.nan):
            with pytest.raises(ValueError, match=rf"\b{parameter.name}\b.*between"):
                kind(**{parameter.name: wrong})


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


@pytest.mark.parametrize("w", [0.0, 1e-3])
def test_a_forbidden_feature_is_stationary_only_at_zero(w: float) -> None:
    distance = WeightedL1(np.array([np.inf])).distance_to_stationarity(np.array([w]), np.array([7.0]), LAM).item()
    assert distance == (0.0 if w == 0.0 else np.inf)
