"""Each feature alone as the ranking score, in both directions.

What random orders and random weights get: expectations against all orders, bands and means against fresh draws.
Similarity of features: scipy's numbers where it has them, and an order that brings twins together.
"""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import pearsonr

from core.analysis.features import similarity
from core.analysis.features.random_ranking import random_order, random_weights
from core.analysis.features.similarity import MOST_FEATURES, Pair, Similarity, pearson, pearson_among
from core.analysis.features.single_feature import SingleFeatureScore, best_alone, single_feature_scores
from core.data import DataError, RankingData
from core.metrics import JudgedLists, Measure, evaluate_ranking

CONVENTIONS = ["standard", "letor3", "letor4"]


@pytest.fixture(scope="module")
def data() -> RankingData:
    rng = np.random.default_rng(5)
    relevance = rng.integers(0, 3, 60)
    features = np.column_stack([rng.random(60), rng.integers(0, 2, 60), relevance, -relevance, np.ones(60)])
    names = ["noise", "binary", "label", "negated label", "constant"]
    return RankingData.build(features, relevance, [0, 12, 13, 40, 60], feature_names=names)


def over_orders(data, scores, convention) -> tuple[float, float]:
    """NDCG@10 and MAP over the orders of tied documents, as tests/metrics/test_top_of_list.py has it."""
    ranked = JudgedLists(data, convention).rank(scores)
    return ranked.mean(Measure("NDCG", 10)), ranked.mean(Measure("MAP"))


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_feature_scores_what_its_values_score_as_a_ranking(data, convention):
    scores = single_feature_scores(data, convention)
    assert [(s.index, s.name) for s in scores] == list(enumerate(data.feature_names, start=1))
    for column, score in zip(data.features.T, scores, strict=True):
        official = evaluate_ranking(data, column, convention)
        assert (score.official_ndcg_at_10, score.official_map) == (official["NDCG@10"], official["MAP"])
        tops = [evaluate_ranking(data, values, convention)["Top"] for values in (column, -column)]
        assert [score.value("Top"), score.reversed_value("Top")] == tops
        for sign, found in ((1, (score.ndcg_at_10, score.map)), (-1, (score.reversed_ndcg_at_10, score.reversed_map))):
            assert found == pytest.approx(over_orders(data, sign * column, convention), abs=1e-12)


def test_a_feature_that_cannot_rank_has_the_value_of_a_random_order_however_good_the_file(data):
    best_first = np.lexsort((-data.relevance, data.query_of_document))
    by_query = data.query_of_document.astype(float)  # differs between queries, never within one
    sorted_file = RankingData.build(
        np.column_stack([np.ones(60), by_query]), data.relevance[best_first], data.query_offsets
    )
    file_order = evaluate_ranking(sorted_file, -np.arange(60), "standard")
    assert file_order["MAP"] == 1.0
    chance = over_orders(sorted_file, np.zeros(60), "standard")
    for score in single_feature_scores(sorted_file, "standard"):
        assert not score.ranks
        assert score.official_map == score.map, "standard has no number in file order"
        assert score.map == score.reversed_map
        assert (score.ndcg_at_10, score.map) == pytest.approx(chance, abs=1e-12)
    assert [score.ranks for score in single_feature_scores(data, "standard")] == [True] * 4 + [False]


def test_of_features_that_are_equally_good_alone_the_first_comes_first():
    values = [0.5, 0.9, 0.5, 0.1 + 0.2, 0.5, 0.3]
    scores = [SingleFeatureScore(j + 1, f"f{j}", v, 0.0, 0.0, 0.0, 0.0, 0.0) for j, v in enumerate(values)]
    assert best_alone(scores, "NDCG@10") == (1, 0, 2, 4, 3, 5)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("labels", [[1], [0], [0, 0, 0], [2, 2], [2, 1], [0, 1, 2, 0, 1], [3, 0, 0, 0, 0, 1]])
def test_the_expectation_is_the_mean_over_all_orders(labels, convention):
    data = RankingData.build(np.zeros((len(labels), 1)), labels, [0, len(labels)])
    values = [evaluate_ranking(data, order, convention) for order in permutations(range(len(labels)))]
    bands = random_order(data, convention, n_draws=1)
    for measure in ("MAP", "NDCG@10", "Top"):
        assert bands.of(measure).expected == pytest.approx(np.mean([v[measure] for v in values]))


def test_nine_in_ten_random_rankings_fall_inside_the_band():
    """Thirty lists of 5 to 39 documents, some below the cutoff of 10, one document in five relevant."""
    rng = np.random.default_rng(8)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(5, 40, 30))])
    relevance = rng.choice([0, 1, 2], size=offsets[-1], p=[0.8, 0.15, 0.05])
    long_lists = RankingData.build(np.zeros((offsets[-1], 1)), relevance, offsets)
    bands = random_order(long_lists, "standard", n_draws=2000)
    rng = np.random.default_rng(3)
    draws = [evaluate_ranking(long_lists, rng.random(long_lists.n_documents), "standard") for _ in range(1000)]
    for measure, band in (("MAP", bands.of("MAP")), ("NDCG@10", bands.of("NDCG@10"))):
        drawn = np.array([means[measure] for means in draws])
        assert np.mean(drawn < band.low) == pytest.approx(0.05, abs=0.04)
        assert np.mean(drawn > band.high) == pytest.approx(0.05, abs=0.04)


def test_random_weights_are_uniform_among_those_of_sum_one():
    """The larger the first feature, the better; the second is its mirror image, three times as steep.

    w_1 x - 3 (1 - w_1) x rises with x where w_1 > 3/4: in one draw of four, and then the ranking is perfect.
    """
    rng = np.random.default_rng(3)
    relevance = rng.integers(0, 3, 200)
    value = relevance + 0.5 * rng.random(200)
    two_features = RankingData.build(np.column_stack([value, -3.0 * value]), relevance, np.arange(0, 201, 20))
    best, worst = (
        evaluate_ranking(two_features, sign * two_features.features[:, 0], "standard")["MAP"] for sign in (1, -1)
    )
    drawn = random_weights(two_features, "standard", n_draws=2000).of("MAP")
    assert (drawn.low, drawn.high) == pytest.approx((worst, best))
    assert (drawn.mean - worst) / (best - worst) == pytest.approx(0.25, abs=0.04)


def test_random_weights_weigh_all_features_and_never_turn_one_round():
    """Copies of one feature under any convex weights are that feature; under weights of both signs they are not."""
    rng = np.random.default_rng(4)
    relevance = rng.integers(0, 3, 60)
    value = 10.0 * relevance + rng.integers(0, 9, 60)
    data = RankingData.build(np.column_stack([value] * 5), relevance, [0, 25, 60])
    alone = evaluate_ranking(data, value, "letor4")
    drawn = random_weights(data, "letor4")
    assert drawn.n_draws == 10
    assert (drawn.of("NDCG@10").low, drawn.of("NDCG@10").high) == pytest.approx((alone["NDCG@10"],) * 2)
    assert drawn.of("MAP").mean == pytest.approx(alone["MAP"])


def test_top_of_a_random_order_is_the_chance_to_be_first_among_the_irrelevant() -> None:
    relevance = [1, 0, 0, 1, 0, 0, 0, 1, 1]
    data = RankingData.build(np.zeros((9, 1)), relevance, [0, 4, 7, 9])
    order = random_order(data, "standard", n_draws=1)
    assert order.of("Top").expected == pytest.approx((1 / 3 + 0 + 1) / 3)


def ranking(features: np.ndarray) -> RankingData:
    return RankingData.build(features, np.arange(len(features)) % 3, [0, len(features)])


@pytest.fixture(scope="module")
def features() -> np.ndarray:
    """a, its noisy negative, b, its noisy copy, coarse values, a constant that is not 0, zeros."""
    rng = np.random.default_rng(11)
    a, b = rng.normal(size=(2, 150))
    noise = 0.1 * rng.normal(size=(2, 150))
    flat = np.ones(150)
    return np.column_stack([a, b, noise[0] - a, rng.integers(0, 3, 150), b + noise[1], 0.1 * flat, 0.0 * flat])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("units", [1.0, [1e-200, 1e200, 1e-300, 1e300, 1.0, 1e-5, 1.0]], ids=["alike", "tiny, huge"])
def test_features_have_scipys_similarity_in_any_unit_and_a_constant_is_like_no_other(features, units):
    """Kendall's: tests/metrics/test_measures.py."""
    values = pearson(ranking(features * units)).values
    expected = [[pearsonr(features[:, i], features[:, j]).statistic for j in range(5)] for i in range(5)]
    assert values[:5, :5] == pytest.approx(np.array(expected), abs=1e-12)
    assert np.array_equal(values[5:], np.eye(7)[5:])
    assert np.array_equal(values, values.T)


def test_twins_stand_side_by_side_whatever_their_sign(features):
    order = pearson(ranking(features)).order().tolist()
    assert sorted(order) == list(range(7))
    assert abs(order.index(0) - order.index(2)) == 1
    assert abs(order.index(1) - order.index(4)) == 1


def test_each_features_closest_comes_once_strongest_first():
    values = np.array([[1.0, 0.2, -0.9, 0.0], [0.2, 1.0, 0.5, 0.1], [-0.9, 0.5, 1.0, 0.3], [0.0, 0.1, 0.3, 1.0]])
    found = Similarity("pearson", values, 10)
    assert found.closest() == [Pair(0, 2, -0.9), Pair(1, 2, 0.5), Pair(2, 3, 0.3)]
    assert found.with_twin(0.5).tolist() == [0, 1, 2]
    assert found.with_twin(0.9).tolist() == [0, 2]


def test_a_single_feature_has_an_order_and_no_twin(features):
    alone = pearson(ranking(features[:, :1]))
    assert alone.order().tolist() == [0]
    assert alone.closest() == []
    assert alone.with_twin(0.0).tolist() == []


def test_more_features_than_a_picture_has_room_for_are_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix of 300,000 features would take 720 GB; those that a model keeps are compared all the same."""
    wide = RankingData.build(
        np.random.default_rng(0).normal(size=(6, MOST_FEATURES + 1)), [0, 1, 2, 0, 1, 2], [0, 3, 6]
    )
    few = np.array([3, 5, 900])
    np.testing.assert_allclose(pearson_among(wide, few).values, np.corrcoef(wide.features[:, few].T), atol=1e-12)
    monkeypatch.setattr(similarity, "pearson_matrix", lambda features: pytest.fail("it began"))
    with pytest.raises(DataError, match=r"\b2,001 features.*too many.*\b2,000\b"):
        pearson(wide)
