"""A feature's values at each relevance level, held against numpy and a count over all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.dataset.distribution import MOST_POINTS, feature_distribution
from core.data import RankingData


def one_feature(values: list[float] | np.ndarray, relevance: list[int] | np.ndarray) -> RankingData:
    return RankingData.build(np.reshape(values, (-1, 1)), relevance, [0, len(relevance)], feature_names=["size"])


@pytest.fixture(scope="module")
def data() -> RankingData:
    rng = np.random.default_rng(8)
    relevance = rng.choice([0, 1, 4], 900, p=[0.7, 0.2, 0.1])
    return one_feature((rng.gamma(2.0, size=900) + relevance).round(1), relevance)


def test_every_level_has_its_own_documents_and_the_histogram_all_of_them(data):
    found = feature_distribution(data, 0, n_bins=12)
    assert (found.index, found.name, len(found.bin_edges)) == (1, "size", 13)
    assert [level.relevance for level in found.levels] == [0, 1, 4]
    for level in found.levels:
        values = data.features[data.relevance == level.relevance, 0]
        assert level.n_documents == len(values)
        assert level.five_numbers == tuple(np.percentile(values, [0, 25, 50, 75, 100]))
        last = found.bin_edges[-1]
        for low, high, share in zip(found.bin_edges[:-1], found.bin_edges[1:], level.shares, strict=True):
            inside = (values >= low) & ((values < high) | (high == last))
            assert share == pytest.approx(inside.mean())
        assert level.shares.sum() == pytest.approx(1.0)


def test_the_thinned_curve_lies_on_the_empirical_distribution_function(data):
    for level in feature_distribution(data, 0).levels:
        values = data.features[data.relevance == level.relevance, 0]
        shares = np.linspace(0.0, 1.0, len(level.quantiles))
        assert len(level.quantiles) == min(MOST_POINTS, len(values))
        for value, share in zip(level.quantiles, shares, strict=True):
            assert (values < value).mean() <= share + 1e-12
            assert (values <= value).mean() >= share - 1e-12


def test_the_share_of_pairs_is_that_of_all_pairs_counted(data):
    values, relevant = data.features[:, 0], data.relevance >= 1
    difference = values[relevant][:, None] - values[~relevant][None, :]
    counted = (difference > 0).mean() + 0.5 * (difference == 0).mean()
    assert feature_distribution(data, 0).higher_when_relevant == pytest.approx(counted, abs=1e-12)


def test_without_relevant_or_without_irrelevant_documents_there_are_no_such_pairs():
    assert feature_distribution(one_feature([1.0, 2.0], [0, 0]), 0).higher_when_relevant is None
    assert feature_distribution(one_feature([1.0, 2.0], [1, 2]), 0).higher_when_relevant is None


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0, 0.0], [1e300, 1e300], [1e16, 1e16 + 2], [0.0, 5e-324]])
def test_values_that_are_equal_or_as_close_as_can_be_still_have_bins(values):
    found = feature_distribution(one_feature(values, [0, 1]), 0)
    assert (np.diff(found.bin_edges) > 0).all()
    assert [level.shares.sum() for level in found.levels] == [1.0, 1.0]
    assert found.higher_when_relevant == (0.5 if values[0] == values[1] else 1.0)
