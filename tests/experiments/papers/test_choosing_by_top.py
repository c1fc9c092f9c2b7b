"""Settings chosen by the rate on top: against a search by hand, on pairs written out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.data import RankingData
from core.data.built_in import toy_problem
from core.data.division import split_data
from core.experiments.papers import choosing_by_top
from core.experiments.papers.choosing_by_top import RATIOS, STOP, Candidate, candidates, choose_by_top, top_rate
from core.methods import get_method

SEED = 3


@pytest.fixture(scope="module")
def data() -> RankingData:
    return toy_problem(n_relevant=4, n_features=8, n_train=60, n_test=2, seed=1).train


def top_by_pairs(data: RankingData, weights: np.ndarray) -> float:
    """Positives that beat every negative, one comparison at a time."""
    scores = data.features @ weights
    negatives = [s for s, grade in zip(scores, data.relevance, strict=True) if grade == 0]
    positives = [s for s, grade in zip(scores, data.relevance, strict=True) if grade > 0]
    return sum(all(s > other for other in negatives) for s in positives) / len(positives)


@pytest.mark.parametrize("method_id", ["l1", "infinite-push-l1"])
def test_the_choice_is_the_best_of_the_grid_with_the_largest_lambda_among_equals(
    data: RankingData, method_id: str
) -> None:
    method = get_method(method_id)
    part, vali = split_data(data, 0.7, SEED)
    training = method.training(part)
    tops = [top_by_pairs(vali, method.fit(training, r * training.lam_max, stop=STOP).weights) for r in RATIOS]
    chosen = choose_by_top(method, data, SEED)
    assert chosen.vali_top == max(tops)
    assert chosen.ratio == RATIOS[tops.index(max(tops))]  # ratios fall, so the first is the largest


def test_the_model_is_refitted_to_all_of_the_training_data(data: RankingData) -> None:
    method = get_method("infinite-push-l1")
    chosen = choose_by_top(method, data, SEED)
    training = method.training(data)
    refitted = method.fit(training, chosen.ratio * training.lam_max, stop=STOP)
    np.testing.assert_array_equal(chosen.fit.weights, refitted.weights)
    assert top_rate(data, chosen.fit.weights) == pytest.approx(top_by_pairs(data, refitted.weights))


def test_an_elimination_offers_every_number_of_features_it_passes_each_within_the_one_before(
    data: RankingData,
) -> None:
    offered = list(candidates(get_method("infinite-push-rfe"), data))
    first = [candidate for candidate in offered if candidate.ratio == offered[0].ratio]
    assert [candidate.keep for candidate in first] == list(range(8, 0, -1))
    for larger, smaller in itertools.pairwise(first):
        assert set(np.flatnonzero(smaller.weights)) < set(np.flatnonzero(larger.weights))
    assert len({candidate.ratio for candidate in offered}) == len(RATIOS) / 2


def test_the_fewest_features_are_chosen_among_equals(data: RankingData) -> None:
    method = get_method("infinite-push-rfe")
    part, vali = split_data(data, 0.7, SEED)
    rated = [(top_by_pairs(vali, c.weights), c.ratio, -(c.keep or 0)) for c in candidates(method, part)]
    chosen = choose_by_top(method, data, SEED)
    assert (chosen.vali_top, chosen.ratio, -chosen.fit.result.nonzero) == max(rated)


def test_rates_that_differ_by_rounding_only_are_equal(data: RankingData, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [Candidate(ratio, None, np.array([rate])) for ratio, rate in ((0.5, 0.3), (0.1, 0.1 + 0.2), (0.9, 0.2))]
    monkeypatch.setattr(choosing_by_top, "candidates", lambda *_: iter(offered))
    monkeypatch.setattr(choosing_by_top, "top_rate", lambda _, weights: float(weights[0]))
    assert choose_by_top(get_method("l1"), data, SEED).ratio == 0.5


def test_where_no_model_beats_the_top_negative_the_empty_one_is_chosen() -> None:
    hopeless = RankingData.build(np.ones((8, 2)), [0, 1] * 4, [0, 8])
    method = get_method("infinite-push-l1")
    assert choose_by_top(method, hopeless, 0).fit.result.nonzero == 0
