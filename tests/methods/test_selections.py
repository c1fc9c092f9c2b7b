"""Selections by hand do what their names say, and none is better than the best subset.

A selection of features that takes long can be stopped on its way, and goes on to the same features.
The best subset as a method: rules for features are constraints of its search.
"""

from collections.abc import Callable

import numpy as np
import pytest

from core.analysis.features.rules import Rules
from core.analysis.features.what_if import weighted
from core.methods import Method, get_method
from core.penalties import L2Budget, L2On
from core.solvers import BranchAndBound, OnChosenFeatures, Problem, Stop, solve
from core.solvers.best_subset.selections import backward_by_weight, forward, selected
from tests.oracles import ranking_problem
from tests.says import assert_says

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


def weight_of(columns: list[int], j: int) -> float:
    problem = Problem(DATA.features, TRAINING.loss, L2On(np.array(columns)), LAM)
    return float(abs(solve(OnChosenFeatures(), problem, Stop(tol=1e-10)).weights[j]))


@pytest.mark.parametrize(
    ("method_id", "missed"),
    [("rfe", weight_of), ("elimination", lambda columns, j: ridge(without(columns, j)))],
    ids=["by weight", "by curvature"],
)
def test_elimination_drops_what_is_missed_least(method_id: str, missed: Callable[[list[int], int], float]) -> None:
    """The smallest weight; or by the quadratic model, which here agrees with the objective about which that is."""
    left = list(range(9))
    while len(left) > K:
        left = without(left, min(left, key=lambda j: missed(left, j)))
    assert chosen_by(method_id) == left


def test_forward_adds_what_lowers_the_objective_most() -> None:
    chosen: list[int] = []
    for _ in range(K):
        chosen.append(min((j for j in range(9) if j not in chosen), key=lambda j: ridge([*chosen, j])))
    assert chosen_by("forward") == sorted(chosen)


def test_no_exchange_of_one_feature_is_left() -> None:
    chosen = chosen_by("exchange")
    reached = ridge(chosen)
    others = [j for j in range(9) if j not in chosen]
    assert all(ridge([*without(chosen, i), j]) >= reached * (1.0 - 1e-6) for i in chosen for j in others)


@pytest.mark.parametrize("method_id", BY_HAND)
def test_none_is_better_than_the_best_subset_and_all_features_are_the_most(method_id: str) -> None:
    best = solve(BranchAndBound(), Problem(DATA.features, TRAINING.loss, L2Budget(K), LAM), Stop(tol=1e-5))
    assert best.stop == "converged"
    assert ridge(chosen_by(method_id)) >= best.objective * (1.0 - 1e-9)
    assert np.count_nonzero(get_method(method_id).fit(TRAINING, LAM, parameters={"k": 100.0}).weights) == 9


def test_costs_are_kept_to_and_free_features_stay() -> None:
    costs = np.array([0.0, np.inf, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0])
    problem = Problem(DATA.features, TRAINING.loss, L2Budget(3.0, costs), LAM)
    for select in (forward, backward_by_weight):
        chosen = selected(select, problem)
        assert 0 in chosen
        assert 1 not in chosen
        assert costs[chosen].sum() <= 3.0


SELECTING = ("forward", "rfe", "elimination", "exchange", "fsmsvm")


@pytest.fixture
def every_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver looks at the clock whenever it can, as if everything took long."""
    monkeypatch.setattr("core.solvers.refit.SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr("core.solvers.best_subset.incumbents.MANY_ENTRIES", 0)


@pytest.mark.parametrize("method_id", SELECTING)
def test_a_time_limit_holds_during_a_selection_which_goes_on_to_the_same_features(
    method_id: str, every_look: None
) -> None:
    method: Method = get_method(method_id)
    parameters = {method.parameters[0].name: 3.0}
    run = method.run(method.training(DATA), LAM, parameters=parameters, stop=Stop(max_seconds=0.0))
    stopped = run.finish().result
    assert stopped.stop == "time limit"
    assert stopped.nonzero == 0
    assert stopped.trace[-1].provisional
    assert stopped.objective == TRAINING.loss.evaluate(np.zeros(DATA.n_documents)).value
    assert 1.0 < stopped.certificate.relative < np.inf  # a gap this wide claims no optimum
    run.steps.stop = Stop()
    looks = 0
    while not run.done:
        run.advance()
        looks += run.steps.trace[-1].provisional
    assert looks > 2
    at_once = method.fit(method.training(DATA), LAM, parameters=parameters)
    np.testing.assert_array_equal(run.fit().weights, at_once.weights)
    assert np.count_nonzero(at_once.weights) == 3


def test_the_search_for_the_best_subset_can_be_stopped_before_its_first_model(every_look: None) -> None:
    problem = Problem(DATA.features, TRAINING.loss, L2Budget(3), LAM)
    looking = solve(BranchAndBound(), problem, Stop(tol=1e-5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.solvers.best_subset.incumbents.MANY_ENTRIES", 1 << 40)
        at_once = solve(BranchAndBound(), problem, Stop(tol=1e-5))
    assert looking.stop == at_once.stop == "converged"
    assert looking.steps > at_once.steps + 5  # no standstill, though the objective stays
    np.testing.assert_array_equal(looking.weights, at_once.weights)


@pytest.mark.parametrize("most", ["ENTRIES_OF_A_VISIT", "FEATURES_OF_A_VISIT"])
def test_a_step_of_the_search_looks_at_fewer_nodes_of_much_data(monkeypatch: pytest.MonkeyPatch, most: str) -> None:
    problem = Problem(DATA.features, TRAINING.loss, L2Budget(3), LAM)
    usual = solve(BranchAndBound(), problem, Stop(tol=1e-7))
    monkeypatch.setattr(f"core.solvers.best_subset.tree.{most}", 0)
    short = solve(BranchAndBound(), problem, Stop(tol=1e-7))
    assert short.steps > usual.steps
    np.testing.assert_array_equal(short.weights, usual.weights)


def test_what_one_lambda_has_selected_is_not_selected_again(every_look: None) -> None:
    method = get_method("rfe")
    training = method.training(DATA)
    first = method.fit(training, LAM).result
    again = method.fit(training, LAM).result
    assert any(point.provisional for point in first.trace)
    assert not any(point.provisional for point in again.trace)
    np.testing.assert_array_equal(first.weights, again.weights)


METHOD = get_method("best-subset")
OF_EIGHT = METHOD.training(ranking_problem(4, n_features=8))
OF_EIGHT_LAM = OF_EIGHT.lam_at(0.01)


def test_features_that_are_off_forced_or_dear_are_constraints_of_the_search() -> None:
    plain = METHOD.fit(OF_EIGHT, OF_EIGHT_LAM, parameters={"k": 2.0})
    best = int(plain.selected[0])
    forced = int(np.setdiff1d(np.arange(8), plain.selected)[0])
    under = Rules.of(8, off=[best], forced=[forced]).applied(METHOD)
    fit = under.fit(OF_EIGHT, OF_EIGHT_LAM, parameters={"k": 2.0})
    assert fit.weights[best] == 0.0
    assert fit.weights[forced] != 0.0
    assert fit.result.nonzero == 3  # the forced one is free
    assert fit.result.stop == "converged"
    assert_says(fit.result.certificate.among, "at most 2 features", "free", "without", "off")
    costs = np.where(np.isin(np.arange(8), plain.selected), 3.0, 1.0)
    cheap = Rules.of(8, costs=costs).applied(METHOD).fit(OF_EIGHT, OF_EIGHT_LAM, parameters={"k": 2.0})
    assert (costs / costs.mean())[cheap.weights != 0.0].sum() <= 2.0 + 1e-9


def test_features_that_are_off_or_forced_have_an_infinite_l0_price_or_none() -> None:
    method, lam = get_method("l0"), OF_EIGHT.lam_at(0.03)
    plain = method.fit(OF_EIGHT, lam)
    best, out = int(plain.selected[0]), int(np.flatnonzero(plain.weights == 0.0)[0])
    fit = Rules.of(8, off=[best], forced=[out]).applied(method).fit(OF_EIGHT, lam)
    assert (fit.weights[best] != 0.0, fit.weights[out] != 0.0, fit.result.stop) == (False, True, "converged")
    assert_says(fit.result.certificate.among, "without", "off")


def test_signs_are_constraints_too() -> None:
    plain = METHOD.fit(OF_EIGHT, OF_EIGHT_LAM, parameters={"k": 3.0})
    signs = -np.sign(plain.weights)
    fit = weighted(METHOD, np.ones(8), signs).fit(OF_EIGHT, OF_EIGHT_LAM, parameters={"k": 3.0})
    assert np.all(fit.weights * signs >= 0.0)
    assert fit.result.objective > plain.result.objective
    assert_says(fit.result.certificate.among, "at most 3 features", "signs")
    assert "off" not in fit.result.certificate.among
