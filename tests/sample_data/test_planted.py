"""The set planted has the support it says, and the support is what makes its relevance."""

from __future__ import annotations

import numpy as np

from tests.sample_data.files import PLANTED, mean_ndcg, ridge

NAMES, QUERIES = PLANTED.feature_names, PLANTED.queries
TRUE = np.zeros(len(NAMES))
for feature in PLANTED.description["support"]:
    TRUE[feature["index"] - 1] = feature["weight"]
SIGNALS = np.flatnonzero(TRUE)
FEATURES = np.vstack([block.features for block in QUERIES])
WHOLE = mean_ndcg(QUERIES, TRUE)


def test_its_shape_and_the_names_of_signals_echoes_and_noise() -> None:
    assert {block.features.shape for block in QUERIES} == {(20, 60)}
    assert all(np.bincount(block.relevance).tolist() == [10, 5, 3, 2] for block in QUERIES)
    assert [len(partition) for partition in PLANTED.partitions] == [20] * 5
    assert len(set(NAMES)) == len(NAMES)
    assert sorted(NAMES[j] for j in SIGNALS) == [f"signal {k}" for k in range(1, 9)]
    assert sum(name.startswith("echo of signal") for name in NAMES) == 24


def test_the_true_weights_rank_almost_perfectly_and_no_signal_can_be_spared() -> None:
    assert WHOLE > 0.95
    for j in SIGNALS:
        assert mean_ndcg(QUERIES, np.where(np.arange(len(TRUE)) == j, 0.0, TRUE)) < WHOLE - 0.005


def test_an_echo_resembles_its_signal_but_is_worth_less_and_noise_is_related_to_nothing() -> None:
    echoes = np.zeros_like(TRUE)
    correlation = np.abs(np.corrcoef(FEATURES.T) - np.eye(FEATURES.shape[1]))
    for j in SIGNALS:
        echo = NAMES.index(f"echo of {NAMES[j]} (a)")
        assert correlation[j, echo] > 0.9
        echoes[echo] = TRUE[j]
    assert mean_ndcg(QUERIES, echoes) < WHOLE - 0.02
    noise = [j for j, name in enumerate(NAMES) if name.startswith("noise")]
    assert len(noise) == 28
    assert correlation[noise].max() < 0.15


def test_the_support_dominates_a_fit_that_does_not_know_it() -> None:
    weights = ridge(QUERIES)
    assert set(np.argsort(-np.abs(weights))[:7]) < set(SIGNALS)
    assert np.array_equal(np.sign(weights[SIGNALS]), np.sign(TRUE[SIGNALS]))
