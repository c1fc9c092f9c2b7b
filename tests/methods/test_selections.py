"""Selections by hand do what their names say, and none is better than the best subset."""

from __future__ import annotations

import numpy as np
import pytest

from core.methods import Method, get_method
from core.penalties import L2Budget, L2On
from core.solvers import BranchAndBound, OnChosenFeatures, Problem, Stop, solve
from core.solvers.best_subset.selections import backward_by_weight, forward, selected
from tests.oracles import ranking_problem

DATA = ranking_problem(2, n_queries=12, n_features=9)
K = 3
BY_HAND = ("forward", "rfe", "elimination", "exchange")
TRAINING = get_method("l2").training(DATA)
LAM = TRAINING.lam_at(0.01)


def ridge(columns: list[int]) -> float:
    """The ridge objective on these features, by a solver that knows no subsets."""
    problem = Problem(DATA.features, TRAINING.loss, L2On(np.array(columns, dtype=np.int64)), LAM)
    return solve(OnChosenFeatures(), problem, Stop(tol=1e-10)).objective


def chosen_by(method_id: str) -> list[int]:
    fit = get_method(method_id).fit(TRAINING, LAM, parameters={"k": float(K)})
    assert fit.result.stop == "converged"
    assert fit.result.certificate.among == "on these features"
    return sorted(np.flatnonzero(fit.weights).tolist())


def without(columns: list[int], j: int) -> list[int]:
    return [c for c in columns if c != j]


def test_forward_adds_what_lowers_the_objective_most() -> None:
    chosen: list[int] = []
    for _ in range(K):
        chosen.append(min((j for j in range(9) if j not in chosen), key=lambda j: ridge([*chosen, j])))
    assert chosen_by("forward") == sorted(chosen)


def test_elimination_by_weight_drops_the_smallest_weight() -> None:
    left = list(range(9))
    while len(left) > K:
        problem = Problem(DATA.features, TRAINING.loss, L2On(np.array(left)), LAM)
        w = solve(OnChosenFeatures(), problem, Stop(tol=1e-10)).weights
        left = without(left, min(left, key=lambda j: abs(w[j])))
    assert chosen_by("rfe") == left


def test_elimination_by_curvature_drops_what_is_missed_least() -> None:
    """Here the quadratic model agrees with the objective itself about which feature that is."""
    left = list(range(9))
    while len(left) > K:
        left = without(left, min(left, key=lambda j: ridge(without(left, j))))
    assert chosen_by("elimination") == left


def test_no_exchange_of_one_feature_is_left() -> None:
    chosen = chosen_by("exchange")
    reached = ridge(chosen)
    others = [j for j in range(9) if j not in chosen]
    assert all(ridge([*without(chosen, i), j]) >= reached * (1.0 - 1e-6) for i in chosen for j in others)


@pytest.mark.parametrize("method_id", BY_HAND)
def test_none_is_better_than_the_best_subset(method_id: str) -> None:
    best = solve(BranchAndBound(), Problem(DATA.features, TRAINING.loss, L2Budget(K), LAM), Stop(tol=1e-5))
    assert best.stop == "converged"
    assert ridge(chosen_by(method_id)) >= best.objective * (1.0 - 1e-9)


@pytest.mark.parametrize("method_id", BY_HAND)
def test_more_features_than_there_are_means_all(method_id: str) -> None:
    method: Method = get_method(method_id)
    assert np.count_nonzero(method.fit(TRAINING, LAM, parameters={"k": 100.0}).weights) == 9


def test_costs_are_kept_to_and_free_features_stay() -> None:
    costs = np.array([0.0, np.inf, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0])
    problem = Problem(DATA.features, TRAINING.loss, L2Budget(3.0, costs), LAM)
    for select in (forward, backward_by_weight):
        chosen = selected(select, problem)
        assert 0 in chosen
        assert 1 not in chosen
        assert costs[chosen].sum() <= 3.0
