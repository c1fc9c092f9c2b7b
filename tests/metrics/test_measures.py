"""Measures have names, and names are read in upper or lower case.

The share of the usable features that a model uses.
What a feature is worth alone: the measures' own word, and scipy's for correlations.
Values that differ by rounding are equal, and of equal ones the first wins.
Kendall's tau-b without looking at pairs, against scipy's, feature by feature.
Kendall's tau within queries against scipy's, query by query.
"""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, pearsonr

from core.data import RankingData
from core.metrics import JudgedLists, Measure, kendall, sparsity_ratio, usable_features
from core.metrics.equal_values import first_highest
from core.metrics.feature_scores import oriented_scores, relevance_correlation, scores_alone, varying_within_queries
from core.metrics.kendall import kendall_steps, kendall_within_queries, sample_documents
from tests.oracles import one_relevant_at


@pytest.mark.parametrize(
    "name", ["MAP", "MeanNDCG", "Top", "NDCG@1", "NDCG@10", "P@7", "P@123", "RR", "ERR", "ERR@5", "R@20"]
)
def test_a_name_read_and_written_is_the_same_name(name):
    assert str(Measure.parse(name)) == name
    assert Measure.parse(name.lower()) == Measure.parse(name.upper()) == Measure.parse(name)
    known_elsewhere = {"ap": "MAP", "MRR": "RR", "recall@20": "R@20"}
    assert {other: str(Measure.parse(other)) for other in known_elsewhere} == known_elsewhere


@pytest.mark.parametrize(
    "name", ["", "NDCG", "NDCG@", "NDCG@0", "NDCG@-1", "P@1.5", "MAP@5", "P@5 ", "RR@5", "R", "Top@5", "@5"]
)
def test_what_is_no_measure_is_refused_by_name(name):
    known = r"MAP, RR, ERR, MeanNDCG, Top\b.*NDCG@k, P@k, R@k, ERR@k\b"
    with pytest.raises(ValueError, match=rf"no measure '{re.escape(name)}'.*{known}"):
        Measure.parse(name)


def test_the_ratio_of_sparsity_is_over_features_that_are_not_zero_everywhere():
    """Here the third is; the fourth is constant, but not zero."""
    data = RankingData.build([[0.0, 1.0, 0.0, 5.0], [-2.0, 0.0, 0.0, 5.0]], [0, 1], [0, 2])
    usable = usable_features(data)
    np.testing.assert_array_equal(usable, [True, True, False, True])
    assert sparsity_ratio([0.5, 0.0, 0.0, -1e-300], usable) == 2 / 3
    assert sparsity_ratio([1.0, 1.0, 1.0, 1.0], usable) == 1.0
    assert sparsity_ratio([1.0, 0.0], [False, False]) == 0.0
    with pytest.raises(ValueError, match=r"weights.*\(2,\).*features.*\(4,\)"):
        sparsity_ratio([1.0, 0.0], usable)


RNG = np.random.default_rng(8)
RELEVANCE = RNG.integers(0, 3, 60)
COLUMNS = np.column_stack([RNG.random(60), RELEVANCE, -0.5 * RELEVANCE, RNG.integers(0, 2, 60), np.full(60, 0.1)])
DATA = RankingData.build(COLUMNS, RELEVANCE, [0, 12, 13, 40, 60])
CONSTANT = 4


@pytest.mark.parametrize("name", ["MAP", "NDCG@10"])
def test_a_feature_is_worth_what_its_values_score_as_a_ranking(name: str) -> None:
    """Over the orders of tied documents, as test_top_of_list says."""
    measure, lists = Measure.parse(name), JudgedLists(DATA, "letor3")
    falling, rising = (
        np.array([lists.rank(sign * column).mean(measure) for column in COLUMNS.T[:CONSTANT]]) for sign in (1.0, -1.0)
    )
    better, signs = oriented_scores(DATA, measure, "letor3")
    assert scores_alone(DATA, measure, "letor3", "descending")[:CONSTANT] == pytest.approx(falling, abs=1e-12)
    assert better[:CONSTANT] == pytest.approx(np.maximum(falling, rising), abs=1e-12)
    assert signs[:CONSTANT].tolist() == np.where(falling >= rising, 1.0, -1.0).tolist()
    assert scores_alone(DATA, measure, "letor3", "better").tolist() == better.tolist()
    assert signs[1:3].tolist() == [1.0, -1.0], "the label, and its negative"


MIRRORED = [(1, 6, 8), (8, 3, 1)]


@pytest.mark.parametrize("name", ["MAP", "NDCG@10"])
@pytest.mark.parametrize("halves", [MIRRORED, MIRRORED[::-1]])
def test_a_feature_that_ranks_as_well_up_as_down_is_taken_down(name: str, halves: list[tuple[int, ...]]) -> None:
    """Turned round, rank r of 8 is rank 9 - r: the same ranks in other queries, and so a sum rounded otherwise."""
    data = one_relevant_at([rank for half in halves for rank in half])
    assert oriented_scores(data, Measure.parse(name), "standard")[1].tolist() == [1.0]


@pytest.mark.parametrize("name", ["MAP", "NDCG@10"])
def test_features_with_the_same_ranks_in_other_queries_are_worth_the_same(name: str) -> None:
    data = one_relevant_at((1, 6, 8), (8, 6, 1))
    first, second = scores_alone(data, Measure.parse(name), "standard", "descending")
    assert first == second


def test_correlation_with_relevance_is_scipys_without_its_sign() -> None:
    expected = [abs(pearsonr(column, RELEVANCE).statistic) for column in COLUMNS.T[:CONSTANT]]
    assert relevance_correlation(DATA)[:CONSTANT] == pytest.approx(np.array(expected), abs=1e-12)


def test_a_constant_feature_is_worth_nothing_whatever_the_order_of_the_file() -> None:
    sorted_file = RankingData.build(np.full((3, 1), 7.0), [2, 1, 0], [0, 3])
    assert relevance_correlation(sorted_file).tolist() == [0.0]
    assert scores_alone(sorted_file, Measure("MAP"), "standard", "better").tolist() == [0.0]
    assert relevance_correlation(DATA)[CONSTANT] == 0.0
    assert varying_within_queries(DATA).tolist() == [True, True, True, True, False]


def test_of_equal_values_the_first_is_the_highest():
    assert first_highest([0.2, 0.3, 0.1 + 0.2]) == first_highest([0.2, 0.1 + 0.2, 0.3]) == 1
    assert first_highest([0.3, 0.3 + 1e-11]) == 1
    with pytest.raises(ValueError, match="empty"):
        first_highest([])


def scipys(features: np.ndarray) -> np.ndarray:
    """tau-b of every pair of columns; 0 where scipy has none, and 1 of a column with itself."""
    d = features.shape[1]
    tau = [[kendalltau(features[:, i], features[:, j]).statistic for j in range(d)] for i in range(d)]
    values = np.nan_to_num(np.array(tau), nan=0.0)
    np.fill_diagonal(values, 1.0)
    return values


def features_of(widths: st.SearchStrategy[int]) -> st.SearchStrategy[np.ndarray]:
    values = st.sampled_from([-1.0, 0.0, 0.5, 2.0]) | st.integers(-99, 99).map(float)
    return arrays(np.float64, st.tuples(st.integers(2, 80), widths), elements=values, fill=st.nothing())


@settings(max_examples=60, deadline=None)
@given(features_of(st.integers(1, 6)))
def test_every_pair_of_features_is_compared_as_scipy_does_and_ties_count_as_in_tau_b(features: np.ndarray) -> None:
    assert list(kendall_steps(features))[-1] == pytest.approx(scipys(features), abs=1e-12)


def test_few_documents_are_all_taken_and_many_are_sampled_alike_every_time():
    data = ranking(np.random.default_rng(0).integers(0, 9, (1000, 3)).astype(float), [0, 300, 310, 1000])
    assert sample_documents(data, largest=1000).tolist() == list(range(1000))
    sample = sample_documents(data, largest=50)
    assert len(np.unique(sample)) == 50
    assert (np.diff(sample) > 0).all()
    assert sample[0] >= 0
    assert sample[-1] < 1000
    assert np.array_equal(sample, sample_documents(data, largest=50))


def ranking(features: np.ndarray, offsets: list[int]) -> RankingData:
    return RankingData.build(features, np.arange(len(features)) % 3, offsets)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4).flatmap(lambda d: st.lists(features_of(st.just(d)), min_size=1, max_size=4)))
def test_within_queries_tau_is_scipys_averaged_and_0_where_a_feature_is_constant(lists: list[np.ndarray]) -> None:
    offsets = [0, *np.cumsum([len(one) for one in lists]).tolist()]
    expected = np.mean([scipys(one) for one in lists], axis=0)
    assert kendall_within_queries(ranking(np.vstack(lists), offsets)) == pytest.approx(expected, abs=1e-12)


def test_a_part_stands_for_a_long_list(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(size=900)
    features = np.column_stack([a, a + rng.normal(size=900)])
    monkeypatch.setattr(kendall, "LONGEST_LIST", 300)
    part = kendall_within_queries(ranking(features, [0, 900]))[0, 1]
    assert part == kendall_within_queries(ranking(features[::3], [0, 300]))[0, 1]
    assert part == pytest.approx(kendalltau(*features.T).statistic, abs=0.1)
