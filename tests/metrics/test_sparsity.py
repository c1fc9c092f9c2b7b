"""The share of the usable features that a model uses."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import RankingData
from core.metrics import sparsity_ratio, usable_features


@pytest.fixture
def data() -> RankingData:
    """Four features, of which the third is zero everywhere and the fourth constant, but not zero."""
    return RankingData.build([[0.0, 1.0, 0.0, 5.0], [-2.0, 0.0, 0.0, 5.0]], [0, 1], [0, 2])


def test_a_feature_is_usable_unless_it_is_zero_everywhere(data):
    np.testing.assert_array_equal(usable_features(data), [True, True, False, True])


def test_the_ratio_is_over_the_usable_features(data):
    assert sparsity_ratio([0.5, 0.0, 0.0, -1e-300], usable_features(data)) == 2 / 3


def test_a_weight_on_a_feature_that_is_zero_everywhere_does_not_count(data):
    assert sparsity_ratio([1.0, 1.0, 1.0, 1.0], usable_features(data)) == 1.0


def test_without_usable_features_nothing_is_used():
    assert sparsity_ratio([1.0, 0.0], [False, False]) == 0.0


def test_weights_of_another_number_of_features_are_refused(data):
    with pytest.raises(ValueError, match=r"weights.*\(2,\).*features.*\(4,\)"):
        sparsity_ratio([1.0, 0.0], usable_features(data))
