"""Precision, recall and F-measure against counts by hand."""

from __future__ import annotations

import pytest

from core.experiments.infinite_push.feature_retrieval import FeatureRetrieval


def test_counts_by_hand() -> None:
    found = FeatureRetrieval.of([0, 2, 7, 9], range(3))
    assert (found.precision, found.recall) == (2 / 4, 2 / 3)
    assert found.f_measure == pytest.approx(2 * 2 / (4 + 3))  # twice the hits over both sizes


def test_an_empty_model_and_a_model_of_noise_are_worth_nothing() -> None:
    for retrieved in ([], [5, 6]):
        found = FeatureRetrieval.of(retrieved, [0, 1])
        assert (found.precision, found.recall, found.f_measure) == (0.0, 0.0, 0.0)


def test_recall_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one relevant feature"):
        FeatureRetrieval.of([1], [])
