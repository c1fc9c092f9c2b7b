"""One pass over X finds what the separate functions find, in either precision, whole or in blocks.

Groups of pairs are those of every pair counted by hand, and travel whole.
The loss without pairs says what the loss over explicit pairs says.
"""

import gc
import itertools
import pickle
import weakref
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial.hermite_e import hermegauss
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh

from core.data import DataError, RankingData
from core.data.feature_blocks import block_edges
from core.losses import SquaredHinge, query_sums
from core.losses._squared_hinge_kernels import _count_active
from core.losses.pair_groups import PairGroups
from core.methods import get_method
from core.solvers.problem import pull_back, scores_of
from tests.blocked import ArrayBlocks, in_blocks, with_pairs
from tests.oracles import Pairs, lists_of, ranking_problem


@pytest.fixture(scope="module")
def data() -> RankingData:
    """Queries of three grades, among them some without pairs."""
    whole = ranking_problem(n_features=7)
    relevance = whole.relevance.copy()
    for q in (0, 3, whole.n_queries - 1):
        relevance[whole.query_offsets[q] : whole.query_offsets[q + 1]] = 1
    return RankingData.build(whole.features, relevance, whole.query_offsets)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("chunk", [1, 40, 10**6])
def test_a_point_is_what_the_separate_passes_find(
    data: RankingData, precision: type[np.floating], blocks: bool, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_sums, "CHUNK_VALUES", 7 * chunk)
    monkeypatch.setattr(query_sums, "LEAST_CHUNK", 7 * min(chunk, 40))
    loss, w, columns = SquaredHinge.of(data), np.random.default_rng(0).normal(size=7), np.array([1, 2, 5])
    short = data.features.astype(precision)
    features = ArrayBlocks(short, block_edges(data.query_offsets, 30)) if blocks else short
    found = loss.at(features, w, columns)
    scores = scores_of(short, w)
    expected = loss.evaluate(scores)
    assert len(loss.groups.order) < data.n_documents
    assert_allclose(found.value, expected.value, rtol=1e-12)
    assert_allclose(found.dual_slope, expected.dual_slope, rtol=1e-12)
    assert_allclose(found.dual_curvature, expected.dual_curvature, rtol=1e-12)
    assert_allclose(found.answer, np.abs(expected.gradient) @ np.abs(scores), rtol=1e-10)
    assert_allclose(found.gradient, pull_back(short, expected.gradient), rtol=1e-10, atol=1e-13)
    assert_allclose(found.hessian, loss.hessian(scores, short, columns), rtol=1e-10)
    if blocks:
        assert features.passes == 1


@pytest.mark.parametrize("blocks", [False, True])
def test_several_models_have_what_each_has_alone(data: RankingData, blocks: bool) -> None:
    loss, weights = SquaredHinge.of(data), np.random.default_rng(1).normal(size=(5, 7))
    features = ArrayBlocks(data.features, block_edges(data.query_offsets, 30)) if blocks else data.features
    found = loss.at_each(features, weights)
    assert len(found) == 5
    for sums, w in zip(found, weights, strict=True):
        alone = loss.evaluate(data.features @ w)
        assert_allclose(
            [sums.value, sums.dual_slope, sums.dual_curvature, sums.dual_limit],
            [alone.value, alone.dual_slope, alone.dual_curvature, alone.dual_limit], rtol=1e-12,
        )  # fmt: skip
        assert_allclose(sums.gradient, data.features.T @ alone.gradient, rtol=1e-9, atol=1e-13)
    if blocks:
        assert features.passes == 1


def wide(documents: int, seed: int = 0) -> RankingData:
    """Queries of some hundred documents of three grades and 30 features, the last few far from zero."""
    random = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.cumsum(random.integers(documents // 2, documents, 12))])
    features = random.normal(size=(int(offsets[-1]), 30)) @ random.normal(size=(30, 30)) / 30
    features[:, 25:] += 50.0
    relevance = np.digitize(features[:, :3].sum(axis=1) + random.normal(size=len(features)), [0.8, 1.6])
    return RankingData.build(features, relevance, offsets)


def explicit_hessian(data: RankingData, columns: np.ndarray, w: np.ndarray | None = None) -> np.ndarray:
    """Compute it from the differences of all active pairs, two by two."""
    total, n_pairs = np.zeros((len(columns), len(columns))), 0
    for first, last in pairwise(data.query_offsets):
        rows, relevance = data.features[first:last], data.relevance[first:last]
        better, worse = np.nonzero(relevance[:, None] > relevance[None])
        differences = rows[better] - rows[worse]
        n_pairs += len(differences)
        active = differences if w is None else differences[differences @ w < 1.0]
        total += active[:, columns].T @ active[:, columns]
    return total * 2.0 / n_pairs


@pytest.mark.parametrize("n_columns", [1, 2, 7, 30])
@pytest.mark.parametrize("n_moving", [1, 5, 30])
def test_sparse_and_dense_models_have_the_sums_of_explicit_pairs(n_columns: int, n_moving: int) -> None:
    """Scores of a sparse model are computed otherwise than those of a dense one, and odd widths otherwise than even."""
    data, random = wide(90), np.random.default_rng(n_moving)
    w = np.zeros(30)
    w[random.choice(25, min(n_moving, 25), replace=False)] = random.normal(size=min(n_moving, 25))
    columns = np.sort(random.choice(30, n_columns, replace=False))
    loss = SquaredHinge.of(data)
    found, alone = loss.at(data.features, w, columns), loss.evaluate(data.features @ w)
    assert_allclose(found.value, alone.value, rtol=1e-11)
    assert_allclose(found.gradient, data.features.T @ alone.gradient, rtol=1e-8, atol=1e-10)
    expected = explicit_hessian(data, columns, w)
    assert_allclose(found.hessian, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    assert_array_equal(found.hessian, found.hessian.T)


def test_at_zero_the_loss_is_one_and_its_slopes_count_pairs() -> None:
    data = wide(90)
    loss, none = SquaredHinge.of(data), np.empty(0, dtype=np.int64)
    found, expected = loss.at(data.features, np.zeros(30), none), loss.evaluate(np.zeros(data.n_documents))
    assert found.value == 1.0
    assert (found.dual_slope, found.answer) == (2.0, 0.0)
    assert_allclose(found.score_slope, np.abs(expected.gradient).sum(), rtol=1e-12)
    assert_allclose(found.gradient, data.features.T @ expected.gradient, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("blocks", [False, True])
def test_the_hessian_at_zero_is_exact_where_groups_are_small(blocks: bool) -> None:
    data, columns = wide(60), np.array([0, 3, 11, 26, 29])
    features = ArrayBlocks(data.features, block_edges(data.query_offsets, 100)) if blocks else data.features
    expected = explicit_hessian(data, columns)
    found = SquaredHinge.of(data).hessian_at_zero(features, columns)
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_the_hessian_at_zero_is_near_where_a_part_stands_for_large_groups() -> None:
    """In any direction it is off by no more than some per cent, and blocks change nothing but the last bits."""
    data, columns = wide(900), np.arange(0, 30, 3)
    loss, expected = SquaredHinge.of(data), explicit_hessian(data, columns)
    found = loss.hessian_at_zero(data.features, columns)
    ratios = eigh(found, expected, eigvals_only=True)
    assert 0.85 < ratios[0] < ratios[-1] < 1.15
    assert np.abs(ratios - 1.0).max() > 1e-6, "no group is large enough for a part to stand for it"
    blocks = ArrayBlocks(data.features, block_edges(data.query_offsets, 700))
    assert_allclose(loss.hessian_at_zero(blocks, columns), found, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("size", [1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 100, 300])
def test_the_active_pairs_of_a_document_are_counted(size: int) -> None:
    """Margins of exactly 1, at which a pair is not active, are among them."""
    random = np.random.default_rng(size)
    key = np.full(size + 15, np.inf)
    key[:size] = np.sort(np.round(random.normal(scale=2.0, size=size), 1))
    for score in [*key[:size], *(key[:size] - 1.0), -9.0, 9.0]:
        assert _count_active(key, size, score) == sum(height - score < 1.0 for height in key[:size])


@pytest.mark.parametrize(("mean", "deviation", "price"), [(0.3, 0.4, 0.05), (0.1, 0.6, 0.01), (0.5, 0.0, 0.2)])
def test_the_step_from_zero_is_best_for_normal_differences(mean: float, deviation: float, price: float) -> None:
    """Against a quadrature of the loss over the normal distribution."""
    nodes, weights = hermegauss(201)
    differences, mass = mean + deviation * nodes, weights / weights.sum()
    steps = np.linspace(0.0, 4.0, 4001)
    objective = [mass @ np.maximum(0.0, 1.0 - t * differences) ** 2 + t * price for t in steps]
    loss = SquaredHinge(np.array([1, 0]), np.array([0, 2]))
    found = loss.step_from_zero(-2.0 * mean, 2.0 * (mean**2 + deviation**2), price)
    assert found == pytest.approx(steps[np.argmin(objective)], abs=0.02)


@pytest.mark.parametrize("lowest", [0, -3, 2**30])
def test_groups_give_every_pair_once(lowest: int) -> None:
    """Levels may be negative or large, and queries without a pair are left out."""
    random = np.random.default_rng(3)
    sizes = random.integers(1, 12, 40)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    relevance = lowest + random.choice([0, 1, 5], offsets[-1]).astype(np.int32)
    relevance[offsets[7] : offsets[8]] = lowest
    groups = PairGroups.of(relevance, offsets)
    queries = [range(first, last) for first, last in itertools.pairwise(offsets)]
    expected = {(i, j) for query in queries for i in query for j in query if relevance[i] > relevance[j]}
    found = [
        (i, j)
        for first, last in zip(groups.query_group[:-1], groups.query_group[1:], strict=True)
        for group in range(first, last)
        for i in groups.order[groups.group_start[group] : groups.group_start[group + 1]]
        for j in groups.order[groups.group_start[group + 1] : groups.group_start[last]]
    ]
    assert len(found) == groups.n_pairs == len(expected)
    assert set(found) == expected


def test_groups_travel_with_four_bytes_a_document_and_are_the_same_there() -> None:
    relevance = np.random.default_rng(0).integers(0, 3, 9000)
    groups = PairGroups.of(relevance, np.arange(0, 9001, 90))
    assert len(groups.query_rows) == 100  # which does not travel
    sent = pickle.dumps(groups)
    there = pickle.loads(sent)
    assert len(sent) < 4 * 9000 + 8 * (300 + 100) + 1000
    for name in ("order", "group_start", "query_group", "query_rows"):
        np.testing.assert_array_equal(getattr(there, name), getattr(groups, name))
        assert getattr(there, name).dtype == np.int64
    assert there.n_pairs == groups.n_pairs


def test_rows_beyond_four_bytes_travel_with_eight() -> None:
    groups = PairGroups(np.array([2**40, 0]), np.array([0, 1, 2]), np.array([0, 2]), 1)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(groups)).order, [2**40, 0])


# Quarters make ties, and margins of exactly 1, likely. All are multiples of 2^-20, so that differences are exact: a
# margin that is 1 but for rounding may count as active or not, which the Hessian shows.
scores_of_any_kind = st.one_of(
    st.integers(-12, 12).map(lambda k: k / 4), st.integers(-(5 << 20), 5 << 20).map(lambda k: k / 2**20)
)


@st.composite
def judged_lists(draw: st.DrawFn) -> tuple[RankingData, np.ndarray]:
    """Some queries of five levels, among them queries of one document or one level, with scores."""
    relevance = draw(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1, max_size=5))
    n = sum(map(len, relevance))
    scores = np.array(draw(st.lists(scores_of_any_kind, min_size=n, max_size=n)))
    features = np.random.default_rng(n).normal(size=(n, 3))
    return lists_of(relevance, features), scores


def assert_same_as_pairs(data: RankingData, scores: np.ndarray, rtol: float = 1e-11, atol: float = 1e-12) -> None:
    pairs, loss = Pairs.of(data), SquaredHinge.of(data)
    evaluation = loss.evaluate(scores)
    alpha = pairs.alpha(scores)
    direction = np.random.default_rng(1).normal(size=data.n_documents)
    columns = np.arange(data.n_features)

    assert loss.n_pairs == len(pairs) == data.n_pairs
    assert_allclose(evaluation.value, pairs.loss(scores), rtol=rtol, atol=atol)
    assert_allclose(evaluation.gradient, pairs.score_gradient(scores), rtol=rtol, atol=atol)
    assert_allclose(evaluation.dual_slope, alpha.sum(), rtol=rtol, atol=atol)
    assert_allclose(evaluation.dual_curvature, len(pairs) / 4 * (alpha**2).sum(), rtol=rtol, atol=atol)
    assert_allclose(
        loss.curvature_product(scores, direction), pairs.curvature_product(scores, direction), rtol=rtol, atol=atol
    )
    assert_allclose(
        loss.hessian(scores, data.features, columns), pairs.hessian(scores, data.features), rtol=rtol, atol=atol
    )


@settings(max_examples=150, deadline=None)
@given(judged_lists())
def test_everything_equals_the_sum_over_pairs(drawn: tuple[RankingData, np.ndarray]) -> None:
    data, scores = drawn
    if len(Pairs.of(data)) > 0:
        assert_same_as_pairs(data, scores)
    else:
        with pytest.raises(DataError, match="no preference pairs"):
            SquaredHinge.of(data)


@pytest.mark.parametrize("group", [1, 47, 48, 49, 50, 130])
def test_groups_of_any_size_are_sorted(group: int) -> None:
    """Short groups are sorted by insertion, long ones otherwise."""
    rng = np.random.default_rng(group)
    data = lists_of([[2] * group + [1] * (group + 1) + [0] * 7], rng.normal(size=(2 * group + 8, 3)))
    assert_same_as_pairs(data, rng.integers(-6, 6, data.n_documents) / 4)
    assert_same_as_pairs(data, rng.normal(size=data.n_documents))


def test_a_pair_with_margin_exactly_one_is_inactive() -> None:
    data = lists_of([[1, 0]], np.array([[1.0], [0.0]]))
    loss = SquaredHinge.of(data)
    at_margin, inside = np.array([2.0, 1.0]), np.array([2.0, 1.0 + 2.0**-40])
    assert loss.evaluate(at_margin).value == 0.0
    assert not loss.evaluate(at_margin).gradient.any()
    assert not loss.curvature_product(at_margin, np.array([1.0, 0.0])).any()
    assert loss.hessian(at_margin, data.features, np.array([0])).item() == 0.0
    assert loss.evaluate(inside).value == 2.0**-80
    assert loss.hessian(inside, data.features, np.array([0])).item() == 2.0


def test_scores_far_from_zero_lose_nothing_but_their_own_digits() -> None:
    """A pair sees differences only, so an offset per query of 2^30 must not enter any square."""
    data = ranking_problem(4, n_levels=5)
    rng = np.random.default_rng(0)
    offsets = (2.0**30 * rng.choice([-1, 1], data.n_queries))[data.query_of_document]
    assert_same_as_pairs(data, offsets + rng.integers(-900, 900, data.n_documents) / 256)


@pytest.mark.parametrize(("offset", "dtype"), [(2.0**20, np.float64), (0.0, np.float32)], ids=["far", "float32"])
def test_the_hessian_is_that_of_features_far_from_zero_and_of_single_precision(offset: float, dtype: type) -> None:
    data = ranking_problem(5)
    x, scores = (data.features + offset).astype(dtype), data.features[:, 0]
    found = SquaredHinge.of(data).hessian(scores, x, np.arange(data.n_features))
    assert_allclose(
        found, Pairs.of(data).hessian(scores, x), rtol=1e-10 if offset else 1e-11, atol=1e-12 if offset else 1e-13
    )


def test_what_is_left_of_a_loss_that_has_all_but_vanished_is_exact() -> None:
    """Slacks of 1e-9 and less: their squares, by exact fractions, are far below the last bits of squared scores."""
    rng = np.random.default_rng(0)
    relevance = np.repeat([2, 1, 0], 5)
    scores = relevance + 3.0 - 1e-9 * rng.uniform(size=15)
    scores[0] += 7.3  # the sums are relative to the first document's
    pairs = [(i, j) for i in range(15) for j in range(15) if relevance[i] > relevance[j]]
    slacks = [max(1 - Fraction(scores[i]) + Fraction(scores[j]), Fraction(0)) for i, j in pairs]
    exact = float(sum(slack * slack for slack in slacks) / len(pairs))
    assert SquaredHinge(relevance, np.array([0, 15])).evaluate(scores).value == pytest.approx(exact, rel=1e-5, abs=0.0)


def test_all_fits_of_some_data_share_its_loss_which_goes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of pairs are made once, and put beside blocks once."""
    data, puts = in_blocks(with_pairs(), 3), 0

    def put(self: ArrayBlocks, parts: list[Any]) -> list[Any]:
        nonlocal puts
        puts += 1
        return parts

    monkeypatch.setattr(ArrayBlocks, "put", put)
    for method_id in ("l1", "log"):
        assert get_method(method_id).training(data).lam_max > 0
    assert puts == 1
    kept = weakref.ref(SquaredHinge.of(data))
    assert SquaredHinge.of(in_blocks(with_pairs(), 3)) is not kept()
    del data
    gc.collect()
    assert kept() is None
