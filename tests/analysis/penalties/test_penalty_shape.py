"""A penalty in a few numbers, against closed forms.

Algorithm 2 of Laporte et al., round by round.
The two-feature problem held against explicit pairs and a dense grid of weights.
"""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.analysis.penalties.penalty_shape import (
    majoriser,
    parameters_of,
    penalty_methods,
    penalty_of,
    penalty_shape,
    reweighting_rounds,
)
from core.analysis.penalties.two_features import (
    MOST_DOCUMENTS,
    level_set,
    loss_map,
    minima,
    redundant_pair,
    telling_pair,
    telling_starts,
    trajectory,
    two_feature_training,
    varying_features,
)
from core.data import DataError, RankingData
from core.methods import METHODS, get_method
from core.methods.training import RANKSVM_LOSS
from core.penalties import L1, L2, MCP, SCAD, Log, Lp, Penalty
from tests.cases import sweep
from tests.oracles import RankSvm, lists_of, optimum, ranking_problem


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


PENALTIES: list[Penalty] = [L1(), Log(), Lp(), MCP(2.0)]
METHOD_IDS = [method.id for method in penalty_methods()]


@pytest.fixture(scope="module")
def pairs(training) -> RankSvm:
    return RankSvm.of(training.data)


def test_the_map_is_the_loss_over_explicit_pairs(training, pairs) -> None:
    terrain = loss_map(training, points=9)
    expected = [[pairs.loss(np.array([a, b])) for a in terrain.first] for b in terrain.second]
    assert_allclose(terrain.loss, expected, rtol=1e-10)
    assert 0.0 in terrain.first
    assert 0.0 in terrain.second


def test_the_objective_of_the_map_adds_the_penalty_of_both_weights(training) -> None:
    terrain = loss_map(training, points=5)
    penalty = Log(0.3)
    objective = terrain.objective(penalty, 0.2)
    for (row, column), value in np.ndenumerate(objective):
        w = np.array([terrain.first[column], terrain.second[row]])
        assert value == pytest.approx(terrain.loss[row, column] + 0.2 * penalty.value(w))


ON_A_GRID = sorted(product(METHOD_IDS, (0.5, 0.1, 0.03)), key=lambda at: at[1] != 0.1)


@pytest.mark.parametrize(("method_id", "ratio"), sweep(ON_A_GRID, always=len(METHOD_IDS)))
def test_no_point_of_a_dense_grid_is_lower_than_the_lowest_minimum(training, pairs, method_id, ratio) -> None:
    method = get_method(method_id)
    lam = training.lam_at(ratio)
    best = minima(method, training, lam, {}, telling_starts(training))[0]
    penalty = penalty_of(method, {})
    axis = np.union1d(np.linspace(-0.3, 0.9, 121), [0.0])
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    slack = np.maximum(0.0, 1.0 - pairs.differences @ grid.T)
    objective = (slack**2).mean(axis=0) + lam * penalty.curve(np.abs(grid)).sum(axis=1)
    assert best.result.objective <= objective.min() + 1e-9
    near = grid[objective.argmin()]
    assert pairs.loss(best.weights) + lam * penalty.value(best.weights) == pytest.approx(best.result.objective)
    assert_allclose(best.weights, near, atol=0.04)


@pytest.mark.parametrize(("method_id", "ratio"), [("log", 0.05), ("mcp", 0.2), ("l0.5", 0.1)])
def test_every_minimum_is_stationary_and_no_small_step_improves_it(training, pairs, method_id, ratio) -> None:
    method, lam = get_method(method_id), training.lam_at(ratio)
    found = minima(method, training, lam, {}, telling_starts(training))
    assert len(found) > 1
    penalty = penalty_of(method, {})
    for fit in found:
        w = fit.weights
        assert penalty.distance_to_stationarity(w, pairs.gradient(w), lam).max() <= 1e-5 * lam
        for angle in np.linspace(0.0, 2.0 * np.pi, 24):
            step = w + 1e-3 * np.array([np.cos(angle), np.sin(angle)])
            assert pairs.loss(step) + lam * penalty.value(step) > fit.result.objective


def test_under_lp_the_empty_model_is_a_minimum_at_every_lambda(training) -> None:
    lam = training.lam_at(0.05)
    found = minima(get_method("l0.5"), training, lam, {}, telling_starts(training))
    assert any(not fit.weights.any() for fit in found)


def test_a_trajectory_begins_at_the_empty_model_and_never_loses_the_lowest_minimum(training) -> None:
    ratios = [1.0, 0.3, 0.1, 0.03]
    path = trajectory(get_method("log"), training, {}, ratios)
    assert not path[0][0].weights.any()
    for ratio, found in zip(ratios, path, strict=True):
        objectives = [fit.result.objective for fit in found]
        assert objectives == sorted(objectives)
        assert found[0].lam == pytest.approx(training.lam_at(ratio))


@pytest.mark.parametrize("penalty", PENALTIES, ids=lambda p: p.title)
def test_the_penalty_is_the_same_everywhere_on_its_level_set(penalty) -> None:
    value = penalty.value(np.array([0.4, 0.1]))
    x, y = level_set(penalty, value, reach=50.0)
    omega = penalty.curve(np.abs(x)) + penalty.curve(np.abs(y))
    assert_allclose(omega, value, rtol=1e-9)
    assert_allclose(np.abs(x).max(), np.abs(y).max(), rtol=1e-9)
    assert np.any((y == 0.0) & (x > 0.0)), "the corner on the axis is one of the points"


def test_where_a_penalty_stops_rising_its_level_set_is_open() -> None:
    flat = MCP(0.5)
    x, _ = level_set(flat, 0.3, reach=10.0)  # one weight alone pays 0.25 at most
    assert np.isnan(x).any()
    assert not np.isnan(x).all()


def test_the_telling_pair_is_two_strong_features_alike_but_not_the_same() -> None:
    rng = np.random.default_rng(0)
    quality = rng.normal(size=240)
    relevance = (quality.reshape(20, 12) > 0.5).astype(int)
    twin = quality + 0.02 * rng.normal(size=240)
    features = np.stack([rng.normal(size=240), twin, twin, quality + 0.5 * rng.normal(size=240), 0 * quality], axis=1)
    data = lists_of(relevance.tolist(), features)
    assert set(telling_pair(data)) in ({1, 3}, {2, 3})
    assert varying_features(data).tolist() == [0, 1, 2, 3]


def test_a_feature_that_is_constant_within_every_query_does_not_vary() -> None:
    data = ranking_problem(n_queries=4, n_features=3)
    per_query = data.query_of_document[:, None] * 0.1  # whose mean over a query is not exact
    both = data.with_features(np.hstack([data.features, per_query]), [*data.feature_names, "per query"])
    assert varying_features(both).tolist() == [0, 1, 2]
    with pytest.raises(DataError, match="per query is the same"):
        two_feature_training(both, (0, 3))


def test_constant_features_are_no_pair() -> None:
    data = RankingData.build(np.ones((6, 4)), [0, 1, 0, 1, 0, 1], [0, 3, 6])
    with pytest.raises(DataError, match="here are 0"):
        telling_pair(data)


def test_features_are_measured_in_their_deviation_within_queries() -> None:
    data = ranking_problem(n_features=4)
    large = data.with_features(data.features * [1.0, 1.0, 1e5, 1.0] + data.query_of_document[:, None])
    one, other = two_feature_training(data, (1, 2)), two_feature_training(large, (1, 2))
    fits = [get_method("l1").fit(t, t.lam_at(0.1)).weights for t in (one, other)]
    assert_allclose(*fits, rtol=1e-5)


def test_large_data_is_represented_by_whole_queries() -> None:
    data = ranking_problem(n_queries=500, n_features=2)
    training = two_feature_training(data, (0, 1))
    assert MOST_DOCUMENTS <= training.data.n_documents < MOST_DOCUMENTS + 12
    assert training.data.n_queries * 12 == training.data.n_documents
