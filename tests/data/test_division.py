"""One set of documents becomes one fold, or as many as it is split at random."""

import numpy as np
import pytest

from core.data import Fold, RankingData
from core.data.dataset import Dataset
from core.data.division import Division, divided
from core.data.errors import DataError
from tests.says import assert_says

RNG = np.random.default_rng(5)
DATA = RankingData.build(RNG.normal(3.0, 2.0, (100, 4)), RNG.permutation(np.arange(100) % 4 == 0), [0, 100])


def dataset(division: Division, data: RankingData = DATA) -> Dataset:
    return divided(data, division, name="mine", convention="standard", provenance="Made here.")


def rows(data: RankingData) -> set[tuple[float, ...]]:
    return set(map(tuple, data.features.tolist()))


def same(first: Fold, second: Fold, part: str) -> bool:
    return first.parts()[part].fingerprint == second.parts()[part].fingerprint


def test_without_a_split_all_of_it_is_for_training() -> None:
    (name,), fold = dataset(Division()).fold_names, dataset(Division()).fold()
    assert (name, list(fold.parts()), fold.train.fingerprint) == ("all", ["train"], DATA.fingerprint)


def test_one_split_has_training_and_test_part() -> None:
    fold = dataset(Division(split=0.7, seed=3)).fold()
    assert fold.name == "split 0.7, seed 3"
    assert {name: part.n_documents for name, part in fold.parts().items()} == {"train": 70, "test": 30}


def test_repeats_are_folds_with_a_validation_part() -> None:
    repeated = dataset(Division(repeats=10))
    assert repeated.fold_names == tuple(f"split {number}" for number in range(1, 11))
    seen = []
    for number in range(1, 11):
        fold = repeated.fold(number)
        assert fold.name == f"split {number}"
        sizes = {name: part.n_documents for name, part in fold.parts().items()}
        assert sizes == {"train": 49, "vali": 21, "test": 30}
        assert set.union(*map(rows, fold.parts().values())) == rows(DATA)
        seen.append(frozenset(rows(fold.test)))
    assert len(set(seen)) == 10


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


@pytest.mark.parametrize("repeats", [0, -1, 1001])
def test_a_number_of_repeats_that_cannot_be_is_refused(repeats: int) -> None:
    with pytest.raises(DataError) as caught:
        Division(repeats=repeats)
    assert_says(str(caught.value), "repeats", f"{repeats}", "1", "1000")


def test_what_cannot_be_divided_is_refused_at_once_by_name() -> None:
    scarce = RankingData.build(np.arange(4)[:, None], [1, 0, 0, 0], [0, 4])
    for division in (Division(split=0.5), Division(repeats=2)):
        with pytest.raises(DataError, match=r"^mine: .*\brelevance 1\b.*\b1 document\b"):
            dataset(division, scarce)


@pytest.mark.parametrize("options", [{"folds": 2}, {"folds": 101}])
def test_a_number_of_folds_that_cannot_be_is_refused(options: dict) -> None:
    with pytest.raises(DataError, match="from 3 to 100"):
        Division(**options)


@pytest.mark.parametrize("options", [{"split": 0.7}, {"repeats": 3}])
def test_folds_are_asked_for_alone(options: dict) -> None:
    with pytest.raises(DataError, match=r"\bfolds\b.*\bsplit\b.*\brepeats\b"):
        Division(folds=5, **options)
