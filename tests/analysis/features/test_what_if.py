"""What if: factors from switches and costs, and what a refit under them changes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.analysis.features.what_if import feature_changes, penalty_factors, weighted
from core.methods import METHODS, Method, get_method
from core.solvers import Stop
from tests.oracles import RankSvm, optimum, ranking_problem

DATA = ranking_problem()
SPARSE = [method for method in METHODS if method.separable]


def test_a_cost_counts_by_its_share_of_the_mean() -> None:
    assert_allclose(penalty_factors(3, costs=np.array([10.0, 20.0, 60.0])), [1 / 3, 2 / 3, 2.0])


def test_without_rules_every_factor_is_one() -> None:
    assert_array_equal(penalty_factors(4), np.ones(4))
    assert_array_equal(penalty_factors(3, costs=np.array([0.0, 0.0, 5.0]), off=[2]), [0.0, 0.0, np.inf])


def test_what_a_feature_costs_that_is_off_changes_no_model() -> None:
    """The price of the others was in units of a mean to which it belonged."""
    method = get_method("l1")
    training = method.training(DATA)
    costs = np.linspace(1.0, 3.0, 15)
    fits = []
    for of_first in (0.01, 1.0, 1e4):
        costs[0] = of_first
        fits.append(weighted(method, penalty_factors(15, costs=costs, off=[0])).fit(training, training.lam_at(0.05)))
    for fit in fits[1:]:
        assert_array_equal(fit.weights, fits[0].weights)
    rest = DATA.with_features(DATA.features[:, 1:], DATA.feature_names[1:])
    without = weighted(method, penalty_factors(14, costs=costs[1:])).fit(method.training(rest), fits[0].lam)
    assert without.result.objective == pytest.approx(fits[0].result.objective, rel=1e-5)
    assert_array_equal(penalty_factors(2, costs=np.array([7.0, 7.0])), np.ones(2))


def test_off_forbids_and_forced_in_frees_and_off_wins() -> None:
    assert_array_equal(penalty_factors(4, off=[0, 2], forced=[1, 2]), [np.inf, 0.0, np.inf, 1.0])


@pytest.mark.parametrize("costs", [[1.0, -1.0], [1.0, np.nan], [1.0, np.inf], [1.0]])
def test_costs_that_are_no_costs_are_refused(costs: list[float]) -> None:
    with pytest.raises(ValueError, match=r"\b2 features\b.*\b2 costs\b"):
        penalty_factors(2, costs=np.array(costs))


def test_costs_of_nothing_but_zero_are_refused() -> None:
    with pytest.raises(ValueError, match=r"at least one cost.*above 0"):
        penalty_factors(2, costs=np.zeros(2))


def test_l1_under_costs_is_the_optimum_over_explicit_pairs() -> None:
    method, factors = get_method("l1"), penalty_factors(15, costs=np.arange(1.0, 16.0), off=[0], forced=[1])
    training = method.training(DATA)
    lam = training.lam_at(0.05)
    fit = weighted(method, factors).fit(training, lam, stop=Stop(tol=1e-10))
    expected, best = optimum(RankSvm.of(DATA), lam, factors)
    assert fit.result.objective == pytest.approx(best, rel=1e-9)
    assert_allclose(fit.weights, expected, atol=1e-4)


@pytest.mark.parametrize(
    ("method", "solver"),
    [
        pytest.param(method, solver.id, id=f"{method.id} by {solver.id}")
        for method in SPARSE
        for solver in method.solvers
    ],
)
def test_every_solver_of_every_sparse_method_keeps_the_rules(method: Method, solver: str) -> None:
    training = method.training(DATA)
    strongest = int(method.fit(training, training.lam_at(0.05)).selected[0])
    factors = penalty_factors(15, off=[strongest], forced=[14])
    fit = weighted(method, factors).fit(training, training.lam_at(0.05), solver=solver, stop=Stop(max_steps=300))
    assert fit.weights[strongest] == 0.0
    assert fit.weights[14] != 0.0


@pytest.mark.parametrize("method", SPARSE, ids=lambda m: m.id)
def test_of_two_copies_the_cheap_one_is_kept(method: Method) -> None:
    twins = DATA.with_features(np.hstack([DATA.features, DATA.features]), [f"f{j}" for j in range(30)])
    training = method.training(twins)
    costs = np.where(np.arange(30) < 15, 3.0, 1.0)
    # The search has the right set from its beginning; to prove it among so many copies takes a minute.
    stop = Stop(max_steps=20) if method.id == "l0" else None
    fit = weighted(method, penalty_factors(30, costs=costs)).fit(training, training.lam_at(0.03), stop=stop)
    assert not fit.weights[:15].any()
    assert fit.weights[15:].any()


def test_changes_say_who_comes_goes_and_stays_largest_first() -> None:
    method = get_method("l1")
    training = method.training(DATA)
    before = method.fit(training, training.lam_at(0.2))
    gone = int(before.selected[0])
    after = weighted(method, penalty_factors(15, off=[gone])).fit(training, training.lam_at(0.2))
    changes = feature_changes(before, after)
    assert {row.feature for row in changes} == set(np.flatnonzero((before.weights != 0.0) | (after.weights != 0.0)))
    for row in changes:
        assert (row.before, row.after) == (before.weights[row.feature], after.weights[row.feature])
        assert row.name == DATA.feature_names[row.feature]
        assert (
            row.change
            == {(True, True): "kept", (True, False): "out", (False, True): "in"}[row.before != 0.0, row.after != 0.0]
        )
    assert next(row.change for row in changes if row.feature == gone) == "out"
    sizes = [max(abs(row.before), abs(row.after)) for row in changes]
    assert sizes == sorted(sizes, reverse=True)
