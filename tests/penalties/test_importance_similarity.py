"""FSMRank's penalty against its double sum, and what the couplings between features must not break."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from core.penalties import L2On, WeightedL1, lifted
from core.penalties.importance_similarity import ImportanceSimilarity

RNG = np.random.default_rng(4)
N = 7
SIMILARITY = lifted(np.corrcoef(RNG.normal(size=(12, N)), rowvar=False))
IMPORTANCE = RNG.uniform(0.1, 1.0, N)
PENALTY = ImportanceSimilarity(IMPORTANCE, SIMILARITY, 0.7)
W = np.where(np.arange(N) % 3 == 0, 0.0, RNG.normal(size=N))


def double_sum(w: np.ndarray) -> float:
    total = sum(abs(w[j]) / IMPORTANCE[j] for j in range(N))
    return total + 0.5 * 0.7 * sum(abs(w[i]) * SIMILARITY[i, j] * abs(w[j]) for i in range(N) for j in range(N))


def test_the_value_is_the_papers_double_sum() -> None:
    assert PENALTY.value(W) == pytest.approx(double_sum(W), rel=1e-13)


def test_weights_are_its_slopes_in_every_direction_at_zero_weights_too() -> None:
    for _ in range(20):
        d = RNG.normal(size=N)
        slope = (double_sum(W + 1e-7 * d) - double_sum(W)) / 1e-7
        along = np.where(W == 0.0, np.abs(d), np.sign(W) * d) @ PENALTY.weights(W)
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
    below, constant = PENALTY.support(W)
    assert below.value(W) + constant == pytest.approx(PENALTY.value(W), rel=1e-13)
    for _ in range(200):
        u = 3.0 * RNG.normal(size=N)
        assert below.value(u) + constant <= PENALTY.value(u) + 1e-12


def test_a_diagonal_is_written_in_one_dimension() -> None:
    short, full = (ImportanceSimilarity(IMPORTANCE, a, 0.7) for a in (np.ones(1), np.eye(N)))
    assert short.value(W) == full.value(W)
    np.testing.assert_array_equal(short.weights(W), full.weights(W))
    np.testing.assert_array_equal(short.curvature(W), full.curvature(W))
    np.testing.assert_allclose(short.prox(W, 0.2), full.prox(W, 0.2), rtol=1e-14)


def test_without_similarity_it_is_a_weighted_l1() -> None:
    plain = ImportanceSimilarity(IMPORTANCE, SIMILARITY, 0.0)
    np.testing.assert_allclose(plain.prox(W, 0.1), WeightedL1(1.0 / IMPORTANCE).prox(W, 0.1), atol=1e-14)


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
