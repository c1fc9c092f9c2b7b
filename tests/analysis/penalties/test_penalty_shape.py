"""A penalty in a few numbers, against closed forms.

Algorithm 2 of Laporte et al., round by round.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.analysis.penalties.penalty_shape import parameters_of, penalty_methods, penalty_of, penalty_shape
from core.analysis.penalties.reweighting import majoriser, reweighting_rounds
from core.analysis.penalties.two_features import redundant_pair, two_feature_training
from core.methods import METHODS, get_method
from core.methods.training import RANKSVM_LOSS
from core.penalties import L1, L2, MCP, SCAD, Log, Lp, Penalty
from tests.oracles import RankSvm, optimum


def test_l1_drops_what_is_no_larger_than_the_step() -> None:
    shape = penalty_shape(L1(), 0.7)
    assert shape.threshold == pytest.approx(0.7)
    assert (shape.leap, shape.slope_at_zero, shape.slope_at_one) == (0.0, 1.0, 1.0)


def test_l2_drops_nothing() -> None:
    assert penalty_shape(L2(), 3.0).threshold == 0.0


def test_lp_leaps_as_its_closed_form_says() -> None:
    """For p = 1/2 the threshold is (3/2) step^(2/3), and the prox leaps to two thirds of it."""
    for step in (0.2, 1.0, 5.0):
        shape = penalty_shape(Lp(0.5), step)
        assert shape.threshold == pytest.approx(1.5 * step ** (2 / 3), rel=1e-6)
        assert shape.leap == pytest.approx(shape.threshold * 2 / 3, rel=1e-4)
        assert math.isinf(shape.slope_at_zero)


def test_a_long_step_of_mcp_leaps_over_its_knee() -> None:
    shape = penalty_shape(MCP(0.5), 2.0)
    assert shape.threshold == pytest.approx(1.0)  # sqrt(step * knee)
    assert shape.leap == pytest.approx(1.0)
    assert shape.slope_at_one == 0.0


def test_every_penalty_of_ranksvm_is_there_once_and_no_other() -> None:
    kinds = [type(penalty_of(method, {})) for method in penalty_methods()]
    assert len(set(kinds)) == len(kinds)
    assert [kind for kind in kinds if kind in (L1, Log, MCP, Lp, SCAD, L2)] == [L1, Log, MCP, Lp, SCAD, L2]
    alike = [method for method in METHODS if method.loss is RANKSVM_LOSS and method.make_problem is None]
    alike.remove(get_method("best-subset"))  # the curve of l2, within a budget
    alike.remove(get_method("l0"))  # the curve of l2 above a price
    assert set(kinds) == {type(penalty_of(method, {})) for method in alike}
    ids = {method.id for method in penalty_methods()}
    assert not ids & {"fenchelrank", "tgrank", "liblinear-l1", "fsmrank", "rsrank", "infinite-push-l1"}


def test_parameters_are_those_of_the_penalty_itself() -> None:
    assert [p.name for p in parameters_of(get_method("mcp"))] == ["knee"]
    assert penalty_of(get_method("log"), {"epsilon": 0.4}).curve(np.ones(1)).item() == pytest.approx(math.log(3.5))


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


@every_concave_penalty
@pytest.mark.parametrize("touch", [0.0, 0.05, 0.3, 1.0, 4.0])
def test_the_majoriser_lies_above_the_curve_and_touches_it(penalty, touch) -> None:
    u = np.union1d(np.linspace(0.0, 5.0, 501), [touch])
    above = majoriser(penalty, touch, u) - penalty.curve(u)
    assert np.all(above >= -1e-12)
    assert above[u == touch].item() == pytest.approx(0.0, abs=1e-12)


def test_at_zero_the_majoriser_of_lp_is_a_wall() -> None:
    assert majoriser(Lp(), 0.0, np.array([0.0, 0.1])).tolist() == [0.0, np.inf]
