"""What must not change the loss of a weight vector, or its gradient."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.data import RankingData
from core.losses import SquaredHinge
from tests.oracles import ranking_problem


def rows_shuffled(data: RankingData, rng: np.random.Generator) -> RankingData:
    offsets = data.query_offsets
    rows = np.concatenate([rng.permutation(np.arange(a, b)) for a, b in itertools.pairwise(offsets)])
    return RankingData.build(data.features[rows], data.relevance[rows], offsets)


def queries_shuffled(data: RankingData, rng: np.random.Generator) -> RankingData:
    return data.take_queries(rng.permutation(data.n_queries))


def features_shifted_by_query(data: RankingData, rng: np.random.Generator) -> RankingData:
    return data.with_features(data.features + rng.normal(size=(data.n_queries, 15))[data.query_of_document])


def every_query_doubled(data: RankingData, rng: np.random.Generator) -> RankingData:
    return data.take_queries(np.tile(np.arange(data.n_queries), 2))


def levels_renamed(data: RankingData, rng: np.random.Generator) -> RankingData:
    return RankingData.build(data.features, data.relevance * 7 + 2, data.query_offsets)


@pytest.mark.parametrize(
    "change", [rows_shuffled, queries_shuffled, features_shifted_by_query, every_query_doubled, levels_renamed]
)
def test_the_loss_of_a_weight_vector_is_unchanged_when(
    change: Callable[[RankingData, np.random.Generator], RankingData],
) -> None:
    rng = np.random.default_rng(0)
    data = ranking_problem(n_levels=4)
    changed = change(data, rng)
    w = rng.normal(size=data.n_features)

    def value_and_gradient(d: RankingData) -> tuple[float, np.ndarray]:
        evaluation = SquaredHinge.of(d).evaluate(d.features @ w)
        return evaluation.value, d.features.T @ evaluation.gradient

    value, gradient = value_and_gradient(data)
    changed_value, changed_gradient = value_and_gradient(changed)
    assert changed_value == pytest.approx(value, rel=1e-12)
    assert_allclose(changed_gradient, gradient, rtol=1e-9, atol=1e-12)
