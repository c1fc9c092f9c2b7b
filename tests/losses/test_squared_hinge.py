"""The loss without pairs says what the loss over explicit pairs says."""

import gc
import weakref
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from core.data import DataError, RankingData
from core.losses import SquaredHinge
from core.methods import get_method
from tests.blocked import ArrayBlocks, in_blocks, with_pairs
from tests.oracles import Pairs, lists_of, ranking_problem

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
