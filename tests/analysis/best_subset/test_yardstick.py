"""The yardstick is what enumeration finds, and no method is ever beneath it.

Rivals of the best set: what they share and how they rank.
"""

from itertools import combinations

import numpy as np
import pytest

from core.analysis.best_subset.certified_path import AlternativesRun
from core.analysis.best_subset.refitted_sets import BY_HAND, RefittedSet, Ridge, by_hand, refitted_path
from core.analysis.best_subset.yardstick import (
    CertifiedSubset,
    Yardstick,
    best_known,
    best_set,
    certified_rows,
    excesses,
)
from core.analysis.evaluation import FoldJudge
from core.analysis.path import regularization_path
from core.data import Fold
from core.methods import get_method
from core.penalties import L2Budget
from core.solvers.best_subset.selections import selected
from tests.oracles import RankSvm, ranking_problem
from tests.solvers.best_subset.enumeration import best_model
from tests.work_contract import finished

DATA = ranking_problem(3, n_queries=8, n_features=7)
JUDGE = FoldJudge(Fold("Fold1", DATA), "standard")
BEST = get_method("best-subset")
TRAINING = BEST.training(DATA)
LAM = TRAINING.lam_at(0.01)
RIDGE = Ridge.of(TRAINING, LAM, JUDGE)
MOST = 4
PAIRS = RankSvm.of(DATA)


def enumerated(columns: tuple[int, ...]) -> float:
    return best_model(PAIRS, LAM, np.array(columns, dtype=int), np.zeros(7))[0]


EVERY = {columns: enumerated(columns) for k in range(1, MOST + 1) for columns in combinations(range(7), k)}


def lowest(k: int) -> float:
    return min(objective for columns, objective in EVERY.items() if len(columns) <= k)


def rows() -> list[CertifiedSubset]:
    return certified_rows(finished(Yardstick(BEST, RIDGE, MOST)))


def test_every_row_is_the_best_set_of_enumeration_and_is_proven() -> None:
    for row in rows():
        assert row.objective == pytest.approx(lowest(row.k), rel=1e-6)
        assert EVERY[row.columns] == pytest.approx(row.objective, rel=1e-6)
        assert row.bound <= lowest(row.k) * (1.0 + 1e-9)
        assert row.proven
        assert row.judgement.metrics == JUDGE.metrics(row.weights)


def test_sizes_out_of_time_have_bounds_and_go_on_from_there() -> None:
    search = finished(Yardstick(BEST, RIDGE, MOST, seconds_each=1e-9))
    for row in certified_rows(search):
        assert row.bound <= lowest(row.k) * (1.0 + 1e-9)
        assert row.objective >= lowest(row.k) * (1.0 - 1e-9)
    rounds = 0
    while not all(row.proven for row in certified_rows(search)):
        before = [row.gap for row in certified_rows(search)]
        search.extend()
        assert not search.done
        finished(search)
        assert all(row.gap <= gap + 1e-12 for row, gap in zip(certified_rows(search), before, strict=True))
        rounds += 1
    assert rounds > 0
    assert [row.objective for row in certified_rows(search)] == pytest.approx(
        [lowest(k) for k in range(1, 5)], rel=1e-6
    )


def test_what_methods_know_takes_the_place_of_what_a_search_has_missed() -> None:
    w = np.array([1.0, 1.0, 0.0])
    searched = [CertifiedSubset(1, w * [1, 0, 0], 5.0, 3.0, 0.1), CertifiedSubset(2, w, 6.0, 3.5, 0.1)]
    (one, two) = best_known(searched, [RefittedSet("l1", (2,), 4.0, np.array([0.0, 0.0, 1.0]), 1.0)])
    assert (one.objective, one.columns) == (4.0, (2,))
    assert (two.objective, two.columns) == (4.0, (2,)), "a set of one feature is one of at most two"
    assert (one.bound, two.bound) == (3.5, 3.5), "what no set of two is below, no set of one is below either"
    assert not one.proven
    (kept,) = best_known(searched[:1], [RefittedSet("l1", (1, 2), 1.0, np.array([0.0, 1.0, 1.0]), 1.0)])
    assert kept.objective == 5.0, "a set of two features is none of at most one"


def test_sets_of_a_path_are_those_of_its_models_refitted_with_the_ridge() -> None:
    method = get_method("l1")
    training = method.training(DATA)
    points = list(regularization_path(method, training, training.lam_at(1.0) * np.geomspace(1.0, 1e-3, 20)))
    total, coming = refitted_path(points, RIDGE, MOST)
    sets = list(coming)
    assert total == len(sets) > 1
    small = {tuple(np.flatnonzero(p.fit.weights).tolist()) for p in points if 0 < p.fit.result.nonzero <= MOST}
    assert {found.columns for found in sets} == small
    for found in sets:
        assert found.objective == pytest.approx(EVERY[found.columns], rel=1e-7)
        assert found.c == min(p.fit.c for p in points if tuple(np.flatnonzero(p.fit.weights)) == found.columns)
        assert found.judgement.metrics == JUDGE.metrics(found.weights)


@pytest.mark.parametrize("method", BY_HAND)
def test_selections_by_hand_are_those_of_each_size_alone(method: str) -> None:
    found = {one.kept: one for one in by_hand(method, RIDGE, MOST)}
    assert sorted(found) == [1, 2, 3, 4]
    for k, one in found.items():
        alone = selected(BY_HAND[method], RIDGE.problem(L2Budget(float(k))))
        assert set(one.columns) == set(alone.tolist())
        assert one.objective == pytest.approx(EVERY[one.columns], rel=1e-7)


def test_excess_and_overlap_are_those_of_the_best_set_of_so_few_features() -> None:
    sets = {method: list(by_hand(method, RIDGE, MOST)) for method in ("forward", "rfe")}
    sets["none"] = []
    known = best_known(rows(), [found for own in sets.values() for found in own])
    compared = excesses(known, sets)
    assert [(one.method, one.k) for one in compared] == [(m, k) for m in ("forward", "rfe") for k in range(1, 5)]
    best = {k: min(EVERY, key=lambda c, k=k: EVERY[c] if len(c) <= k else np.inf) for k in range(1, 5)}
    for one in compared:
        own = min(enumerated(found.columns) for found in sets[one.method] if found.kept <= one.k)
        assert one.excess == pytest.approx(own / lowest(one.k) - 1.0, abs=1e-6)
        assert one.excess <= one.at_most
        assert one.shared == len(set(one.found.columns) & set(best[one.k]))
    assert max(one.excess for one in compared) > 1e-3, "else nothing is tested"


def test_among_equal_sets_the_smallest_counts() -> None:
    large, small = (RefittedSet("l1", columns, 1.0, np.zeros(3), 1.0) for columns in ((0, 1), (2,)))
    assert best_set([large, small], 2) is small
    assert best_set([large], 1) is None


@pytest.mark.parametrize("within", [0.0, 0.05, 0.3])
def test_shares_and_common_features_are_those_of_enumeration(within: float) -> None:
    run = AlternativesRun(RIDGE, 3, within)
    assert run.result is None
    found = finished(run).result
    assert found is not None
    near = {tuple(one.columns.tolist()): one.objective for one in found.found.sets}
    most = lowest(3) * (1.0 + within) + 1e-9
    assert set(near) == {columns for columns, objective in EVERY.items() if len(columns) <= 3 and objective <= most}
    for j in range(7):
        assert found.shares[j] == pytest.approx(sum(j in columns for columns in near) / len(near))
    assert set(found.in_every.tolist()) == set.intersection(*(set(columns) for columns in near))
    assert found.excesses == pytest.approx(np.array([*near.values()]) / min(near.values()) - 1.0, abs=1e-6)
    measured = [JUDGE.judgement(one.weights).metrics["train"]["MAP"] for one in found.found.sets]
    assert found.values("train", "MAP") == pytest.approx(measured)
