"""Every prox gives the global minimum, also where the problem has several local ones.

The l0 penalty: a price for every feature that is used, beside half the squared norm.
The ridge within a budget: what it allows, its prox, its dual bound, and the words for its models.
The l1 ball: a limit instead of a price, whose prox is the nearest point.
Curve, slope and curvature of every penalty belong together, and penalties have the limits their papers give.
The distance to stationarity against a subdifferential that is measured, not derived.
"""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.penalties import (
    L0,
    L1,
    L2,
    MCP,
    SCAD,
    FeatureWeighted,
    L1Ball,
    L2AtMost,
    L2Budget,
    Log,
    Lp,
    Penalty,
    Refitted,
    Signed,
    WeightedL1,
)
from core.penalties.base import DualRay
from core.penalties.coupled import ImportanceSimilarity
from tests.penalties.every import KINDS, SEVERAL, SHOWN
from tests.says import assert_says

GRID = np.linspace(-1.0, 1.0, 20_001)

every_penalty = pytest.mark.parametrize("penalty", SEVERAL, ids=[f"{p.title} {i}" for i, p in enumerate(SEVERAL)])
steps = st.floats(1e-3, 20.0)


@every_penalty
@settings(max_examples=40, deadline=None)
@given(v=st.floats(-6, 6), step=steps)
@example(v=1.0, step=1.0)
@example(v=3.0, step=3.0)
@example(v=1.5, step=1.1)
def test_no_point_of_a_dense_grid_is_better(penalty: Penalty, v: float, step: float) -> None:
    u = penalty.prox(np.array([v]), step)
    points = np.concatenate([GRID * (abs(v) + 0.1), [0.0, v]])
    objective = 0.5 * (points - v) ** 2 + step * penalty.curve(np.abs(points))
    reached = 0.5 * (u.item() - v) ** 2 + step * penalty.curve(np.abs(u)).item()
    assert reached <= objective.min() + 1e-12 * max(1.0, v * v)


@every_penalty
@settings(max_examples=40, deadline=None)
@given(v=st.floats(-6, 6), step=steps)
def test_its_point_is_stationary(penalty: Penalty, v: float, step: float) -> None:
    """v - u lies in step times the subdifferential at u."""
    u = penalty.prox(np.array([v]), step)
    distance = penalty.distance_to_stationarity(u, u - v, step).item()
    # Right at a weight of lp that is close to 0 the slope is steep: allow for the rounding of u.
    steep = abs(step * penalty.curvature(u).item()) * abs(u.item())
    assert distance <= 1e-10 * max(1.0, abs(v), step, steep)


BASES = [penalty for penalty in SHOWN if penalty.sparse]
ONE_FEATURE: list[Penalty] = [
    L0(0.7),
    Refitted(L1(), 0.2),
    *(FeatureWeighted(base, np.array([factor])) for base in BASES for factor in (0.0, 0.4, 2.5, np.inf)),
    *(Signed(base, np.array([sign])) for base in BASES for sign in (1.0, -1.0, 0.0)),
]
VALUES = np.linspace(-4.5, 4.5, 1801)


@pytest.mark.parametrize("step", [0.05, 1.1, 6.0])
@pytest.mark.parametrize("penalty", ONE_FEATURE, ids=[f"{p.title} {i}" for i, p in enumerate(ONE_FEATURE)])
def test_no_weight_of_a_dense_grid_has_a_lower_value(penalty: Penalty, step: float) -> None:
    """Also of a penalty at a price, on its support, weighted, or with a sign, whose value may be infinite."""
    price = np.array([penalty.value(np.array([u])) for u in VALUES])
    for v in (-4.0, -0.6, 0.0, 0.3, 1.7):
        u = penalty.prox(np.array([v]), step)
        own = [0.5 * (at - v) ** 2 + step * penalty.value(np.array([at])) for at in (u.item(), v)]
        assert own[0] <= min(own[1], (0.5 * (VALUES - v) ** 2 + step * price).min()) + 1e-9


def test_a_feature_pays_its_price_if_it_is_used() -> None:
    w = np.array([0.0, -2.0, 1.0])
    assert L0(3.0).value(w) == pytest.approx(2.5 + 6.0)
    assert L0(3.0, np.array([1.0, 0.0, 2.0])).value(w) == pytest.approx(2.5 + 6.0)
    assert L0(3.0, np.array([1.0, np.inf, 2.0])).value(w) == np.inf
    assert L0(3.0).priced(np.array([1.0, 0.5, 0.0])).value(w) == pytest.approx(2.5 + 1.5)


def test_the_dual_bound_is_the_best_value_on_the_ray() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        g, costs, lam = rng.normal(size=5), rng.choice([0.0, 0.5, 1.0, np.inf], 5), 0.3
        price, slope, curvature = float(rng.uniform(0.1, 3.0)), float(rng.uniform(0.5, 4.0)), 0.4
        theta = np.linspace(0.0, 10.0, 40_001)[:, None]
        prices = np.minimum(lam * price * costs, 1e9)
        conjugate = np.maximum((theta * g) ** 2 / (2.0 * lam) - prices, 0.0).sum(axis=1)
        values = theta[:, 0] * slope - theta[:, 0] ** 2 * curvature - conjugate
        bound = L0(price, costs).dual_bound(DualRay(slope, curvature), g, lam)
        assert bound == pytest.approx(values.max(), abs=slope * 2.5e-4)  # the grid may miss a kink by a step


def test_its_value_is_that_of_l2_within_the_budget_and_infinite_beyond() -> None:
    w = np.array([1.0, 0.0, -2.0])
    assert L2Budget(2).value(w) == L2().value(w)
    assert L2Budget(1).value(w) == np.inf
    costs = np.array([0.5, 1.0, 1.0])
    assert L2Budget(1.5, costs).value(w) == L2().value(w)
    assert L2Budget(1.4, costs).value(w) == np.inf
    assert L2Budget(1.0, np.array([np.inf, 1.0, 1.0])).value(w) == np.inf
    assert L2Budget(1.0, np.array([0.0, 1.0, 1.0])).value(w) == L2().value(w)


def test_its_prox_is_the_best_of_all_sets() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        v, costs, budget, step = rng.normal(size=5), rng.uniform(0.2, 2.0, 5), rng.uniform(0.5, 4.0), 0.7
        penalty = L2Budget(budget, costs)
        u = penalty.prox(v, step)
        values = [
            0.5 * ((kept * v / 1.7 - v) ** 2).sum() + step * penalty.value(kept * v / 1.7)
            for kept in map(np.array, product([0.0, 1.0], repeat=5))
        ]
        assert 0.5 * ((u - v) ** 2).sum() + step * penalty.value(u) == pytest.approx(min(values), rel=1e-9)


def test_the_prox_of_so_many_features_is_the_best_of_all_sets_with_steps_of_their_own() -> None:
    v, steps = np.array([1.0, -2.0, 1.9, 0.5]), np.array([0.1, 6.0, 0.5, 2.0])

    def cost(u: np.ndarray) -> float:
        return float((0.5 * (u - v) ** 2 + 0.5 * steps * u**2).sum())

    best = min(cost(np.array(kept) * v / (1.0 + steps)) for kept in product([0.0, 1.0], repeat=4) if sum(kept) <= 2)
    assert cost(L2AtMost(2).prox(v, steps)) == pytest.approx(best)
    assert [L2AtMost(k).value(np.array([1.0, 0.0, 2.0])) for k in (1, 2)] == [np.inf, 2.5]


def test_its_dual_bound_takes_the_largest_slopes_that_the_budget_pays() -> None:
    g = np.array([3.0, -2.0, 1.0])
    ray = DualRay(1.0, 0.5)
    two = L2().dual_bound(ray, g[:2], 0.1)
    assert L2Budget(2).dual_bound(ray, g, 0.1) == pytest.approx(two)
    assert L2Budget(3).dual_bound(ray, g, 0.1) == pytest.approx(L2().dual_bound(ray, g, 0.1))
    without_first = L2Budget(2, np.array([np.inf, 1.0, 1.0])).dual_bound(ray, g, 0.1)
    assert without_first == pytest.approx(L2().dual_bound(ray, g[1:], 0.1))


def test_its_words_say_which_models_a_bound_covers() -> None:
    assert_says(L2Budget(0.3, np.full(4, 0.1)).among, "at most 3 features")  # 0.3 / 0.1 is below 3 by rounding
    plain = L2Budget(1).among
    assert_says(plain, "at most 1 feature")
    assert_says(L2Budget(5).priced(np.array([1.0, np.inf, 0.0])).among, "at most 5 features", "free", "without", "off")
    dear = L2Budget(2).priced(np.array([0.5, 1.5])).among
    assert_says(dear, "cost", "at most 2 times", "mean cost")
    assert not any(word in words for words in (plain, dear) for word in ("free", "off"))


vectors = st.lists(st.floats(-5, 5), min_size=1, max_size=7).map(np.array)
radii = st.floats(0.0, 12.0)


def test_the_ball_costs_nothing_inside_and_everything_outside() -> None:
    ball = L1Ball(2.0)
    assert ball.value(np.array([0.5, -1.5])) == 0.0
    assert ball.value(np.array([0.5, -1.6])) == np.inf
    assert ball.value(np.full(3, 2.0 / 3.0) * (1.0 + 1e-15)) == 0.0  # on the sphere, but for rounding


@settings(max_examples=100, deadline=None)
@given(v=vectors, radius=radii, step=st.floats(0.1, 9.0))
@example(v=np.array([3.0]), radius=1e-4, step=1.0)  # v loses digits that the radius has
def test_no_point_of_the_ball_is_nearer_than_the_projection(v: np.ndarray, radius: float, step: float) -> None:
    """v - u makes no acute angle with the way to any vertex: u is nearest in the whole ball (a convex set)."""
    u = L1Ball(radius).prox(v, step)
    assert np.abs(u).sum() <= radius * (1.0 + 1e-12)
    away = v - u
    assert radius * np.abs(away).max() - float(away @ u) <= 1e-12 * (1.0 + float(v @ v))


@settings(max_examples=60, deadline=None)
@given(gradient=vectors, radius=st.floats(0.1, 5.0))
def test_a_minimiser_of_a_linear_function_is_stationary(gradient: np.ndarray, radius: float) -> None:
    """It is the vertex against the steepest slope; half-way to it, and at the opposite one, nothing is stationary."""
    steepest = int(np.argmax(np.abs(gradient)))
    vertex = np.zeros_like(gradient)
    vertex[steepest] = -radius * np.sign(gradient[steepest])
    steep = abs(gradient[steepest])
    ball = L1Ball(radius)
    assert ball.distance_to_stationarity(vertex, gradient, 1.0).max() == 0.0
    assert ball.distance_to_stationarity(0.5 * vertex, gradient, 1.0).max() == steep
    assert ball.distance_to_stationarity(-vertex, gradient, 1.0).max() == 2.0 * steep
    if steep > 0.0:
        assert ball.distance_to_stationarity(2.0 * vertex, gradient, 1.0).max() == np.inf


@settings(max_examples=60, deadline=None)
@given(
    gradient=vectors, radius=st.floats(0.1, 5.0), slope=st.floats(0.0, 9.0), curvature=st.floats(0.0, 3.0),
    limit=st.floats(0.1, 3.0),
)  # fmt: skip
def test_the_dual_bound_is_the_best_on_the_ray(
    gradient: np.ndarray, radius: float, slope: float, curvature: float, limit: float
) -> None:
    """Against a grid of theta * slope - theta^2 * curvature - r ||theta gradient||_inf."""
    theta = np.linspace(0.0, limit, 4001)
    values = theta * (slope - radius * np.abs(gradient).max()) - theta**2 * curvature
    bound = L1Ball(radius).dual_bound(DualRay(slope, curvature, limit), gradient, 1.0)
    assert bound == pytest.approx(values.max(), abs=1e-5)


T = np.linspace(0.03, 4.99, 311)  # off every kink


@pytest.fixture(
    params=SEVERAL, ids=lambda p: f"{p.title} {'-'.join(f'{v:g}' for v in vars(p).values() if np.isscalar(v))}"
)
def penalty(request) -> Penalty:
    return request.param


def test_the_curve_rises_from_zero(penalty: Penalty) -> None:
    assert penalty.curve(np.zeros(1)).item() == 0.0
    assert np.all(np.diff(penalty.curve(np.linspace(0.0, 8.0, 200))) >= 0.0)


def test_weights_are_the_slope_of_the_curve_and_the_curvature_that_of_the_weights(penalty: Penalty) -> None:
    h = 1e-6
    for of, slope, atol in ((penalty.curve, penalty.weights, 1e-8), (penalty.weights, penalty.curvature, 1e-7)):
        assert_allclose(slope(T), (of(T + h) - of(T - h)) / (2 * h), rtol=1e-6, atol=atol)
        assert_array_equal(slope(-T), slope(T))


def test_a_penalty_lies_below_its_tangents_if_it_is_sparse(penalty: Penalty) -> None:
    """Concave in |w|: what reweighting rests on. The ℓ2 penalty is convex in |w| and keeps every feature."""
    at, point = T[:, None], T[None, :]
    tangent = penalty.curve(at) + penalty.weights(at) * (point - at)
    assert np.all(penalty.curve(point) <= tangent + 1e-12) == penalty.sparse


def test_slopes_are_those_of_table_two() -> None:
    """Laporte et al. (2014), Table II."""
    t = np.array([0.25, 1.0, 3.0])
    assert_allclose(Lp(0.5).weights(t), [1.0, 0.5, 0.5 / np.sqrt(3)])
    assert_allclose(Log(0.1).weights(t), [1 / 0.35, 1 / 1.1, 1 / 3.1])
    assert_allclose(MCP(2.0).weights(t), [0.875, 0.5, 0.0])


@pytest.mark.parametrize("penalty", [MCP(1e6), SCAD(1e6)], ids=["MCP", "SCAD"])
def test_with_a_huge_knee_it_is_l1(penalty: Penalty) -> None:
    v = np.linspace(-5, 5, 101)
    assert_allclose(penalty.curve(np.abs(v)), np.abs(v), rtol=1e-5)
    assert_allclose(penalty.weights(v), L1().weights(v), rtol=1e-5)
    assert_allclose(penalty.prox(v, 1.3), L1().prox(v, 1.3), atol=1e-5)


@pytest.mark.parametrize(("penalty", "knee"), [(MCP(0.7), 0.7), (SCAD(0.5, 3.0), 1.5)], ids=["MCP", "SCAD"])
def test_beyond_the_knee_nothing_is_shrunk(penalty: Penalty, knee: float) -> None:
    beyond = np.array([knee, knee + 0.1, 50.0])
    assert not penalty.weights(beyond).any()
    assert np.ptp(penalty.curve(beyond)) < 1e-15


def test_an_infinite_weight_forbids_a_feature_and_a_zero_weight_frees_it() -> None:
    penalty = WeightedL1(np.array([np.inf, 0.0, 2.0]))
    assert penalty.value(np.array([0.0, 5.0, 1.0])) == 2.0
    assert penalty.value(np.array([1e-9, 0.0, 0.0])) == np.inf
    assert_array_equal(penalty.prox(np.array([9.0, 0.4, 9.0]), 0.5), [0.0, 0.4, 8.0])


NO_PENALTY: list[tuple[str, Callable[[float], object], tuple[float, ...]]] = [
    ("must be 0 or more", lambda x: WeightedL1(np.array([1.0, x])), (-0.1, np.nan)),
    ("must be 0 or more", lambda x: FeatureWeighted(L1(), np.array([1.0, x])), (-0.1, np.nan)),
    ("use a sparse penalty", lambda x: FeatureWeighted(L2(), np.full(2, x)), (1.0,)),
    ("positive lambda", lambda x: Refitted(L1(), x), (0.0, -1.0, np.nan, np.inf)),
    (r"sign.*\b1, -1\b.*\b0\b", lambda x: Signed(L1(), np.array([x])), (0.5,)),
    ("one common step", lambda x: ImportanceSimilarity(np.ones(2), np.eye(2), x).prox(np.ones(2), np.ones(2)), (1.0,)),
    ("0 or more", lambda x: ImportanceSimilarity(np.array([1.0, x]), np.eye(2), 1.0), (-1.0,)),
    ("0 or more", lambda x: ImportanceSimilarity(np.ones(2), np.full(2, x), 1.0), (-1.0,)),
    ("0 or more", lambda x: ImportanceSimilarity(np.ones(2), np.eye(2), x), (-1.0, np.nan)),
    ("above 0", L0, (0.0,)),
    ("0 or more", lambda x: L0(1.0, np.array([1.0, x])), (-1.0,)),
    ("must be 0 or more", L2Budget, (-1.0, np.nan)),
    ("must be 0 or more", lambda x: L2Budget(1.0, np.array([x])), (-1.0, np.nan)),
    (r"radius.*\b0 or more", L1Ball, (-1.0, np.nan)),
]


@pytest.mark.parametrize(("words", "make", "values"), NO_PENALTY)
def test_what_no_penalty_can_be_is_refused(
    words: str, make: Callable[[float], object], values: tuple[float, ...]
) -> None:
    for value in values:
        with pytest.raises(ValueError, match=words):
            make(value)


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_out_of_range_are_refused_by_name(kind: type[Penalty]) -> None:
    for parameter in kind.parameters:
        assert parameter.minimum <= parameter.default <= parameter.maximum
        assert vars(kind())[parameter.name] == parameter.default
        for edge in (parameter.minimum, parameter.maximum):
            kind(**{parameter.name: edge})
        for wrong in (parameter.minimum - 1e-3, parameter.maximum * 1.01, np.nan):
            with pytest.raises(ValueError, match=rf"\b{parameter.name}\b.*between"):
                kind(**{parameter.name: wrong})


LAM = 0.3


@pytest.mark.parametrize("gradient", [-2.0, -0.3, -0.1, 0.0, 0.29, 0.31, 3.5])
@pytest.mark.parametrize("w", [-1.3, -0.02, 0.0, 0.4, 2.0])
@pytest.mark.parametrize("penalty", [*SHOWN, WeightedL1(np.array([2.5]))], ids=lambda p: p.title)
def test_it_is_the_distance_of_zero_from_the_measured_subdifferential(
    penalty: Penalty, w: float, gradient: float
) -> None:
    h = 1e-7

    def omega(t: float) -> float:
        return LAM * penalty.curve(np.array([abs(t)])).item()

    # One-sided slopes: they differ at 0 only, and what lies between them is the subdifferential.
    left, right = (omega(w) - omega(w - h)) / h, (omega(w + h) - omega(w)) / h
    nearest = np.clip(-gradient, left, right)
    measured = abs(gradient + nearest)
    distance = penalty.distance_to_stationarity(np.array([w]), np.array([gradient]), LAM).item()
    assert distance == pytest.approx(measured, abs=1e-4)


@pytest.mark.parametrize("w", [0.0, 1e-3])
def test_a_forbidden_feature_is_stationary_only_at_zero(w: float) -> None:
    distance = WeightedL1(np.array([np.inf])).distance_to_stationarity(np.array([w]), np.array([7.0]), LAM).item()
    assert distance == (0.0 if w == 0.0 else np.inf)
