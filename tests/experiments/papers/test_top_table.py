"""Table 1 as printed: spot checks, and what the paper's text says of it.
Table 1 again: splits, standardisation, averages, tests and what is published beside them.
Settings chosen by the rate on top: against a search by hand, on pairs written out.
"""

import itertools

import numpy as np
import pytest
from scipy.stats import wilcoxon

from core.data import Fold, RankingData
from core.data.built_in import toy_problem
from core.data.division import split_data
from core.data.scaling import scale_fold
from core.experiments.papers import choosing_by_top
from core.experiments.papers.choosing_by_top import RATIOS, STOP, Candidate, candidates, choose_by_top, top_rate
from core.experiments.papers.infinite_push_sets import (
    METHODS,
    TopCell,
    TopOutcome,
    TopRow,
    TopSet,
    top_outcome,
    top_rows,
)
from core.experiments.papers.published_top import TABLE_1, PublishedTop, published_set
from core.methods import get_method


def test_spot_checks() -> None:
    sonar, iono = published_set("sonar"), published_set("ionosphere")
    assert sonar.top("infinite-push-l1") == PublishedTop(0.44, 0.2, 23.7, 6.5)
    assert sonar.top("infinite-push-l2") == PublishedTop(0.48, 0.3)
    assert iono.top("l1") == PublishedTop(0.69, 0.1, 33.0, 0.0)
    assert published_set("BCI").top("infinite-push-l1") == PublishedTop(0.06, 0.04, 71.1, 16.0)  # type: ignore[union-attr]
    assert published_set("digits") is None


def test_the_largest_saving_on_ranksvm_is_the_factor_of_8_of_the_text() -> None:
    savings = [s.top("l1").n_features / s.top("infinite-push-l1").n_features for s in TABLE_1]  # type: ignore[union-attr, operator]
    assert int(max(savings)) == 8


def test_no_model_uses_more_variables_than_there_are() -> None:
    for s in TABLE_1:
        for method, line in s.by_method:
            get_method(method)
            assert 0.0 <= line.top <= 1.0
            assert line.n_features is None or line.n_features <= s.d


@pytest.mark.parametrize(("name", "share"), [("colon", 43 / 62), ("sonar", 0.9), ("ionosphere", 0.7)])
def test_training_shares_are_read_from_the_printed_sizes(name: str, share: float) -> None:
    found = published_set(name)
    assert found.training_share == pytest.approx(share, abs=0.005)


L1, L2, RANK = METHODS


def small(last: float = 1.0) -> RankingData:
    """Two of five features matter; the last, which does not, in other units."""
    rng = np.random.default_rng(0)
    relevance = np.arange(60) % 2
    features = [1.0, 1.0, 1.0, 1.0, last] * (
        rng.standard_normal((60, 5)) + relevance[:, None] * [1.5, 1.0, 0.0, 0.0, 0.0]
    )
    return RankingData.build(features, relevance, [0, 60])


def rows(tops: dict[str, list[float]]) -> dict[str, TopRow]:
    s = TopSet.of(small(), "own")
    outcomes = [TopOutcome(TopCell(s, k, m), top, 10 + k, 0.1) for m in tops for k, top in enumerate(tops[m])]
    return {row.method: row for row in top_rows(outcomes)}


@pytest.mark.parametrize("split", range(3))
def test_an_outcome_is_that_of_a_standardised_random_split(split: int) -> None:
    s = TopSet.of(small(), "small")
    found = top_outcome(TopCell(s, split, L1), {})
    train, test = split_data(s.data, 0.7, split)
    parts = scale_fold(Fold("", train, test=test), "standard").parts()
    weights = choose_by_top(get_method(L1), parts["train"], split)[0].weights
    assert (found.top, found.kept) == (top_rate(parts["test"], weights), np.count_nonzero(weights))
    in_other_units = top_outcome(TopCell(TopSet.of(small(1000.0), "small"), split, L1), {})
    assert (in_other_units.top, in_other_units.kept) == (found.top, found.kept)


def test_rows_are_means_and_deviations_tested_against_the_best() -> None:
    tops = {
        L1: [0.9, 0.8, 0.7, 0.9, 0.8, 0.9],
        L2: [0.5, 0.3, 0.4, 0.2, 0.6, 0.1],
        RANK: [0.9, 0.7, 0.8, 0.9, 0.7, 0.8],
    }
    table = rows(tops)
    assert table[L1].top.mean == pytest.approx(np.mean(tops[L1]))
    assert table[L1].top.deviation == pytest.approx(np.std(tops[L1], ddof=1))
    assert table[L1].kept.mean == 12.5
    assert table[L1].p_value is None
    assert table[L2].p_value == wilcoxon(tops[L2], tops[L1]).pvalue
    assert (table[L2].worse(), table[RANK].worse(), table[L1].worse()) == (True, False, False)
    # 1/32 doubled is above 0.05, and Holm asks just that of the smaller of two.
    assert table[L2].p_holm == pytest.approx(2 / 32)
    assert table[L2].p_holm is not None
    assert table[L2].p_holm >= 0.05


def test_splits_that_a_method_lacks_count_for_none() -> None:
    table = rows({L1: [0.9, 0.8, 0.1], L2: [0.5, 0.3], RANK: [0.9, 0.7, 0.3]})
    assert {row.n_splits for row in table.values()} == {2}
    assert table[L1].top.mean == pytest.approx(0.85)


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
    _, ratio = choose_by_top(method, data, SEED)
    assert ratio == RATIOS[tops.index(max(tops))]  # ratios fall, so the first is the largest


def test_the_model_is_refitted_to_all_of_the_training_data(data: RankingData) -> None:
    method = get_method("infinite-push-l1")
    chosen, ratio = choose_by_top(method, data, SEED)
    training = method.training(data)
    refitted = method.fit(training, ratio * training.lam_max, stop=STOP)
    np.testing.assert_array_equal(chosen.weights, refitted.weights)
    assert top_rate(data, chosen.weights) == pytest.approx(top_by_pairs(data, refitted.weights))


def test_an_elimination_offers_every_number_of_features_it_passes_each_within_the_one_before(data: RankingData) -> None:
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
    chosen, ratio = choose_by_top(method, data, SEED)
    assert (ratio, -chosen.result.nonzero) == max(rated)[1:]


def test_rates_that_differ_by_rounding_only_are_equal(data: RankingData, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = [Candidate(ratio, None, np.array([rate])) for ratio, rate in ((0.5, 0.3), (0.1, 0.1 + 0.2), (0.9, 0.2))]
    monkeypatch.setattr(choosing_by_top, "candidates", lambda *_: iter(offered))
    monkeypatch.setattr(choosing_by_top, "top_rate", lambda _, weights: float(weights[0]))
    assert choose_by_top(get_method("l1"), data, SEED)[1] == 0.5


def test_where_no_model_beats_the_top_negative_the_empty_one_is_chosen() -> None:
    hopeless = RankingData.build(np.ones((8, 2)), [0, 1] * 4, [0, 8])
    method = get_method("infinite-push-l1")
    assert choose_by_top(method, hopeless, 0)[0].result.nonzero == 0
