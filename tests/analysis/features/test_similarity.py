"""Similarity of features: scipy's numbers where it has them, and an order that brings twins together."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from core.analysis.features import similarity
from core.analysis.features.similarity import (
    MOST_FEATURES,
    Pair,
    Similarity,
    pearson,
    pearson_among,
)
from core.data import DataError, RankingData
from core.metrics.feature_similarity import bounded
from core.metrics.kendall import LARGEST_SAMPLE, kendall_matrix, kendall_rows, sample_documents


def ranking(features: np.ndarray) -> RankingData:
    return RankingData.build(features, np.arange(len(features)) % 3, [0, len(features)])


@pytest.fixture(scope="module")
def features() -> np.ndarray:
    """a, its noisy negative, b, its noisy copy, coarse values, a constant that is not 0, zeros."""
    rng = np.random.default_rng(11)
    a, b = rng.normal(size=(2, 150))
    noise = 0.1 * rng.normal(size=(2, 150))
    flat = np.ones(150)
    return np.column_stack([a, b, noise[0] - a, rng.integers(0, 3, 150), b + noise[1], 0.1 * flat, 0.0 * flat])


def kendall(data, largest=LARGEST_SAMPLE, seed=0):
    sample = sample_documents(data, largest=largest, seed=seed)
    return Similarity("kendall", bounded(kendall_matrix(list(kendall_rows(data.features[sample])))), len(sample))


@pytest.mark.parametrize(("measure", "scipys"), [(pearson, pearsonr), (kendall, kendalltau)])
def test_features_that_vary_have_scipys_similarity(features, measure, scipys):
    values = measure(ranking(features)).values
    expected = [[scipys(features[:, i], features[:, j]).statistic for j in range(5)] for i in range(5)]
    assert values[:5, :5] == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("measure", [pearson, kendall])
def test_a_constant_feature_is_like_itself_and_like_no_other(features, measure):
    values = measure(ranking(features)).values
    assert np.array_equal(values[5:], np.eye(7)[5:])
    assert np.array_equal(values, values.T)


def test_neither_tiny_nor_huge_units_change_pearsons_correlation(features):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scaled = pearson(ranking(features * [1e-200, 1e200, 1e-300, 1e300, 1.0, 1e-5, 1.0])).values
    assert scaled == pytest.approx(pearson(ranking(features)).values, abs=1e-12)


@pytest.mark.parametrize("measure", [pearson, kendall])
def test_twins_stand_side_by_side_whatever_their_sign(features, measure):
    order = measure(ranking(features)).order().tolist()
    assert sorted(order) == list(range(7))
    assert abs(order.index(0) - order.index(2)) == 1
    assert abs(order.index(1) - order.index(4)) == 1


def test_each_features_closest_comes_once_strongest_first():
    values = np.array([[1.0, 0.2, -0.9, 0.0], [0.2, 1.0, 0.5, 0.1], [-0.9, 0.5, 1.0, 0.3], [0.0, 0.1, 0.3, 1.0]])
    found = Similarity("pearson", values, 10)
    assert found.closest() == [Pair(0, 2, -0.9), Pair(1, 2, 0.5), Pair(2, 3, 0.3)]
    assert found.with_twin(0.5).tolist() == [0, 1, 2]
    assert found.with_twin(0.9).tolist() == [0, 2]


def test_a_single_feature_has_an_order_and_no_twin(features):
    alone = pearson(ranking(features[:, :1]))
    assert alone.order().tolist() == [0]
    assert alone.closest() == []
    assert alone.with_twin(0.0).tolist() == []


def test_more_features_than_a_picture_has_room_for_are_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix of 300,000 features would take 720 GB; those that a model keeps are compared all the same."""
    wide = RankingData.build(
        np.random.default_rng(0).normal(size=(6, MOST_FEATURES + 1)), [0, 1, 2, 0, 1, 2], [0, 3, 6]
    )
    few = np.array([3, 5, 900])
    np.testing.assert_allclose(pearson_among(wide, few).values, np.corrcoef(wide.features[:, few].T), atol=1e-12)
    monkeypatch.setattr(similarity, "pearson_matrix", lambda features: pytest.fail("it began"))
    with pytest.raises(DataError, match=r"\b2,001 features.*too many.*\b2,000\b"):
        pearson(wide)
