"""Means over folds are those of the folds' own values, worked out by hand."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from core.analysis.tradeoff.fold_truncation import SizeCurve, mean_over_folds


def curve(**values: float) -> SizeCurve:
    return SizeCurve({int(name[1:]): {"test": {"MAP": value}} for name, value in values.items()})


FOLDS = (curve(k1=0.2, k2=0.5, k3=0.4), curve(k1=0.1, k2=0.3), curve(k1=0.6, k3=0.9))


def test_a_model_cut_down_to_more_weights_than_it_has_is_whole() -> None:
    assert [found.size for found in mean_over_folds(FOLDS, "test", "MAP")] == [1, 2, 3]
    by_hand = {1: (0.2, 0.1, 0.6), 2: (0.5, 0.3, 0.6), 3: (0.4, 0.3, 0.9)}
    for found in mean_over_folds(FOLDS, "test", "MAP"):
        values = by_hand[found.size]
        assert found.value.mean == pytest.approx(mean(values))
        assert found.value.error == pytest.approx(stdev(values) / 3**0.5)
        assert (found.value.low, found.value.high, found.n_folds) == (min(values), max(values), 3)


def test_no_mean_is_taken_over_fewer_folds_than_there_are() -> None:
    assert [found.size for found in mean_over_folds([*FOLDS, curve(k3=0.5)], "test", "MAP")] == [3]
    assert mean_over_folds([], "test", "MAP") == ()


def test_an_empty_model_counts_at_every_size() -> None:
    found = mean_over_folds([FOLDS[0], curve(k0=0.3)], "test", "MAP")
    assert [at.value.mean for at in found] == pytest.approx([0.25, 0.4, 0.35])


def test_sizes_may_be_asked_for() -> None:
    assert [found.size for found in mean_over_folds(FOLDS, "test", "MAP", [2, 7])] == [2, 7]
