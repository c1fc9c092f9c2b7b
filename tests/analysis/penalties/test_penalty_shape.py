"""A penalty in a few numbers, against closed forms.

Algorithm 2 of Laporte et al., round by round.
The two-feature problem held against explicit pairs and a dense grid of weights.
"""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.analysis.penalties.pair import FeaturePair
from core.analysis.penalties.penalty_shape import (
    majoriser,
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


@pytest.mark.parametrize(
    ("penalty", "step", "threshold", "leap", "slopes"),
    [
        (L1(), 0.7, 0.7, 0.0, (1.0, 1.0)),
        (L2(), 3.0, 0.0, 0.0, (0.0, 1.0)),
        *((Lp(0.5), step, 1.5 * step ** (2 / 3), step ** (2 / 3), (math.inf, 0.5)) for step in (0.2, 1.0, 5.0)),
        (MCP(0.5), 2.0, 1.0, 1.0, (1.0, 0.0)),  # sqrt(step * knee): it leaps over its knee
    ],
)
def test_what_is_dropped_and_the_leap_are_those_of_the_closed_forms(penalty, step, threshold, leap, slopes) -> None:
    shape = penalty_shape(penalty, step)
    assert (shape.threshold, shape.leap) == (pytest.approx(threshold, rel=1e-6), pytest.approx(leap, rel=1e-4))
    assert (shape.slope_at_zero, shape.slope_at_one) == slopes


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
    assert [p.name for p in penalty_of(get_method("mcp"), {}).parameters] == ["knee"]
    assert penalty_of(get_method("log"), {"epsilon": 0.4}).curve(np.ones(1)).item() == pytest.approx(math.log(3.5))


CONCAVE: list[Penalty] = [Log(), Lp(), MCP(), SCAD(0.1)]
every_concave_penalty = pytest.mark.parametrize("penalty", CONCAVE, ids=lambda p: p.title)


TRAINING = two_feature_training(redundant_pair(), (0, 1))
PAIRS = RankSvm.of(TRAINING.data)


@every_concave_penalty
def test_each_round_solves_the_weighted_problem_that_the_last_one_set(penalty) -> None:
    lam, pairs = TRAINING.lam_at(0.05), RankSvm.of(TRAINING.data)
    rounds = reweighting_rounds(TRAINING, penalty, lam)
    assert_array_equal(rounds[0].beta, 1.0)
    for earlier, later in pairwise(rounds[:5]):
        assert_array_equal(later.before, earlier.weights)
        assert_array_equal(later.beta, penalty.weights(earlier.weights))
        expected, _ = optimum(pairs, lam, later.beta)
        assert_allclose(later.weights, expected, atol=1e-5)
        assert later.objective == pytest.approx(pairs.loss(later.weights) + lam * penalty.value(later.weights))
    last = rounds[-1].weights
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


def test_the_map_is_the_loss_over_explicit_pairs() -> None:
    terrain = loss_map(TRAINING, points=9)
    expected = [[PAIRS.loss(np.array([a, b])) for a in terrain.first] for b in terrain.second]
    assert_allclose(terrain.loss, expected, rtol=1e-10)
    assert 0.0 in terrain.first
    assert 0.0 in terrain.second


ON_A_GRID = sorted(product(METHOD_IDS, (0.5, 0.1, 0.03)), key=lambda at: at[1] != 0.1)


@pytest.mark.parametrize(("method_id", "ratio"), sweep(ON_A_GRID, always=len(METHOD_IDS)))
def test_no_point_of_a_dense_grid_is_lower_than_the_lowest_minimum(method_id, ratio) -> None:
    method = get_method(method_id)
    lam = TRAINING.lam_at(ratio)
    best = minima(method, TRAINING, lam, {}, telling_starts(TRAINING))[0]
    penalty = penalty_of(method, {})
    axis = np.union1d(np.linspace(-0.3, 0.9, 121), [0.0])
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    slack = np.maximum(0.0, 1.0 - PAIRS.differences @ grid.T)
    objective = (slack**2).mean(axis=0) + lam * penalty.curve(np.abs(grid)).sum(axis=1)
    assert best.result.objective <= objective.min() + 1e-9
    near = grid[objective.argmin()]
    assert PAIRS.loss(best.weights) + lam * penalty.value(best.weights) == pytest.approx(best.result.objective)
    assert_allclose(best.weights, near, atol=0.04)


def test_under_lp_the_empty_model_is_a_minimum_at_every_lambda() -> None:
    lam = TRAINING.lam_at(0.05)
    found = minima(get_method("l0.5"), TRAINING, lam, {}, telling_starts(TRAINING))
    assert any(not fit.weights.any() for fit in found)


def test_a_trajectory_begins_at_the_empty_model_and_never_loses_the_lowest_minimum() -> None:
    ratios = [1.0, 0.3, 0.1, 0.03]
    path = trajectory(get_method("log"), TRAINING, {}, ratios)
    assert not path[0][0].weights.any()
    for ratio, found in zip(ratios, path, strict=True):
        objectives = [fit.result.objective for fit in found]
        assert objectives == sorted(objectives)
        assert found[0].lam == pytest.approx(TRAINING.lam_at(ratio))


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
    assert FeaturePair(data).names == tuple(data.feature_names[j] for j in telling_pair(data))
    assert FeaturePair().names == FeaturePair(features=(1, 2)).names
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
