"""Reweighted l2 keeps and fits what its paper's Algorithm 1 does on explicit pairs.

Concave penalties: F falls from round to round, and ends where the slope over explicit pairs is met.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

from core.data import RankingData
from core.losses import SquaredHinge
from core.penalties import L1, MCP, SCAD, L2Survivors, Log, Lp, Penalty
from core.solvers import (
    AROM,
    TOWARDS_L0,
    TOWARDS_L1,
    Problem,
    ProximalNewton,
    ReweightedFista,
    ReweightedFistaFixed,
    ReweightedL1,
    ReweightedL2,
    Solver,
    Stop,
    solve,
)
from core.solvers.reweighting import reweighted_l2
from core.solvers.reweighting.reweighted_l2 import Reweighting
from tests.oracles import Pairs, RankSvm, lists_of, optimum_l2, ranking_problem
from tests.solvers.limits import ALL_PAIRS, LAM_MAX, LIMITS, LOSS, SMALL, D, limited

FloatArray = NDArray[np.float64]
DATA = ranking_problem(1)
PAIRS = RankSvm.of(DATA)
SIZE = DATA.n_features
RULES = {"arom": AROM, "l1": TOWARDS_L1, "l0": TOWARDS_L0}
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


def problem(data: RankingData, lam: float, keep: int, null: float = 1e-5) -> Problem:
    return Problem(data.features, SquaredHinge.of(data), L2Survivors(keep, null), lam)


def algorithm_1(name: str, lam: float, keep: int, null: float = 1e-5) -> tuple[list[int], FloatArray]:
    """The paper's loop as it stands, with AROM's features multiplied up; on pairs, by L-BFGS."""
    left = list(range(SIZE))
    x, z = PAIRS.differences, PAIRS.differences.copy()
    v = np.ones(SIZE)
    for _ in range(40):
        if len(left) <= keep:
            break
        w = np.zeros(SIZE)
        w[left] = optimum_l2(RankSvm(z[:, left]), lam)[0]
        if name == "arom":  # x_i <- w_i x_i, and weights of the present features against the threshold
            left = [i for i in left if abs(w[i]) > null]
            z = w * z
            continue
        left = [i for i in left if abs(w[i] * v[i]) > null]
        v = np.sqrt(np.abs(w * v)) if name == "l1" else np.abs(w * v)
        z = x * v
    assert len(left) <= keep
    found = np.zeros(SIZE)
    if left:
        found[left] = optimum_l2(RankSvm(x[:, left]), lam)[0]
    return left, found


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("lam", "keep"), [(0.1, 10), (0.3, 8), (0.5, 7), (0.7, 5)])
def test_survivors_and_weights_are_those_of_the_papers_loop(
    name: str, lam: float, keep: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reweighted_l2, "ROUND_TOL", 1e-13)
    left, expected = algorithm_1(name, lam, keep)
    found = solve(ReweightedL2(RULES[name]), problem(DATA, lam, keep), Stop(tol=1e-12))
    assert found.stop in ("converged", "no further progress")
    np.testing.assert_array_equal(np.flatnonzero(found.weights), left)
    np.testing.assert_allclose(found.weights, expected, atol=1e-5)


def test_the_order_of_the_matrix_in_memory_is_that_of_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweeps read documents row by row; a matrix by columns is many times as slow, and right all the same."""
    orders = []
    monkeypatch.setattr(
        SquaredHinge,
        "hessian",
        lambda self, s, x, c, real=SquaredHinge.hessian: orders.append(x.flags) or real(self, s, x, c),
    )
    solve(ReweightedL2(TOWARDS_L0), problem(DATA, 0.1, 3))
    assert orders
    assert all(flags.c_contiguous for flags in orders)


@every_rule
def test_only_the_last_fit_counts_and_its_gap_is_that_of_the_survivors(rule: Reweighting) -> None:
    lam = 0.1
    found = solve(ReweightedL2(rule), problem(DATA, lam, 5), Stop(tol=1e-3))
    left = np.flatnonzero(found.weights)
    best = optimum_l2(RankSvm(PAIRS.differences[:, left]), lam)[1]
    assert found.certificate.kind == "duality gap"
    assert 0.0 <= found.objective - best <= found.certificate.value + 1e-12
    assert {point.provisional for point in found.trace if point.nonzero > 5} == {True}
    assert [point.step for point in found.trace] == list(range(len(found.trace)))
    for point in found.trace:
        assert not (point.provisional and point.step == found.steps)


def test_every_objective_is_that_of_the_weights_it_comes_with() -> None:
    """Also inside a round, whose own problem prices scaled weights."""
    for iterate in ReweightedL2(TOWARDS_L0).iterate(problem(DATA, 0.1, 5), np.zeros(SIZE)):
        w = iterate.weights
        assert iterate.objective == pytest.approx(PAIRS.loss(w) + 0.05 * float(w @ w), rel=1e-11)
        if not iterate.provisional:
            break


@every_rule
def test_with_no_more_features_than_may_be_kept_it_is_the_l2_model(rule: Reweighting) -> None:
    found = solve(ReweightedL2(rule), problem(DATA, 0.1, SIZE + 3), Stop(tol=1e-10))
    np.testing.assert_allclose(found.weights, optimum_l2(PAIRS, 0.1)[0], atol=1e-6)


@every_rule
def test_of_a_feature_and_its_copy_one_stays_where_only_one_may(rule: Reweighting) -> None:
    """Rounds treat them alike for ever; the place decides."""
    best = DATA.features[:, [int(np.argmax(np.abs(PAIRS.gradient(np.zeros(SIZE)))))]]
    twice = DATA.with_features(np.hstack([best, best]), ["a", "b"])
    found = solve(ReweightedL2(rule), problem(twice, 0.01, 1), Stop(tol=1e-10))
    assert found.stop == "converged"
    assert found.nonzero == 1
    alone = optimum_l2(RankSvm.of(DATA.with_features(best, ["a"])), 0.01)
    assert found.objective == pytest.approx(alone[1], rel=1e-9)


def test_rounds_that_change_nothing_any_more_are_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Feature and copy stay alike, and ten rounds are enough to see it."""
    twice = DATA.with_features(np.hstack([DATA.features[:, :1], DATA.features[:, :1]]), ["a", "b"])
    steps = []
    for rounds in (10, 1000):
        monkeypatch.setattr(reweighted_l2, "MOST_ROUNDS", rounds)
        steps.append(solve(ReweightedL2(TOWARDS_L0), problem(twice, 0.01, 1)).steps)
    assert steps[0] == steps[1]


@every_rule
def test_a_feature_that_is_zero_everywhere_goes_first(rule: Reweighting) -> None:
    padded = DATA.with_features(np.hstack([np.zeros((DATA.n_documents, 2)), DATA.features[:, :5]]), list("abcdefg"))
    found = solve(ReweightedL2(rule), problem(padded, 0.01, 5), Stop(tol=1e-8))
    without = solve(
        ReweightedL2(rule),
        problem(padded.with_features(padded.features[:, 2:], list("cdefg")), 0.01, 5),
        Stop(tol=1e-8),
    )
    assert not found.weights[:2].any()
    np.testing.assert_allclose(found.weights[2:], without.weights, atol=1e-5)


@every_rule
def test_where_a_round_drops_all_the_model_is_empty_and_says_so(rule: Reweighting) -> None:
    found = solve(ReweightedL2(rule), problem(DATA, 1e7, 3))
    assert (found.nonzero, found.objective, found.stop) == (0, 1.0, "converged")
    assert found.certificate.value == 0.0


def test_a_tie_in_every_feature_is_no_division_by_zero() -> None:
    """Two lists that ask for opposite weights: the first round finds 0 exactly."""
    data = lists_of([[1, 0], [1, 0]], np.array([[1.0, 2.0], [0.0, 0.0], [0.0, 0.0], [1.0, 2.0]]))
    assert len(Pairs.of(data)) == 2
    assert solve(ReweightedL2(TOWARDS_L0), problem(data, 0.1, 1)).nonzero == 0


EXACT: list[Solver] = [ProximalNewton(), ReweightedL1(), ReweightedFista()]
every_penalty = pytest.mark.parametrize("penalty", [Log(), MCP(0.5), Lp(), SCAD(0.2)], ids=lambda p: p.title)
CASES = [("alike", 0.3), *((name, 0.02) for name in LIMITS if "free" not in name)]


@pytest.mark.parametrize(("limits", "ratio"), CASES)
@every_penalty
@pytest.mark.parametrize("solver", EXACT, ids=lambda s: s.id)
def test_it_ends_where_the_slope_over_explicit_pairs_is_met(
    solver: Solver, penalty: Penalty, limits: str, ratio: float
) -> None:
    """Where w_j is not 0: dL/dw_j = -lam factor_j g'(|w_j|) sign(w_j); where it is, at most lam factor_j g'(0).

    A weight that its sign keeps at 0 may have any slope on the other side.
    """
    lam, (factors, signs) = ratio * LAM_MAX, LIMITS[limits]
    result = solve(solver, Problem(SMALL.features, LOSS, limited(penalty, limits), lam), Stop(tol=1e-7))
    w, gradient = result.weights, ALL_PAIRS.gradient(result.weights)
    chosen = w != 0.0
    assert result.stop == "converged"
    assert (0 if ratio == 0.3 else 1) <= result.nonzero < D
    assert np.all(signs * w >= 0.0)
    assert not w[np.isinf(factors)].any()
    price = lam * factors[chosen] * penalty.weights(w[chosen])
    np.testing.assert_allclose(gradient[chosen], -price * np.sign(w[chosen]), atol=1e-6 * lam)
    if not isinstance(penalty, Lp):  # whose slope at 0 is infinite
        uphill = np.where(signs * gradient > 0.0, 0.0, np.abs(gradient))[~chosen]
        assert np.all(uphill <= lam * factors[~chosen] * penalty.weights(np.zeros(1)) + 1e-6 * lam)
    paid = factors[chosen] @ penalty.curve(np.abs(w[chosen]))
    assert result.objective == pytest.approx(ALL_PAIRS.loss(w) + lam * paid, rel=1e-12)


@pytest.mark.parametrize("limits", ["alike", "costs and switches"])
@every_penalty
@pytest.mark.parametrize("solver", [*EXACT, ReweightedFistaFixed()], ids=lambda s: s.id)
def test_the_first_round_is_l1_and_none_after_it_raises_the_objective(
    solver: Solver, penalty: Penalty, limits: str
) -> None:
    """Algorithm 2 starts from beta = 1: the round ends near the l1 optimum, wherever F may be.

    A forbidden feature stays out of every iterate, and a weight of lp that is 0 after a round stays 0.
    """
    lam, (factors, _) = 0.05 * LAM_MAX, LIMITS[limits]
    plain = solve(ProximalNewton(), Problem(SMALL.features, LOSS, limited(L1(), limits), lam), Stop(tol=1e-10))
    steps = 1500 if isinstance(solver, ReweightedFistaFixed) else 3000
    coming = solver.iterate(Problem(SMALL.features, LOSS, limited(penalty, limits), lam), np.zeros(D))
    ends = []
    for iterate, _ in zip(coming, range(steps), strict=False):
        assert not iterate.weights[np.isinf(factors)].any()
        if isinstance(penalty, Lp) and ends:
            assert not iterate.weights[(ends[-1].weights == 0.0) & (factors > 0.0)].any()
        if not iterate.provisional:
            ends.append(iterate)
            if iterate.certificate.relative < 1e-7:
                break
    first = ends[0].weights
    paid = np.where(np.isinf(factors), 0.0, factors) @ np.abs(first)
    assert LOSS.evaluate(SMALL.features @ first).value + lam * paid <= plain.objective * (1.0 + 2e-4)
    objectives = np.array([end.objective for end in ends])
    assert len(ends) > 1
    assert np.all(np.diff(objectives) <= 1e-13 * objectives[:-1])
    assert 0 < np.count_nonzero(ends[-1].weights) < D
