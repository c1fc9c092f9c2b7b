"""The set planted has the support it says, and the support is what makes its relevance."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture(scope="module")
def true_weights(planted) -> np.ndarray:
    weights = np.zeros(len(planted.feature_names))
    for feature in planted.description["support"]:
        weights[feature["index"] - 1] = feature["weight"]
    return weights


def test_its_shape(planted):
    assert len(planted.queries) == 100
    assert {block.features.shape for block in planted.queries} == {(20, 60)}
    assert all(np.bincount(block.relevance).tolist() == [10, 5, 3, 2] for block in planted.queries)
    assert [len(partition) for partition in planted.partitions] == [20] * 5


def test_names_tell_signals_echoes_and_noise(planted):
    names = planted.feature_names
    assert len(set(names)) == len(names)
    assert [names[feature["index"] - 1] for feature in planted.description["support"]] == [
        f"signal {k}" for k in range(1, 9)
    ]
    assert sum(name.startswith("echo of signal") for name in names) == 24
    assert sum(name.startswith("noise") for name in names) == 28


def test_the_true_weights_rank_almost_perfectly(planted, mean_ndcg, true_weights):
    assert mean_ndcg(planted.queries, true_weights) > 0.95


def test_no_signal_can_be_spared(planted, mean_ndcg, true_weights):
    whole = mean_ndcg(planted.queries, true_weights)
    for j in np.flatnonzero(true_weights):
        without = np.where(np.arange(len(true_weights)) == j, 0.0, true_weights)
        assert mean_ndcg(planted.queries, without) < whole - 0.005


def test_an_echo_resembles_its_signal_but_is_worth_less(planted, mean_ndcg, true_weights):
    names = planted.feature_names
    features = np.vstack([block.features for block in planted.queries])
    echoes = np.zeros_like(true_weights)
    for j in np.flatnonzero(true_weights):
        echo = names.index(f"echo of {names[j]} (a)")
        assert np.corrcoef(features[:, j], features[:, echo])[0, 1] > 0.9
        echoes[echo] = true_weights[j]
    assert mean_ndcg(planted.queries, echoes) < mean_ndcg(planted.queries, true_weights) - 0.02


def test_noise_is_related_to_nothing(planted):
    noise = [j for j, name in enumerate(planted.feature_names) if name.startswith("noise")]
    features = np.vstack([block.features for block in planted.queries])
    correlation = np.abs(np.corrcoef(features.T) - np.eye(features.shape[1]))
    assert correlation[noise].max() < 0.15


def test_the_support_dominates_a_fit_that_does_not_know_it(planted, ridge, true_weights):
    weights = ridge(planted.queries)
    signals = np.flatnonzero(true_weights)
    assert set(np.argsort(-np.abs(weights))[:7]) < set(signals)
    assert np.array_equal(np.sign(weights[signals]), np.sign(true_weights[signals]))
