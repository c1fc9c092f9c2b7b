"""Algorithm 2 of Laporte et al., round by round."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.analysis.penalties.reweighting import majoriser, reweighting_rounds
from core.analysis.penalties.two_features import redundant_pair, two_feature_training
from core.penalties import L1, MCP, SCAD, Log, Lp, Penalty
from core.solvers import Problem, ReweightedL1, Stop, solve
from tests.oracles import RankSvm, optimum

CONCAVE: list[Penalty] = [Log(), Lp(), MCP(), SCAD(0.1)]
every_concave_penalty = pytest.mark.parametrize("penalty", CONCAVE, ids=lambda p: p.title)


@pytest.fixture(scope="module")
def training():
    return two_feature_training(redundant_pair(), (0, 1))


@every_concave_penalty
def test_each_round_solves_the_weighted_problem_that_the_last_one_set(training, penalty) -> None:
    lam, pairs = training.lam_at(0.05), RankSvm.of(training.data)
    rounds = reweighting_rounds(training, penalty, lam)
    assert_array_equal(rounds[0].beta, 1.0)
    for earlier, later in pairwise(rounds[:5]):
        assert_array_equal(later.before, earlier.weights)
        assert_array_equal(later.beta, penalty.weights(earlier.weights))
        expected, _ = optimum(pairs, lam, later.beta)
        assert_allclose(later.weights, expected, atol=1e-5)


@every_concave_penalty
def test_the_objective_never_rises_and_the_last_point_is_stationary(training, penalty) -> None:
    lam, pairs = training.lam_at(0.05), RankSvm.of(training.data)
    rounds = reweighting_rounds(training, penalty, lam)
    assert np.all(np.diff([r.objective for r in rounds]) <= 1e-12)
    last = rounds[-1].weights
    assert rounds[-1].objective == pytest.approx(pairs.loss(last) + lam * penalty.value(last))
    assert penalty.distance_to_stationarity(last, pairs.gradient(last), lam).max() <= 1e-5 * lam


def test_the_rounds_end_where_the_solver_of_the_paper_ends(training) -> None:
    lam = training.lam_at(0.05)
    problem = Problem(training.data.features, training.loss, Log(), lam)
    solved = solve(ReweightedL1(), problem, Stop(tol=1e-8, max_steps=1000))
    assert_allclose(reweighting_rounds(training, Log(), lam)[-1].weights, solved.weights, atol=1e-5)


def test_a_weight_of_lp_that_is_zero_stays_zero(training) -> None:
    rounds = reweighting_rounds(training, Lp(), training.lam_at(0.16))
    lost = [r.weights[1] == 0.0 for r in rounds]
    assert lost[-1]
    first = lost.index(True)
    assert all(lost[first:])
    assert np.isinf(rounds[first + 1].beta[1])


def test_a_convex_penalty_is_not_reweighted(training) -> None:
    with pytest.raises(ValueError, match="nothing to reweight"):
        reweighting_rounds(training, L1(), 0.1)


@every_concave_penalty
@pytest.mark.parametrize("touch", [0.0, 0.05, 0.3, 1.0, 4.0])
def test_the_majoriser_lies_above_the_curve_and_touches_it(penalty, touch) -> None:
    u = np.union1d(np.linspace(0.0, 5.0, 501), [touch])
    above = majoriser(penalty, touch, u) - penalty.curve(u)
    assert np.all(above >= -1e-12)
    assert above[u == touch].item() == pytest.approx(0.0, abs=1e-12)


def test_the_majoriser_has_the_slope_of_the_curve() -> None:
    u0, h = 0.4, 1e-6
    rise = np.diff(majoriser(Log(), u0, np.array([0.1, 1.1]))).item()
    finite_difference = np.diff(Log().curve(np.array([u0 - h, u0 + h]))).item() / (2 * h)
    assert rise == pytest.approx(finite_difference, rel=1e-6)


def test_at_zero_the_majoriser_of_lp_is_a_wall() -> None:
    assert majoriser(Lp(), 0.0, np.array([0.0, 0.1])).tolist() == [0.0, np.inf]
