"""A split divides the queries (or the documents of the only one) and can be repeated."""

import numpy as np
import pytest

from core.data.division import rotated_fold, split_data, split_with_validation
from core.data.errors import DataError
from core.data.ranking_data import RankingData
from tests.says import assert_says


def queries(n: int) -> RankingData:
    return RankingData.build(
        np.arange(2 * n)[:, None], [0, 1] * n, np.arange(0, 2 * n + 1, 2), document_ids=[f"d{k}" for k in range(2 * n)]
    )


def one_query(positives: int, negatives: int) -> RankingData:
    relevance = [1] * positives + [0] * negatives
    return RankingData.build(np.arange(len(relevance))[:, None], relevance, [0, len(relevance)])


def test_every_query_goes_whole_to_exactly_one_part() -> None:
    data = queries(10)
    train, test = split_data(data, 0.7, seed=3)
    assert (train.n_queries, test.n_queries) == (7, 3)
    assert sorted(train.query_ids + test.query_ids) == sorted(data.query_ids)
    for part in (train, test):
        assert part.features.ravel().tolist() == [x for q in part.query_ids for x in (2 * int(q) - 2, 2 * int(q) - 1)]


def test_queries_keep_the_order_of_the_file() -> None:
    for part in split_data(queries(30), 0.5, seed=1):
        assert part.features.ravel().tolist() == sorted(part.features.ravel().tolist())


def test_a_query_goes_to_the_same_part_wherever_it_stands_in_the_file() -> None:
    data = queries(23)
    other = data.take_queries(np.random.default_rng(4).permutation(23))
    for split in (
        lambda d: split_data(d, 0.6),
        lambda d: split_with_validation(d, 0.6),
        lambda d: rotated_fold(d, 5, 1),
    ):
        assert [set(part.query_ids) for part in split(other)] == [set(part.query_ids) for part in split(data)]


def test_the_seed_decides() -> None:
    data = queries(20)
    assert split_data(data, 0.5, 1)[0].query_ids == split_data(data, 0.5, 1)[0].query_ids
    assert split_data(data, 0.5, 1)[0].query_ids != split_data(data, 0.5, 2)[0].query_ids


def test_the_only_query_is_split_within_each_relevance_level() -> None:
    train, test = split_data(one_query(10, 30), 0.7)
    assert (int(train.relevance.sum()), train.n_documents) == (7, 28)
    assert (int(test.relevance.sum()), test.n_documents) == (3, 12)
    assert sorted(np.concatenate([train.features, test.features]).ravel().tolist()) == list(range(40))


@pytest.mark.parametrize("share", [0.01, 0.99])
def test_neither_part_is_ever_empty(share: float) -> None:
    for data in (queries(2), one_query(2, 2)):
        train, test = split_data(data, share)
        assert train.n_documents == test.n_documents == 2


@pytest.mark.parametrize("share", [0, 1, -0.5, 70])
def test_a_share_outside_0_and_1_is_refused(share: float) -> None:
    with pytest.raises(DataError, match="between 0 and 1"):
        split_data(queries(4), share)


def test_the_documents_of_the_only_query_are_shuffled() -> None:
    """The positives stand first in this file, and ties keep its order: a model that says nothing would be ideal."""
    for part in split_data(one_query(40, 40), 0.5, seed=2):
        assert 5 < part.relevance[:20].sum() < 15
        assert part.document_ids is None


@pytest.mark.parametrize("data", [queries(100), one_query(100, 300)], ids=["queries", "documents"])
def test_validation_is_split_off_the_training_part_in_the_same_shares(data: RankingData) -> None:
    train, vali, test = split_with_validation(data, 0.7, seed=4)
    whole = data.n_documents
    assert [part.n_documents / whole for part in (train, vali, test)] == [0.49, 0.21, 0.3]
    assert [part.relevance.mean() for part in (train, vali, test)] == [data.relevance.mean()] * 3
    values = np.concatenate([part.features.ravel() for part in (train, vali, test)])
    assert sorted(values) == list(range(whole))
    same = split_data(data, 0.7, seed=4)[1]
    assert test.features.tolist() == same.features.tolist()


@pytest.mark.parametrize("share", [0.01, 0.3, 0.99])
@pytest.mark.parametrize("data", [queries(3), one_query(3, 3)], ids=["queries", "documents"])
def test_three_of_each_are_enough_for_three_parts(data: RankingData, share: float) -> None:
    parts = split_with_validation(data, share)
    assert [part.n_documents for part in parts] == [2, 2, 2]
    assert all(part.relevance.sum() == 1 for part in parts)


@pytest.mark.parametrize(
    ("data", "n_parts", "facts"),
    [
        (one_query(1, 5), 2, ("relevance 1", "1 document", "training", "test", "fit the whole file")),
        (one_query(5, 2), 3, ("relevance 0", "2 documents", "training", "validation", "test")),
        (queries(2), 3, ("2 queries", "training", "validation", "test")),
    ],
)
def test_what_is_too_little_to_split_is_counted(data: RankingData, n_parts: int, facts: tuple[str, ...]) -> None:
    with pytest.raises(DataError) as caught:
        (split_data if n_parts == 2 else split_with_validation)(data, 0.5)
    assert_says(str(caught.value), *facts)
    assert ("validation" in str(caught.value)) == (n_parts == 3)


@pytest.mark.parametrize("n", [5, 23])
def test_folds_rotate_as_letor_makes_its_five(n: int) -> None:
    data = queries(n)
    folds = [rotated_fold(data, 5, position, seed=2) for position in range(5)]
    for train, vali, test in folds:
        assert sorted(train.query_ids + vali.query_ids + test.query_ids) == sorted(data.query_ids)
        assert train.n_queries >= 3 * (n // 5)
    tested = [test.query_ids for _, _, test in folds]
    assert sorted(query for ids in tested for query in ids) == sorted(data.query_ids)
    for position in range(5):  # each validates on what the fold before tests on
        assert folds[position][1].query_ids == folds[position - 1][2].query_ids
    assert tested != [rotated_fold(data, 5, k, 3)[2].query_ids for k in range(5)]


def test_the_only_query_is_dealt_by_documents_of_every_level() -> None:
    parts = rotated_fold(one_query(10, 30), 5, 0)
    assert [int(part.relevance.sum()) for part in parts] == [6, 2, 2]
    assert [part.n_documents for part in parts] == [24, 8, 8]
    assert sorted(np.concatenate([part.features for part in parts]).ravel().tolist()) == list(range(40))


def test_too_few_queries_for_folds_are_told_with_the_ways_out() -> None:
    with pytest.raises(DataError, match=r"\b4 queries\b.*\b5 folds\b.*\bone split\b"):
        rotated_fold(queries(4), 5, 0)
