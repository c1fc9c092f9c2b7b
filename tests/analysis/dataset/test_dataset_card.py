"""A dataset in numbers: Table III of Laporte et al., and what cannot teach a ranking.

A feature's values at each relevance level, held against numpy and a count over all pairs.
The rows of one query: its own, most relevant first, equals in the order of the file.
"""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from core.analysis.dataset.dataset_card import dataset_card, file_order, query_rows
from core.analysis.dataset.distribution import MOST_POINTS, feature_distribution
from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.data import Fold, RankingData, open_dataset
from tests.oracles import judged
from tests.ranking_files import there


@pytest.fixture
def data() -> RankingData:
    """Queries with relevance 2 0 1 0 | 0 0 | 1 1 1, five features of the five kinds."""
    return RankingData.build(
        features=[
            # telling, zero, constant, constant within queries, telling in one query only
            [0.1, 0.0, 7.0, 5.0, 1.0],
            [0.2, 0.0, 7.0, 5.0, 1.0],
            [0.3, 0.0, 7.0, 5.0, 1.0],
            [0.4, 0.0, 7.0, 5.0, 1.0],
            [0.5, 0.0, 7.0, 0.0, 1.0],
            [0.6, 0.0, 7.0, 0.0, 1.0],
            [0.7, 0.0, 7.0, 2.0, 1.0],
            [0.8, 0.0, 7.0, 2.0, 2.0],
            [0.9, 0.0, 7.0, 2.0, 1.0],
        ],
        relevance=[2, 0, 1, 0, 0, 0, 1, 1, 1],
        query_offsets=[0, 4, 6, 9],
    )


def test_counts_are_those_of_the_lists_and_what_cannot_rank_is_told_apart_by_why(data):
    card = dataset_card(data)
    assert (card.n_features, card.n_queries, card.n_documents) == (5, 3, 9)
    assert card.n_pairs == 5  # 2 > 1, 2 > 0 twice, 1 > 0 twice; the other queries have one level
    assert (card.documents_per_query, card.relevant_per_query) == (3.0, 5 / 3)
    assert (card.smallest_query, card.largest_query) == (2, 4)
    assert card.levels == ((0, 4), (1, 4), (2, 1))
    assert (card.queries_without_pairs, card.queries_without_relevant) == (2, 1)
    assert (card.zero_features, card.constant_features, card.level_features) == ((2,), (3,), (4,))
    assert (card.n_usable, card.n_telling) == (4, 2)


def test_a_card_of_parts_is_the_card_of_their_union(data):
    parts = [data.take_queries([0]), data.take_queries([1]), data.take_queries([2])]
    assert dataset_card(*parts) == dataset_card(data)


def test_the_whole_of_mq2008_is_its_row_of_table_iii(shared_data: Path):
    folder = there(shared_data / "letor" / "MQ2008")
    card = dataset_card(*open_dataset(str(folder)).fold(1).parts().values())
    assert (card.n_features, card.n_queries, card.n_documents, card.n_pairs) == (46, 784, 15211, 80925)
    assert np.round([card.documents_per_query, card.relevant_per_query], 1).tolist() == [19.4, 3.7]


def one_feature(values: list[float] | np.ndarray, relevance: list[int] | np.ndarray) -> RankingData:
    return RankingData.build(np.reshape(values, (-1, 1)), relevance, [0, len(relevance)], feature_names=["size"])


@pytest.fixture(scope="module")
def graded() -> RankingData:
    rng = np.random.default_rng(8)
    relevance = rng.choice([0, 1, 4], 900, p=[0.7, 0.2, 0.1])
    return one_feature((rng.gamma(2.0, size=900) + relevance).round(1), relevance)


def test_every_level_has_its_own_documents_and_the_histogram_all_of_them(graded):
    found = feature_distribution(graded, 0, n_bins=12)
    assert (found.index, found.name, len(found.bin_edges)) == (1, "size", 13)
    assert [level.relevance for level in found.levels] == [0, 1, 4]
    for level in found.levels:
        values = graded.features[graded.relevance == level.relevance, 0]
        assert level.n_documents == len(values)
        assert level.five_numbers == tuple(np.percentile(values, [0, 25, 50, 75, 100]))
        last = found.bin_edges[-1]
        for low, high, share in zip(found.bin_edges[:-1], found.bin_edges[1:], level.shares, strict=True):
            inside = (values >= low) & ((values < high) | (high == last))
            assert share == pytest.approx(inside.mean())
        assert level.shares.sum() == pytest.approx(1.0)


def test_the_thinned_curve_lies_on_the_empirical_distribution_function(graded):
    for level in feature_distribution(graded, 0).levels:
        values = graded.features[graded.relevance == level.relevance, 0]
        shares = np.linspace(0.0, 1.0, len(level.quantiles))
        assert len(level.quantiles) == min(MOST_POINTS, len(values))
        for value, share in zip(level.quantiles, shares, strict=True):
            assert (values < value).mean() <= share + 1e-12
            assert (values <= value).mean() >= share - 1e-12


def test_the_share_of_pairs_is_that_of_all_pairs_counted(graded):
    values, relevant = graded.features[:, 0], graded.relevance >= 1
    difference = values[relevant][:, None] - values[~relevant][None, :]
    counted = (difference > 0).mean() + 0.5 * (difference == 0).mean()
    assert feature_distribution(graded, 0).higher_when_relevant == pytest.approx(counted, abs=1e-12)


def test_without_relevant_or_without_irrelevant_documents_there_are_no_such_pairs():
    assert feature_distribution(one_feature([1.0, 2.0], [0, 0]), 0).higher_when_relevant is None
    assert feature_distribution(one_feature([1.0, 2.0], [1, 2]), 0).higher_when_relevant is None


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0, 0.0], [1e300, 1e300], [1e16, 1e16 + 2], [0.0, 5e-324]])
def test_values_that_are_equal_or_as_close_as_can_be_still_have_bins(values):
    found = feature_distribution(one_feature(values, [0, 1]), 0)
    assert (np.diff(found.bin_edges) > 0).all()
    assert [level.shares.sum() for level in found.levels] == [1.0, 1.0]
    assert found.higher_when_relevant == (0.5 if values[0] == values[1] else 1.0)


DATA = RankingData.build(
    np.arange(14.0).reshape(7, 2),
    [2, 0, 0, 1, 2, 1, 0],
    [0, 1, 6, 7],
    query_ids=["a", "b", "c"],
    document_ids=[f"doc{i}" for i in range(7)],
)


def test_rows_belong_together_and_fall_in_relevance():
    rows = query_rows(DATA, 1)
    assert (rows.query_id, rows.n_documents, rows.n_relevant) == ("b", 5, 3)
    assert rows.relevance.tolist() == [2, 1, 1, 0, 0]
    assert rows.places.tolist() == [3, 2, 4, 0, 1]
    assert rows.document_ids == ("doc4", "doc3", "doc5", "doc1", "doc2")
    assert rows.features.tolist() == [[8.0, 9.0], [6.0, 7.0], [10.0, 11.0], [2.0, 3.0], [4.0, 5.0]]


def test_the_first_rows_still_tell_of_the_whole_query():
    rows = query_rows(DATA, 1, most=2)
    assert rows.document_ids == ("doc4", "doc3")
    assert (rows.n_documents, rows.n_relevant) == (5, 3)


def test_a_query_that_is_not_there_has_no_rows():
    assert [DATA.rows_of(query) for query in range(3)] == [slice(0, 1), slice(1, 6), slice(6, 7)]
    for query in (-1, 3):
        with pytest.raises(IndexError, match=f"3 queries, and none has the number {query}"):
            DATA.rows_of(query)


def test_the_order_of_the_file_is_told_beside_all_orders():
    """Of a file that begins with its relevant document, and of every order of it."""
    orders = permutations([1, 0, 0, 0])
    found = file_order(judged([1, 0, 0, 0]), "letor4", "map")
    assert (found.measure, found.file) == ("MAP", 1.0)
    assert found.expected == pytest.approx(np.mean([1 / (1 + order.index(1)) for order in orders]))


def test_a_best_feature_does_not_win_by_the_order_of_the_file():
    """The first ties all documents, which stand in the ideal order; the second is the better one over all orders."""
    data = RankingData.build(np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 0.5]] * 3), [2, 1, 0] * 3, [0, 3, 6, 9])
    assert best_single_feature(Fold("1", data), "letor4", "MAP").index == 2
