"""A penalty weighted by feature is the sum of its features' penalties, each times its factor."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.penalties import L1, L2, FeatureWeighted, Penalty, WeightedL1
from tests.penalties.every import SHOWN

BASES: list[Penalty] = [penalty for penalty in SHOWN if penalty.sparse]
FACTORS = np.array([0.4, 1.0, 2.5, 0.0, np.inf])
ORDINARY = slice(0, 3)
FREE, FORBIDDEN = 3, 4
every_base = pytest.mark.parametrize("base", BASES, ids=lambda p: p.title)


@every_base
def test_its_value_is_the_weighted_sum_over_features(base: Penalty) -> None:
    w = np.array([0.3, -2.0, 0.0, 7.0, 0.0])
    by_hand = sum(factor * base.value(np.array([x])) for factor, x in zip(FACTORS[:4], w[:4], strict=True))
    assert FeatureWeighted(base, FACTORS).value(w) == pytest.approx(by_hand)


@every_base
def test_a_forbidden_feature_makes_the_value_infinite_unless_its_weight_is_zero(base: Penalty) -> None:
    w = np.array([0.0, 0.0, 0.0, 0.0, 1e-9])
    assert FeatureWeighted(base, FACTORS).value(w) == np.inf
    assert FeatureWeighted(base, FACTORS).value(0.0 * w) == 0.0


@every_base
@pytest.mark.parametrize("size", [0.0, 0.2, 3.0])
def test_slopes_and_curvatures_are_those_of_the_penalty_times_the_factor(base: Penalty, size: float) -> None:
    weighted, w = FeatureWeighted(base, FACTORS), np.full(5, -size)
    assert_allclose(weighted.weights(w)[ORDINARY], FACTORS[ORDINARY] * base.weights(w)[ORDINARY])
    assert_allclose(weighted.curvature(w)[ORDINARY], FACTORS[ORDINARY] * base.curvature(w)[ORDINARY])
    # Whatever the penalty's own slope: that of ℓp is infinite at 0, that of MCP is 0 beyond the knee.
    assert weighted.weights(w)[FREE] == weighted.curvature(w)[FREE] == 0.0
    assert weighted.weights(w)[FORBIDDEN] == np.inf


@every_base
def test_the_first_round_of_reweighting_knows_the_factors(base: Penalty) -> None:
    assert_array_equal(FeatureWeighted(base, FACTORS).first_weights(5), FACTORS)


@every_base
@pytest.mark.parametrize("step", [0.05, 1.1, 6.0])
def test_no_point_of_a_dense_grid_is_better_than_its_prox(base: Penalty, step: float) -> None:
    weighted = FeatureWeighted(base, FACTORS)
    for v in (-4.0, -0.6, 0.0, 0.3, 1.7):
        u = weighted.prox(np.full(5, v), step)
        points = np.concatenate([np.linspace(-4.5, 4.5, 9001), [0.0, v]])
        for factor, reached in zip(FACTORS[ORDINARY], u[ORDINARY], strict=True):
            objective = 0.5 * (points - v) ** 2 + step * factor * base.curve(np.abs(points))
            own = 0.5 * (reached - v) ** 2 + step * factor * base.curve(np.abs(np.array([reached]))).item()
            assert own <= objective.min() + 1e-9
        assert u[FREE] == v
        assert u[FORBIDDEN] == 0.0


@every_base
def test_stationarity_is_feature_by_feature_that_of_the_scaled_penalty(base: Penalty) -> None:
    """At zero a slope up to lam times factor times g'(0) is allowed; elsewhere it is met."""
    weighted, lam = FeatureWeighted(base, FACTORS), 0.3
    w, gradient = np.array([0.0, 0.8, -0.8, 0.8, 0.0]), np.array([1.9, -0.2, 0.7, 0.25, 1e9])
    distance = weighted.distance_to_stationarity(w, gradient, lam)
    for j in range(3):
        alone = base.distance_to_stationarity(w[j : j + 1], gradient[j : j + 1], lam * FACTORS[j]).item()
        assert distance[j] == pytest.approx(alone)
    assert distance[FREE] == 0.25
    assert distance[FORBIDDEN] == 0.0


@every_base
def test_with_factors_of_one_nothing_changes(base: Penalty) -> None:
    weighted, w = FeatureWeighted(base, np.ones(4)), np.array([0.0, 0.1, -0.6, 4.0])
    assert weighted.value(w) == base.value(w)
    assert_array_equal(weighted.weights(w), base.weights(w))
    assert_array_equal(weighted.curvature(w), base.curvature(w))
    assert_array_equal(weighted.prox(w, 0.7), base.prox(w, 0.7))
    assert weighted.convex == base.convex
    assert weighted.sparse


def test_of_l1_it_is_weighted_l1() -> None:
    factors = np.array([0.4, 1.0, 2.5, np.inf])
    ours, theirs = FeatureWeighted(L1(), factors), WeightedL1(factors)
    w, gradient = np.array([0.5, -2.0, 0.0, 0.0]), np.array([0.3, -0.1, 0.2, 40.0])
    assert ours.value(w) == theirs.value(w)
    assert ours.dual_bound(1.3, 0.6, gradient, 0.1) == pytest.approx(theirs.dual_bound(1.3, 0.6, gradient, 0.1))
    assert ours.dual_bound(1.3, 0.6, gradient, 0.1) != L1().dual_bound(1.3, 0.6, gradient, 0.1)


def test_a_free_feature_offers_no_bound_unless_its_slope_is_zero() -> None:
    penalty = FeatureWeighted(L1(), np.array([0.0, 1.0]))
    assert penalty.dual_bound(1.0, 1.0, np.array([0.5, 0.5]), 0.1) is None
    assert penalty.dual_bound(1.0, 1.0, np.array([0.0, 0.5]), 0.1) == L1().dual_bound(
        1.0, 1.0, np.array([0.0, 0.5]), 0.1
    )


@pytest.mark.parametrize("factors", [[1.0, -0.1], [np.nan, 1.0]])
def test_factors_below_zero_are_refused(factors: list[float]) -> None:
    with pytest.raises(ValueError, match="must be 0 or more"):
        FeatureWeighted(L1(), np.array(factors))


def test_a_penalty_that_keeps_every_feature_is_refused() -> None:
    with pytest.raises(ValueError, match="use a sparse penalty"):
        FeatureWeighted(L2(), np.ones(2))
