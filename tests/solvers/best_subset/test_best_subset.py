"""Branch and bound finds what enumeration finds, and none of its bounds is ever above that.

The near-optimal sets are those of enumeration, and the certificate says up to where none is missing.
"""

from itertools import combinations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L0, L2, L2Budget, Penalty, Signed
from core.solvers import BranchAndBound, Newton, Problem, Stop, solve
from core.solvers.best_subset import near_optimal
from core.solvers.best_subset.near_optimal import NearOptimal, near_optimal_sets
from tests.oracles import FloatArray, RankSvm, ranking_problem
from tests.says import assert_says
from tests.solvers.best_subset.enumeration import best_model, limits, with_copies

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
    data = with_copies(25, 10)
    return Problem(data.features, SquaredHinge.of(data), L2Budget(k), lam)


def test_objective_never_rises_and_the_bound_never_falls() -> None:
    fit = solve(BranchAndBound(group=1), larger(), EXACT)
    objectives = [point.objective for point in fit.trace]
    bounds = [point.objective - point.certificate.value for point in fit.trace]
    assert fit.steps > 10
    assert np.all(np.diff(objectives) <= 0.0)
    assert np.all(np.diff(bounds) >= -1e-15)
    (among,) = {point.certificate.among for point in fit.trace}
    assert_says(among, "at most 4 features")


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


N_FEATURES = 6
LAM = 0.01


def problem_of(data: RankingData, budget: float, costs: FloatArray, signs: FloatArray, lam: float = LAM) -> Problem:
    penalty: Penalty = L2Budget(budget, costs)
    penalty = Signed(penalty, signs) if signs.any() else penalty
    return Problem(data.features, SquaredHinge.of(data), penalty, lam)


def near_by_enumeration(
    data: RankingData, budget: float, costs: FloatArray, signs: FloatArray
) -> dict[tuple[int, ...], float]:
    """The objective of every set that the budget pays and whose best model uses all of it."""
    pairs, free, paid = RankSvm.of(data), np.flatnonzero(costs == 0.0), np.flatnonzero((costs > 0) & (costs <= budget))
    found: dict[tuple[int, ...], float] = {}
    for n in range(len(paid) + 1):
        for some in combinations(paid, n):
            if costs[list(some)].sum() <= budget:
                objective, w = best_model(pairs, LAM, np.union1d(free, some).astype(int), signs)
                found.setdefault(tuple(np.flatnonzero(w).tolist()), objective)
    return found


def drained(problem: Problem, within: float) -> NearOptimal:
    *_, last = near_optimal_sets(problem, within)
    return last


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_the_sets_of_enumeration(kind: str) -> None:
    rng = np.random.default_rng(11)
    for seed in range(6):
        data = ranking_problem(seed, n_queries=4, n_documents=6, n_features=N_FEATURES)
        budget, costs, signs = limits(kind, rng, N_FEATURES)
        known = near_by_enumeration(data, budget, costs, signs)
        within = 0.3
        limit = (1.0 + within) * min(known.values())
        expected = {columns for columns, objective in known.items() if objective <= limit}
        found = drained(problem_of(data, budget, costs, signs), within)
        assert {tuple(near.columns.tolist()) for near in found.sets} == expected
        assert found.complete
        assert found.complete_within == pytest.approx(within)
        for near in found.sets:
            assert near.objective == pytest.approx(known[tuple(near.columns.tolist())], rel=1e-7)


def test_a_list_that_is_cut_has_the_best_sets_and_says_up_to_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_optimal, "MOST", 7)
    data = ranking_problem(2, n_queries=6, n_documents=6, n_features=N_FEATURES)
    costs, signs = np.ones(N_FEATURES), np.zeros(N_FEATURES)
    known = sorted(near_by_enumeration(data, 3.0, costs, signs).values())
    found = drained(problem_of(data, 3.0, costs, signs), within=5.0)
    assert [near.objective for near in found.sets] == pytest.approx(known[:7], rel=1e-7)
    assert found.cut
    assert found.done
    assert not found.complete
    assert found.complete_within == pytest.approx(known[7] / known[0] - 1.0, rel=1e-6)


def test_a_search_that_is_stopped_says_up_to_where_no_set_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_optimal, "GROUP", 1)
    data = ranking_problem(3, n_queries=25, n_features=14)
    problem = problem_of(data, 4.0, np.ones(14), np.zeros(14), lam=1e-3)
    states = list(near_optimal_sets(problem, 0.4))
    last = states[-1]
    everything = {tuple(near.columns.tolist()): near.objective for near in last.sets}
    best = last.sets[0].objective
    assert last.complete
    assert len(states) > 3
    assert len(everything) > 3
    for state in states:
        below = {name for name, objective in everything.items() if objective < best * (1.0 + state.complete_within)}
        assert below <= {tuple(near.columns.tolist()) for near in state.sets}
        assert state.sets[0].objective >= best
    reached = [state.complete_within for state in states]
    assert reached[0] < 0.4
    assert np.all(np.diff(reached) >= -1e-12)


def test_a_share_below_zero_is_refused() -> None:
    data = ranking_problem()
    with pytest.raises(ValueError, match="a share of at least 0"):
        next(near_optimal_sets(problem_of(data, 2.0, np.ones(5), np.zeros(5)), -0.1))
    priced = Problem(data.features, SquaredHinge.of(data), L0(1.0), LAM)
    with pytest.raises(ValueError, match="not for prices"):
        next(near_optimal_sets(priced, 0.1))


def test_a_feature_that_says_nothing_is_in_no_set() -> None:
    """It has one value a query: the ridge gave it the rounding errors of its slope as a weight, 6e-17 or so."""
    for seed in (3, 9, 18):
        data = ranking_problem(seed, n_queries=6, n_documents=6, n_features=4)
        idle = 10.0 * np.random.default_rng(seed).normal(size=6)[data.query_of_document]
        x = np.column_stack([data.features, idle, np.zeros(36)])
        wider = data.with_features(x, [*data.feature_names, "one value a query", "none"])
        known = near_by_enumeration(data, 4.0, np.ones(4), np.zeros(4))
        limit = 1.3 * min(known.values())
        found = drained(problem_of(wider, 4.0, np.ones(6), np.zeros(6)), 0.3)
        assert {tuple(near.columns.tolist()) for near in found.sets} == {
            columns for columns, objective in known.items() if objective <= limit
        }
