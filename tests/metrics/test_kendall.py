"""Kendall's tau-b without looking at pairs, against scipy's, feature by feature.

Kendall's tau within queries against scipy's, query by query.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau

from core.data import RankingData
from core.metrics import kendall
from core.metrics.kendall import kendall_matrix, kendall_rows, kendall_within_queries, sample_documents


def scipys(features: np.ndarray) -> np.ndarray:
    """tau-b of every pair of columns; 0 where scipy has none, and 1 of a column with itself."""
    d = features.shape[1]
    tau = [[kendalltau(features[:, i], features[:, j]).statistic for j in range(d)] for i in range(d)]
    values = np.nan_to_num(np.array(tau), nan=0.0)
    np.fill_diagonal(values, 1.0)
    return values


@pytest.mark.parametrize("n_features", [1, 2, 5, 6])
def test_every_pair_of_features_is_compared_as_scipy_does(n_features):
    """An odd and an even number of features close the circle differently."""
    rng = np.random.default_rng(n_features)
    features = np.column_stack([rng.normal(size=80).round(j % 3) for j in range(n_features)])
    assert kendall_matrix(list(kendall_rows(features))) == pytest.approx(scipys(features), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(arrays(np.float64, st.tuples(st.integers(2, 12), st.just(3)), elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0])))
def test_ties_in_one_or_both_features_count_as_in_tau_b(features):
    assert kendall_matrix(list(kendall_rows(features))) == pytest.approx(scipys(features), abs=1e-12)


def test_few_documents_are_all_taken_and_many_are_sampled_alike_every_time():
    data = ranking(np.random.default_rng(0).integers(0, 9, (1000, 3)).astype(float), [0, 300, 310, 1000])
    assert sample_documents(data, largest=1000).tolist() == list(range(1000))
    sample = sample_documents(data, largest=50, seed=3)
    assert len(np.unique(sample)) == 50
    assert (np.diff(sample) > 0).all()
    assert sample[0] >= 0
    assert sample[-1] < 1000
    assert np.array_equal(sample, sample_documents(data, largest=50, seed=3))
    assert not np.array_equal(sample, sample_documents(data, largest=50, seed=4))


def ranking(features: np.ndarray, offsets: list[int]) -> RankingData:
    return RankingData.build(features, np.arange(len(features)) % 3, offsets)


def test_tau_is_scipys_averaged_over_queries() -> None:
    rng = np.random.default_rng(3)
    features = np.column_stack([rng.normal(size=50), rng.integers(0, 3, 50), rng.normal(size=50).round(1)])
    features[:, 2] += features[:, 0]
    offsets = [0, 9, 30, 50]
    expected = np.zeros((3, 3))
    for first, last in pairwise(offsets):
        rows = features[first:last]
        expected += [[kendalltau(rows[:, i], rows[:, j]).statistic for j in range(3)] for i in range(3)]
    assert kendall_within_queries(ranking(features, offsets)) == pytest.approx(expected / 3, abs=1e-12)


def test_what_tells_queries_apart_makes_no_features_alike() -> None:
    """Over all documents two features that rise from query to query would be alike."""
    rng = np.random.default_rng(0)
    level = np.repeat(np.arange(20.0), 30)
    features = level[:, None] * 100.0 + rng.normal(size=(600, 2))
    offsets = list(range(0, 601, 30))
    assert abs(kendall_within_queries(ranking(features, offsets))[0, 1]) < 0.1
    assert kendalltau(*features.T).statistic > 0.9


def test_where_a_feature_is_constant_it_is_like_no_other() -> None:
    features = np.array([[0.0, 1.0, 5.0], [1.0, 2.0, 5.0], [3.0, 3.0, 5.0], [3.0, 4.0, 5.0]])
    tau = kendall_within_queries(ranking(features, [0, 2, 4]))
    assert tau.tolist() == [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]


def test_a_part_stands_for_a_long_list(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(size=900)
    features = np.column_stack([a, a + rng.normal(size=900)])
    monkeypatch.setattr(kendall, "LONGEST_LIST", 300)
    part = kendall_within_queries(ranking(features, [0, 900]))[0, 1]
    assert part == kendall_within_queries(ranking(features[::3], [0, 300]))[0, 1]
    assert part == pytest.approx(kendalltau(*features.T).statistic, abs=0.1)
