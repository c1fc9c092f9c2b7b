"""The near-optimal sets are those of enumeration, and the certificate says up to where none is missing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L2Budget, Penalty, Signed
from core.solvers import Problem
from core.solvers.best_subset.near_optimal import NearOptimal, near_optimal_sets
from tests.oracles import FloatArray, RankSvm, ranking_problem
from tests.solvers.best_subset.enumeration import best_model, limits

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


def drained(problem: Problem, within: float, most: int = 200, start: FloatArray | None = None) -> NearOptimal:
    *_, last = near_optimal_sets(problem, within, most, start)
    return last


@pytest.mark.parametrize("kind", ["count", "costs", "forced, off", "signs", "everything"])
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


def test_a_list_that_is_cut_has_the_best_sets_and_says_up_to_where() -> None:
    data = ranking_problem(2, n_queries=6, n_documents=6, n_features=N_FEATURES)
    costs, signs = np.ones(N_FEATURES), np.zeros(N_FEATURES)
    known = sorted(near_by_enumeration(data, 3.0, costs, signs).values())
    found = drained(problem_of(data, 3.0, costs, signs), within=5.0, most=7)
    assert [near.objective for near in found.sets] == pytest.approx(known[:7], rel=1e-7)
    assert found.cut
    assert found.done
    assert not found.complete
    assert found.complete_within == pytest.approx(known[7] / known[0] - 1.0, rel=1e-6)


def test_a_search_that_is_stopped_says_up_to_where_no_set_is_missing() -> None:
    data = ranking_problem(3, n_queries=25, n_features=14)
    problem = problem_of(data, 4.0, np.ones(14), np.zeros(14), lam=1e-3)
    states = list(near_optimal_sets(problem, 0.4, group=1))
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


def test_a_start_changes_the_way_and_not_the_sets() -> None:
    data = ranking_problem(3, n_queries=25, n_features=14)
    problem = problem_of(data, 3.0, np.ones(14), np.zeros(14), lam=1e-3)
    plain = drained(problem, 0.2)
    again = drained(problem, 0.2, start=plain.sets[0].weights)
    assert [near.columns.tolist() for near in again.sets] == [near.columns.tolist() for near in plain.sets]


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
