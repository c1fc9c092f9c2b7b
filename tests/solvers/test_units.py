"""A column's unit and its offset within queries: the same certificates, in as many steps."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.analysis.penalties.penalty_shape import penalty_methods
from core.data import Fold, RankingData, scale_fold
from core.data.column_ranges import in_units
from core.methods import METHODS, Method, get_method
from core.metrics.feature_scores import pearson_matrix, values_of
from core.penalties import L1, MCP, FeatureWeighted, Log, Penalty, Signed
from core.penalties.by_feature import Rescaled
from core.solvers import Fista, ProximalNewton, Solver, Stop, solve
from core.solvers.problem import pair_scores, scores_of
from tests.blocked import ArrayBlocks
from tests.oracles import Pairs
from tests.solvers.limits import OF_EACH_LOSS

RNG = np.random.default_rng(3)
OFFSETS = np.arange(0, 241, 12)
QUERY = np.repeat(np.arange(20.0), 12)
X = np.round(RNG.normal(size=(240, 8)) * 64) / 64  # so that offsets of 2^40 and powers of 2 round nothing
Y = np.digitize(X @ [1, 0.6, -0.8, 0.3, 0, 0, 0, 0.2] + RNG.normal(size=240), [0.3, 1.2])
COLUMN = 1  # matters


def data(x: np.ndarray, dtype: type[np.floating] = np.float64) -> RankingData:
    return RankingData.build(x, Y, OFFSETS, dtype=dtype)


def changed(values: np.ndarray) -> np.ndarray:
    x = X.copy()
    x[:, COLUMN] = values
    return x


SHIFTED = [changed(X[:, COLUMN] + 2.0**40), changed(X[:, COLUMN] + 2.0**36 * QUERY)]
DETERMINISTIC = [
    pytest.param(m, s, id=f"{m.id} by {s.id}")
    for m, s in dict.fromkeys([*OF_EACH_LOSS, *((m, m.solvers[0]) for m in METHODS)])
    if m.id not in ("fsmrank", "fsmsvm") and not s.id.startswith("admm")
]  # FSMRank compares features over all documents, and ADMM takes minutes


@pytest.mark.parametrize(("method", "solver"), DETERMINISTIC)
@pytest.mark.parametrize("x", SHIFTED, ids=["of all documents", "of each query"])
def test_an_offset_that_no_pair_sees_changes_no_model(method: Method, solver: Solver, x: np.ndarray) -> None:
    stop = replace(method.stop, max_steps=400)
    plain, other = (method.training(data(values)) for values in (X, x))
    assert other.lam_max == pytest.approx(plain.lam_max, rel=1e-9)
    lam = 0.1 * plain.lam_max
    expected, found = (method.fit(one, lam, solver=solver.id, stop=stop).result for one in (plain, other))
    assert found.stop == expected.stop
    assert found.steps <= 2 * expected.steps
    assert found.objective == pytest.approx(expected.objective, rel=1e-7)
    np.testing.assert_array_equal(found.weights != 0.0, expected.weights != 0.0)


@pytest.mark.parametrize("unit", [2.0**30, 2.0**-30, 1e9, 1e-9])
@pytest.mark.parametrize("solver", [ProximalNewton(), Fista()], ids=lambda one: one.id)
def test_a_unit_changes_no_l1_model_whose_price_follows_it(solver: Solver, unit: float) -> None:
    lam, factors = 0.05, np.ones(8)
    expected = solve(solver, get_method("l1").training(data(X)).problem(L1(), lam))
    factors[COLUMN] = unit
    training = get_method("l1").training(data(changed(X[:, COLUMN] * unit)))
    found = solve(solver, training.problem(FeatureWeighted(L1(), factors), lam))
    assert (found.stop, found.certificate.kind) == ("converged", "duality gap")
    assert found.steps <= 2 * expected.steps
    np.testing.assert_allclose(found.weights * factors, expected.weights, atol=1e-3)
    assert found.objective == pytest.approx(expected.objective, rel=2e-6)


@pytest.mark.parametrize("method", [method.id for method in penalty_methods()])
@pytest.mark.parametrize("unit", [1e9, 1e-9])
def test_a_unit_costs_no_steps(method: str, unit: float) -> None:
    how, lam = get_method(method), 0.1 * get_method("l1").training(data(X)).lam_max
    plain, other = (how.fit(how.training(data(x)), lam).result for x in (X, changed(X[:, COLUMN] * unit)))
    assert plain.stop == other.stop == "converged"
    assert other.steps <= 2 * plain.steps


def test_the_objective_and_gap_are_those_of_explicit_pairs() -> None:
    x, lam = changed(X[:, COLUMN] * 1e9 + 1e12), 0.01
    found = get_method("l1").fit(get_method("l1").training(data(x)), lam).result
    differences = Pairs.of(data(x)).difference(x)
    exact = np.mean(np.maximum(0.0, 1.0 - differences @ found.weights) ** 2) + lam * np.abs(found.weights).sum()
    assert found.objective == pytest.approx(exact, rel=1e-9)
    free = get_method("l1").training(data(X)).problem(FeatureWeighted(L1(), np.arange(8.0) != COLUMN), lam)
    best = solve(ProximalNewton(), free, Stop(tol=1e-9)).objective  # a price of a billionth is nearly none
    assert best <= found.objective <= best * (1 + 1e-6)


@pytest.mark.parametrize("method", ["rwfs-l0", "l2-arom", "rwfs-l1"])
def test_no_feature_is_dropped_because_its_unit_makes_its_weight_small(method: str) -> None:
    how = get_method(method)
    strong = X @ [1.0, 0.6, -0.8, 0.3, 0, 0, 0, 0.2]
    training = how.training(RankingData.build(changed(strong * 1e9), Y, OFFSETS))
    found = how.fit(training, 0.1 * get_method("l1").training(data(X)).lam_max)
    assert found.selected.tolist() == [COLUMN]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_features_in_other_units_are_exact_and_the_same_in_blocks(dtype: type[np.floating]) -> None:
    x = X.astype(dtype)
    x[:, 0] += dtype(1000.0)
    x[:, 2] += (1024.0 * QUERY).astype(dtype)
    x[:, 3] = QUERY
    units = 2.0 ** np.arange(-4, 4)
    found = in_units(x, OFFSETS, units)
    assert found.dtype == dtype
    differences = [one[1:].astype(np.longdouble) - one[:1] for one in np.split(x, OFFSETS[1:-1])]
    for one, expected in zip(np.split(found, OFFSETS[1:-1]), differences, strict=True):
        np.testing.assert_array_equal((one[1:].astype(np.longdouble) - one[:1]) * units, expected)
    assert not found[:, 3].any()
    assert np.abs(found[:, 0] * units[0]).max() <= 2 * np.ptp(X[:, 0])
    blocks = in_units(ArrayBlocks(x, OFFSETS[[0, 3, 20]]), OFFSETS, units)  # type: ignore[arg-type]
    np.testing.assert_array_equal(np.concatenate([*blocks.each()]), found)  # type: ignore[attr-defined]


def test_ordinary_features_are_used_as_they_are() -> None:
    training = get_method("l1").training(data(X))
    assert (training.units, training.features is training.data.features) == (None, True)


@pytest.mark.parametrize("penalty", [Log(0.2), MCP(0.5), Signed(Log(0.2), np.ones(8))])
def test_a_weight_in_other_units_pays_what_it_paid(penalty: Penalty) -> None:
    w, units = np.abs(RNG.normal(size=8)), 2.0 ** RNG.integers(-9, 9, size=8)
    rescaled = Rescaled(penalty, units)
    assert rescaled.value(w * units) == pytest.approx(penalty.value(w), rel=1e-12)
    np.testing.assert_allclose(rescaled.weights(w * units) * units, penalty.weights(w), rtol=1e-12)
    v, step = RNG.normal(size=8), 0.3
    grid = np.linspace(-1.5, 1.5, 30001)[:, None] * np.abs(v)
    curve = (grid - v) ** 2 / 2 + step * np.stack([np.atleast_1d(rescaled.curve(np.abs(row))) for row in grid])
    if not isinstance(penalty, Signed):
        best = np.take_along_axis(grid, curve.argmin(axis=0)[None], axis=0)[0]
        u = rescaled.prox(v, step)
        here, there = ((z - v) ** 2 / 2 + step * rescaled.curve(np.abs(z)) for z in (u, best))
        assert np.all(here <= there + 1e-6)


def test_documents_are_ranked_by_what_an_offset_would_hide() -> None:
    w = RNG.normal(size=8)
    for x in SHIFTED:
        found, expected = pair_scores(data(x), w), scores_of(X, w)
        for first, last in pairwise(OFFSETS):
            np.testing.assert_allclose(np.diff(found[first:last]), np.diff(expected[first:last]), atol=1e-9)
        np.testing.assert_array_equal(
            pair_scores(replace(data(x), features=ArrayBlocks(x, OFFSETS[[0, 5, 20]])), w),
            found,  # type: ignore[arg-type]
        )
    np.testing.assert_array_equal(pair_scores(data(X), w), scores_of(X, w))


def test_a_feature_alone_ranks_as_without_its_offset() -> None:
    for x in SHIFTED:
        values = values_of(data(x), np.array([COLUMN]))[:, 0]
        for first, last in pairwise(OFFSETS):
            np.testing.assert_array_equal(np.diff(values[first:last]), np.diff(X[first:last, COLUMN]))


def test_sums_over_single_precision_are_in_double_precision() -> None:
    x = (1000.0 + np.random.default_rng(0).normal(size=(1_000_000, 1))).astype(np.float32)
    part = RankingData.build(x, np.arange(len(x)) % 2, np.arange(0, len(x) + 1, 1000), dtype=np.float32)
    scaling = scale_fold(Fold("all", part), "standard").scaling
    assert scaling.origin is not None
    assert scaling.span is not None
    assert scaling.origin[0] == pytest.approx(x[:, 0].mean(dtype=np.longdouble), rel=1e-9)
    assert scaling.span[0] == pytest.approx(x[:, 0].std(dtype=np.longdouble), rel=1e-6)


def test_constants_and_correlations_are_those_without_an_offset() -> None:
    shifted, plain = (scale_fold(Fold("all", data(x)), "standard").train.features for x in (SHIFTED[0], X))
    np.testing.assert_allclose(shifted - shifted[0], plain - plain[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(pearson_matrix(SHIFTED[0]), pearson_matrix(X), atol=1e-12)


def test_lambda_max_of_features_that_no_pair_sees_is_nothing() -> None:
    constant = np.broadcast_to(1e12 * (1.0 + QUERY[:, None]), (240, 2))
    assert get_method("l1").training(data(constant)).lam_max == 0.0
    assert get_method("l1").training(data(np.hstack([constant, X[:, :1]]))).lam_max == pytest.approx(
        get_method("l1").training(data(X[:, :1])).lam_max, rel=1e-12
    )
