"""Kendall's tau within queries against scipy's, query by query."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.data import RankingData
from core.metrics import kendall
from core.metrics.kendall import kendall_within_queries


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
