"""A penalty weighted by feature is the sum of its features' penalties, each times its factor.

The penalty of a refit is the ridge on a support, told in lambdas of the penalty that found it.
A penalty with signs is infinite on the wrong side, and its prox and residual know that.
FSMRank's penalty against its double sum, and what the couplings between features must not break.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize

from core.penalties import L1, FeatureWeighted, L2On, Penalty, Refitted, Signed, WeightedL1, lifted
from core.penalties.base import DualRay
from core.penalties.coupled import ImportanceSimilarity
from tests.penalties.every import SHOWN

BASES: list[Penalty] = [penalty for penalty in SHOWN if penalty.sparse]
FACTORS = np.array([0.4, 1.0, 2.5, 0.0, np.inf])
ORDINARY = slice(0, 3)
RAY = DualRay(1.3, 0.6)
FREE, FORBIDDEN = 3, 4
every_base = pytest.mark.parametrize("base", BASES, ids=lambda p: p.title)


@every_base
def test_its_value_is_the_weighted_sum_over_features(base: Penalty) -> None:
    w = np.array([0.3, -2.0, 0.0, 7.0, 0.0])
    by_hand = sum(factor * base.value(np.array([x])) for factor, x in zip(FACTORS[:4], w[:4], strict=True))
    weighted = FeatureWeighted(base, FACTORS)
    assert weighted.value(w) == pytest.approx(by_hand)
    assert weighted.value(w + 1e-9 * np.eye(5)[FORBIDDEN]) == np.inf, "the last one is forbidden"
    assert (weighted.convex, weighted.sparse) == (base.convex, True)


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


def test_of_l1_it_is_weighted_l1() -> None:
    factors = np.array([0.4, 1.0, 2.5, np.inf])
    ours, theirs = FeatureWeighted(L1(), factors), WeightedL1(factors)
    w, gradient = np.array([0.5, -2.0, 0.0, 0.0]), np.array([0.3, -0.1, 0.2, 40.0])
    assert ours.value(w) == theirs.value(w)
    assert ours.dual_bound(RAY, gradient, 0.1) == pytest.approx(theirs.dual_bound(RAY, gradient, 0.1))
    assert ours.dual_bound(RAY, gradient, 0.1) != L1().dual_bound(RAY, gradient, 0.1)


def test_a_free_feature_offers_no_bound_unless_its_slope_is_zero() -> None:
    penalty = FeatureWeighted(L1(), np.array([0.0, 1.0]))
    assert penalty.dual_bound(RAY, np.array([0.5, 0.5]), 0.1) is None
    steady = np.array([0.0, 0.5])
    assert penalty.dual_bound(RAY, steady, 0.1) == L1().dual_bound(RAY, steady, 0.1)


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


def test_it_is_not_convex_and_as_sparse_as_what_selects() -> None:
    """No penalty has the model as its minimiser among all models, so no gap among all may be told."""
    assert (RIDGE.convex, RIDGE.sparse) == (False, True)
    assert RIDGE.dual_bound(RAY, W, 0.5) is None


SIGNS = np.array([1.0, -1.0, 0.0])


@every_base
def test_its_value_is_infinite_on_the_wrong_side_only(base: Penalty) -> None:
    signed = Signed(base, SIGNS)
    assert signed.value(np.array([0.5, -0.5, -2.0])) == base.value(np.array([0.5, -0.5, -2.0]))
    assert signed.value(np.array([-1e-9, 0.0, 0.0])) == np.inf
    assert signed.value(np.array([0.0, 1e-9, 0.0])) == np.inf


@every_base
def test_a_weight_that_its_sign_holds_at_zero_is_stationary_however_steep_the_loss(base: Penalty) -> None:
    signed, held = Signed(base, SIGNS), np.array([9.0, -9.0, 0.0])
    assert not signed.distance_to_stationarity(np.zeros(3), held, 0.1).any()
    free = signed.distance_to_stationarity(np.zeros(3), -held, 0.1)
    np.testing.assert_array_equal(free, base.distance_to_stationarity(np.zeros(3), -held, 0.1))


RNG = np.random.default_rng(4)
N = 7
SIMILARITY = lifted(np.corrcoef(RNG.normal(size=(12, N)), rowvar=False))
IMPORTANCE = RNG.uniform(0.1, 1.0, N)
PENALTY = ImportanceSimilarity(IMPORTANCE, SIMILARITY, 0.7)
WEIGHTS = np.where(np.arange(N) % 3 == 0, 0.0, RNG.normal(size=N))


def double_sum(w: np.ndarray) -> float:
    total = sum(abs(w[j]) / IMPORTANCE[j] for j in range(N))
    return total + 0.5 * 0.7 * sum(abs(w[i]) * SIMILARITY[i, j] * abs(w[j]) for i in range(N) for j in range(N))


def test_the_value_is_the_papers_double_sum() -> None:
    assert PENALTY.value(WEIGHTS) == pytest.approx(double_sum(WEIGHTS), rel=1e-13)


def test_weights_are_its_slopes_in_every_direction_at_zero_weights_too() -> None:
    for _ in range(20):
        d = RNG.normal(size=N)
        slope = (double_sum(WEIGHTS + 1e-7 * d) - double_sum(WEIGHTS)) / 1e-7
        along = np.where(WEIGHTS == 0.0, np.abs(d), np.sign(WEIGHTS) * d) @ PENALTY.weights(WEIGHTS)
        assert slope == pytest.approx(along, rel=1e-5)


@pytest.mark.parametrize("step", [0.01, 0.3, 5.0])
def test_the_prox_is_the_minimiser_that_a_general_optimiser_finds(step: float) -> None:
    v = 2.0 * RNG.normal(size=N)

    def objective(parts: np.ndarray) -> float:
        u = parts[:N] - parts[N:]
        size = parts[:N] + parts[N:]
        return 0.5 * ((u - v) @ (u - v)) + step * (size @ (1.0 / IMPORTANCE) + 0.35 * size @ SIMILARITY @ size)

    found = minimize(objective, np.zeros(2 * N), bounds=[(0.0, None)] * (2 * N), options={"ftol": 1e-15, "gtol": 1e-9})
    u = PENALTY.prox(v, step)
    assert 0.5 * ((u - v) @ (u - v)) + step * double_sum(u) <= found.fun + 1e-12
    np.testing.assert_allclose(u, found.x[:N] - found.x[N:], atol=1e-5)


def test_the_prox_satisfies_its_optimality_condition_exactly() -> None:
    v = 2.0 * RNG.normal(size=N)
    u = PENALTY.prox(v, 0.1)
    assert 0 < np.count_nonzero(u) < N
    assert PENALTY.distance_to_stationarity(u, u - v, 0.1).max() < 1e-11


def test_its_support_lies_below_it_and_touches_it() -> None:
    below, constant = PENALTY.support(WEIGHTS)
    assert below.value(WEIGHTS) + constant == pytest.approx(PENALTY.value(WEIGHTS), rel=1e-13)
    for _ in range(200):
        u = 3.0 * RNG.normal(size=N)
        assert below.value(u) + constant <= PENALTY.value(u) + 1e-12


def test_a_diagonal_is_written_in_one_dimension() -> None:
    short, full = (ImportanceSimilarity(IMPORTANCE, a, 0.7) for a in (np.ones(1), np.eye(N)))
    assert short.value(WEIGHTS) == full.value(WEIGHTS)
    np.testing.assert_array_equal(short.weights(WEIGHTS), full.weights(WEIGHTS))
    np.testing.assert_array_equal(short.curvature(WEIGHTS), full.curvature(WEIGHTS))
    np.testing.assert_allclose(short.prox(WEIGHTS, 0.2), full.prox(WEIGHTS, 0.2), rtol=1e-14)


def test_without_similarity_it_is_a_weighted_l1() -> None:
    plain = ImportanceSimilarity(IMPORTANCE, SIMILARITY, 0.0)
    np.testing.assert_allclose(plain.prox(WEIGHTS, 0.1), WeightedL1(1.0 / IMPORTANCE).prox(WEIGHTS, 0.1), atol=1e-14)


def test_importance_zero_forbids_a_feature_and_costs_nothing_else() -> None:
    penalty = ImportanceSimilarity(np.array([0.0, 1.0]), np.eye(2), 1.0)
    assert penalty.value(np.array([0.0, 2.0])) == 4.0
    assert penalty.value(np.array([1e-9, 2.0])) == np.inf
    np.testing.assert_array_equal(penalty.prox(np.array([9.0, 3.0]), 1.0), [0.0, 1.0])


def test_absolute_correlations_need_lifting_to_be_positive_semi_definite() -> None:
    """A cycle of four features, each like the next, the last like the first's negative."""
    a = 0.7
    cycle = np.array([[1.0, a, 0.0, -a], [a, 1.0, a, 0.0], [0.0, a, 1.0, a], [-a, 0.0, a, 1.0]])
    assert np.linalg.eigvalsh(cycle)[0] > 0.0
    lowest = np.linalg.eigvalsh(np.abs(cycle))[0]
    assert lowest < -0.3
    raised = lifted(cycle)
    assert np.linalg.eigvalsh(raised)[0] == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_allclose(raised - np.abs(cycle), -lowest * np.eye(4), atol=1e-15)
    np.testing.assert_array_equal(lifted(np.eye(3)), np.eye(3))


def test_l2_on_chosen_features_holds_the_others_at_zero() -> None:
    penalty = L2On(np.array([2, 0]))
    assert penalty.value(np.array([1.0, 0.0, 2.0])) == 2.5
    assert penalty.value(np.array([1.0, 1e-9, 2.0])) == np.inf
    np.testing.assert_array_equal(penalty.prox(np.array([3.0, 9.0, 2.0]), 1.0), [1.5, 0.0, 1.0])
    np.testing.assert_array_equal(
        penalty.distance_to_stationarity(np.array([1.0, 0.0, 2.0]), np.array([-0.5, 9.0, 0.0]), 0.5), [0.0, 0.0, 1.0]
    )
