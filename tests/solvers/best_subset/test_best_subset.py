"""Branch and bound finds what enumeration finds, and none of its bounds is ever above that."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.losses import SquaredHinge
from core.penalties import L0, L2, L2Budget, Penalty, Signed
from core.solvers import BranchAndBound, Newton, Problem, SolverRun, Stop, solve
from tests.oracles import FloatArray, RankSvm, ranking_problem
from tests.says import assert_says
from tests.solvers.best_subset.enumeration import best_model, limits

PROBLEMS = 50  # of each kind with a budget
EXACT = Stop(tol=1e-5)


KINDS = ("count", "costs", "forced, off", "signs", "everything")


def sets_within(costs: FloatArray, budget: float) -> list[tuple[int, ...]]:
    """All sets of features that the budget pays."""
    usable = np.flatnonzero(costs <= min(budget, 1e300))
    sets = [s for n in range(len(usable) + 1) for s in combinations(usable, n)]
    return [s for s in sets if costs[list(s)].sum() <= budget]


def best_within(pairs: RankSvm, lam: float, budget: float, costs: FloatArray, signs: FloatArray) -> float:
    """The lowest ridge objective of all sets that the budget pays; subsets of another such set cannot be better."""
    sets = sets_within(costs, budget)
    largest = [s for s in sets if not any(set(s) < set(other) for other in sets)]
    return min(best_model(pairs, lam, np.array(s, dtype=int), signs)[0] for s in largest)


def best_at_prices(pairs: RankSvm, lam: float, price: float, costs: FloatArray, signs: FloatArray) -> float:
    """The lowest objective of all sets, each with the price of its features."""
    sets = [np.array(s, dtype=int) for s in sets_within(costs, np.inf)]
    return min(best_model(pairs, lam, s, signs)[0] + lam * price * costs[s].sum() for s in sets)


@pytest.mark.parametrize("priced", [False, True], ids=["budget", "prices"])
@pytest.mark.parametrize("kind", KINDS)
def test_it_finds_what_enumeration_finds_and_every_bound_holds(kind: str, priced: bool) -> None:
    rng, sizes = np.random.default_rng(17 if priced else 7), set()
    for seed in range(5 if priced else PROBLEMS):
        d = 4 if priced else 6
        data = ranking_problem(seed, n_queries=4, n_documents=6, n_features=d)
        pairs = RankSvm.of(data)
        budget, costs, signs = limits(kind, rng, d)
        lam = float(10.0 ** rng.uniform(-3.5, -1.0 if priced else 0.0))
        price = float(pairs.loss(np.zeros(d)) * rng.uniform(0.005, 0.2) / lam)
        penalty: Penalty = L0(price, costs) if priced else L2Budget(budget, costs)
        penalty = Signed(penalty, signs) if signs.any() else penalty
        fit = solve(BranchAndBound(group=1), Problem(data.features, SquaredHinge.of(data), penalty, lam), EXACT)
        best = (best_at_prices if priced else best_within)(pairs, lam, price if priced else budget, costs, signs)
        sizes.add(fit.nonzero)
        assert fit.stop == "converged"
        assert fit.objective == pytest.approx(best, rel=2e-5)
        own = pairs.loss(fit.weights) + lam * penalty.value(fit.weights)
        assert fit.objective == pytest.approx(own, rel=1e-9)  # so the model keeps to the budget and the signs
        for point in fit.trace:
            assert point.objective - point.certificate.value <= best * (1.0 + 1e-8)
            assert point.objective >= best * (1.0 - 1e-8)
        if priced and not signs.any() and np.isfinite(costs).all():
            assert {point.certificate.among for point in fit.trace} == {""}, "among all models"
    assert len(sizes) > 1


def larger(k: int = 4, lam: float = 1e-3) -> Problem:
    """Ten features and noisy copies of them: no set is much better than the next one."""
    data = ranking_problem(3, n_queries=25, n_features=10)
    copies = data.features + 0.2 * np.random.default_rng(5).normal(size=data.features.shape)
    return Problem(np.column_stack([data.features, copies]), SquaredHinge.of(data), L2Budget(k), lam)


def test_objective_never_rises_and_the_bound_never_falls() -> None:
    fit = solve(BranchAndBound(group=1), larger(), EXACT)
    objectives = [point.objective for point in fit.trace]
    bounds = [point.objective - point.certificate.value for point in fit.trace]
    assert fit.steps > 10
    assert np.all(np.diff(objectives) <= 0.0)
    assert np.all(np.diff(bounds) >= -1e-15)
    (among,) = {point.certificate.among for point in fit.trace}
    assert_says(among, "at most 4 features")


def test_a_search_that_was_stopped_goes_on_with_its_tree() -> None:
    whole = solve(BranchAndBound(group=1), larger(), EXACT)
    run = SolverRun(BranchAndBound(group=1), larger(), Stop(tol=1e-5, max_steps=6))
    while run.reason is None:
        run.advance()
    stopped = run.result()
    assert stopped.stop == "step limit"
    assert stopped.certificate.relative > 1e-5
    run.stop = EXACT
    while run.reason is None:
        run.advance()
    assert [p.objective for p in run.trace] == [p.objective for p in whole.trace]
    assert [p.certificate for p in run.trace] == [p.certificate for p in whole.trace]


def test_a_finer_tolerance_is_reached_by_refining() -> None:
    coarse = BranchAndBound(tol=0.02, group=1)
    fit = solve(coarse, larger(), Stop(tol=1e-8))
    assert fit.stop == "converged"
    assert fit.objective == pytest.approx(solve(BranchAndBound(), larger(), EXACT).objective, rel=1e-5)


def test_a_start_within_the_budget_is_the_first_step_and_an_incumbent() -> None:
    best = solve(BranchAndBound(), larger(), EXACT)
    again = solve(BranchAndBound(), larger(), Stop(max_steps=1), best.weights)
    np.testing.assert_array_equal(again.weights != 0.0, best.weights != 0.0)
    assert again.trace[0].objective == pytest.approx(best.objective, rel=1e-12)
    too_many = solve(BranchAndBound(), larger(), Stop(max_steps=0), np.ones(20))
    assert not too_many.weights.any()


def test_with_every_feature_allowed_it_is_the_ridge_model() -> None:
    problem = larger(k=20)
    fit = solve(BranchAndBound(), problem, EXACT)
    ridge = solve(Newton(), Problem(problem.features, problem.loss, L2(), problem.lam), Stop(tol=1e-9))
    assert fit.objective == pytest.approx(ridge.objective, rel=1e-8)


def test_copies_and_constant_features_are_no_trouble() -> None:
    data = ranking_problem(5, n_features=5)
    wide = np.column_stack([data.features, data.features, np.full(len(data.features), 2.0)])
    plain = solve(BranchAndBound(), Problem(data.features, SquaredHinge.of(data), L2Budget(2), 0.01), EXACT)
    loss = SquaredHinge.of(data)
    fit = solve(BranchAndBound(), Problem(wide, loss, L2Budget(2), 0.01), EXACT)
    assert fit.stop == "converged"
    assert fit.objective <= plain.objective * (1.0 + 1e-5)


def test_the_tree_is_the_same_on_any_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("SPARSE_RANK_THREADS", threads)
        fits.append(solve(BranchAndBound(group=1), larger(), EXACT))
    for fit in fits[1:]:
        np.testing.assert_array_equal(fit.weights, fits[0].weights)
        assert [p.objective for p in fit.trace] == [p.objective for p in fits[0].trace]
        assert [p.certificate for p in fit.trace] == [p.certificate for p in fits[0].trace]
        assert fit.passes == fits[0].passes
