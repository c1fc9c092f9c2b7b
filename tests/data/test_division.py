"""One set of documents becomes one fold, or as many as it is split at random: by queries, or documents of the one."""

from itertools import chain, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import DataError, Fold, RankingData
from core.data.dataset import Dataset
from core.data.division import Division, divided, rotated_fold, split_data, split_with_validation
from tests.says import assert_says

RNG = np.random.default_rng(5)
DATA = RankingData.build(RNG.normal(3.0, 2.0, (100, 4)), RNG.permutation(np.arange(100) % 4 == 0), [0, 100])


def dataset(division: Division, data: RankingData = DATA) -> Dataset:
    return divided(data, division, name="mine", convention="standard", provenance="Made here.")


def same(first: Fold, second: Fold, part: str) -> bool:
    return first.parts()[part].fingerprint == second.parts()[part].fingerprint


def test_one_split_has_training_and_test_part_and_without_it_all_is_for_training() -> None:
    (name,), fold = dataset(Division()).fold_names, dataset(Division()).fold()
    assert (name, list(fold.parts()), fold.train.fingerprint) == ("all", ["train"], DATA.fingerprint)
    fold = dataset(Division(split=0.7, seed=3)).fold()
    assert fold.name == "split 0.7, seed 3"
    assert {name: part.n_documents for name, part in fold.parts().items()} == {"train": 70, "test": 30}


def test_repeats_are_folds_with_a_validation_part() -> None:
    repeated = dataset(Division(repeats=10))
    assert repeated.fold_names == tuple(f"split {number}" for number in range(1, 11))
    folds = [repeated.fold(number) for number in range(1, 11)]
    assert [(fold.name, *fold.parts()) for fold in folds] == [
        (name, "train", "vali", "test") for name in repeated.fold_names
    ]
    assert len({frozenset(map(tuple, fold.test.features.tolist())) for fold in folds}) == 10


def test_a_repeat_is_the_split_of_its_seed() -> None:
    repeated = dataset(Division(split=0.6, seed=7, repeats=3))
    for number, seed in enumerate((7, 8, 9), start=1):
        assert same(repeated.fold(number), dataset(Division(split=0.6, seed=seed)).fold(), "test")


def test_a_fold_is_the_same_whatever_was_asked_before() -> None:
    one_way, other_way = dataset(Division(repeats=5)), dataset(Division(repeats=5))
    forwards = {number: one_way.fold(number) for number in (1, 2, 3, 4, 5)}
    for number in (5, 3, 1):
        assert all(same(forwards[number], other_way.fold(number), part) for part in ("train", "vali", "test"))


def test_each_repeat_is_scaled_by_its_own_training_part() -> None:
    repeated = dataset(Division(repeats=3, scale="standard"))
    for number in (1, 2, 3):
        fold = repeated.fold(number)
        np.testing.assert_allclose(fold.train.features.mean(axis=0), 0.0, atol=1e-12)
        np.testing.assert_allclose(fold.train.features.std(axis=0), 1.0)
        assert abs(fold.test.features.mean(axis=0)).max() > 1e-3


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        *(({"repeats": repeats}, ("repeats", f"{repeats}", "1", "1,000")) for repeats in (0, -1, 1001)),
        ({"folds": 2}, ("from 3 to 100",)),
        ({"folds": 101}, ("from 3 to 100",)),
        ({"folds": 5, "split": 0.7}, ("folds", "split", "repeats")),
        ({"folds": 5, "repeats": 3}, ("folds", "split", "repeats")),
    ],
)
def test_a_division_that_cannot_be_is_refused(options: dict, facts: tuple[str, ...]) -> None:
    with pytest.raises(DataError) as caught:
        Division(**options)
    assert_says(str(caught.value), *facts)


def test_what_cannot_be_divided_is_refused_at_once_by_name() -> None:
    scarce = RankingData.build(np.arange(4)[:, None], [1, 0, 0, 0], [0, 4])
    for division in (Division(split=0.5), Division(repeats=2)):
        with pytest.raises(DataError, match=r"^mine: .*\brelevance 1\b.*\b1 document\b"):
            dataset(division, scarce)


def queries(n: int) -> RankingData:
    return RankingData.build(
        np.arange(2 * n)[:, None], [0, 1] * n, np.arange(0, 2 * n + 1, 2), document_ids=[f"d{k}" for k in range(2 * n)]
    )


def one_query(positives: int, negatives: int) -> RankingData:
    relevance = [1] * positives + [0] * negatives
    return RankingData.build(np.arange(len(relevance))[:, None], relevance, [0, len(relevance)])


SETS = st.integers(3, 30).map(queries) | st.builds(one_query, st.integers(3, 30), st.integers(3, 30))


@settings(max_examples=40, deadline=None)
@given(data=SETS, share=st.floats(0.01, 0.99), seed=st.integers(0, 9))
def test_each_query_goes_whole_to_one_part_or_of_the_only_one_the_share_of_every_level(
    data: RankingData, share: float, seed: int
) -> None:
    in_two, in_three = split_data(data, share, seed), split_with_validation(data, share, seed)
    for parts in (in_two, in_three):
        values = [part.features.ravel().tolist() for part in parts]
        assert sorted(chain(*values)) == list(range(data.n_documents))
        assert all(0 < part.relevance.sum() < part.n_documents for part in parts)
        if data.n_queries > 1:
            whole = [[x for q in part.query_ids for x in (2 * int(q) - 2, 2 * int(q) - 1)] for part in parts]
            assert values == whole == list(map(sorted, values)), "in the order of the file"
    for level in (0, 1):
        n, first = int((data.relevance == level).sum()), int((in_two[0].relevance == level).sum())
        assert abs(first - share * n) <= 0.5 or first in (1, n - 1), "none is ever empty"


def test_the_least_that_can_be_split_is_halved() -> None:
    for data, share in product((queries(2), one_query(2, 2)), (0.01, 0.99)):
        assert [part.n_documents for part in split_data(data, share)] == [2, 2]


def test_the_documents_of_the_only_query_are_shuffled() -> None:
    """The positives stand first in this file, and ties keep its order: a model that says nothing would be ideal."""
    for part in split_data(one_query(40, 40), 0.5, seed=2):
        assert 5 < part.relevance[:20].sum() < 15
        assert part.document_ids is None


@pytest.mark.parametrize("data", [queries(100), one_query(100, 300)], ids=["queries", "documents"])
def test_validation_is_split_off_the_training_part_in_the_same_shares(data: RankingData) -> None:
    train, vali, test = split_with_validation(data, 0.7, seed=4)
    assert [part.n_documents / data.n_documents for part in (train, vali, test)] == [0.49, 0.21, 0.3]
    assert [part.relevance.mean() for part in (train, vali, test)] == [data.relevance.mean()] * 3
    same = split_data(data, 0.7, seed=4)[1]
    assert test.features.tolist() == same.features.tolist()


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
