"""Whether methods keep the same features, counted by hand and by every subset there is."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.experiments.results.agreement import (
    agreement,
    expected_jaccard,
    feature_names,
    keeps_all,
    kept_in_folds,
    strong_features,
    strongest,
    strongest_over_folds,
)
from tests.experiments.made_up import N_USABLE, NAMES, four_lines, line, result


@pytest.mark.parametrize(("a", "b", "n"), [(0, 0, 5), (0, 2, 5), (2, 3, 6), (4, 4, 6), (5, 5, 5), (1, 5, 5), (3, 4, 7)])
def test_chance_is_the_mean_over_all_pairs_of_subsets(a: int, b: int, n: int) -> None:
    one = set(range(a))  # by symmetry one subset of a stands for all
    every = [
        1.0 if not one | set(other) else len(one & set(other)) / len(one | set(other))
        for other in combinations(range(n), b)
    ]
    assert expected_jaccard(a, b, n) == pytest.approx(np.mean(every))


def test_agreement_is_the_mean_over_folds() -> None:
    l1, log, fenchel, l2 = four_lines()
    found = agreement([l1, log, fenchel, l2])
    assert found.labels == ("l1", "log", "fenchelrank", "l2")
    assert found.jaccard[0, 1] == pytest.approx(1 / 2)
    assert found.jaccard[0, 2] == pytest.approx((2 / 4 + 2 / 3 + 2 / 5) / 3)
    assert found.chance[0, 2] == pytest.approx(np.mean([expected_jaccard(2, k, N_USABLE) for k in (4, 3, 5)]))
    np.testing.assert_array_equal(found.jaccard, found.jaccard.T)
    np.testing.assert_allclose(found.chance, found.chance.T)
    np.testing.assert_array_equal(np.diag(found.jaccard), 1.0)


def test_who_keeps_everything_agrees_with_others_as_chance_would() -> None:
    lines = four_lines()
    found = agreement(lines)
    np.testing.assert_allclose(found.jaccard[3], found.chance[3])
    assert [keeps_all(one) for one in lines] == [False, False, False, True]


def test_only_folds_of_both_are_compared() -> None:
    some = line("l1", {1: result(0.5, [1, 2]), 3: result(0.5, [5])}, n_folds=3)
    other = line("log", {1: result(0.5, [1]), 2: result(0.5, [5])}, n_folds=3)
    nothing_shared = line("mcp", {2: result(0.5, [1])}, n_folds=3)
    found = agreement([some, other, nothing_shared])
    assert found.jaccard[0, 1] == 0.5
    assert np.isnan(found.jaccard[0, 2])


def test_empty_models_agree_with_each_other_and_with_nobody_else() -> None:
    empty = [line(label, {1: result(0.1, [])}) for label in ("l1", "log")]
    assert agreement([*empty, line("mcp", {1: result(0.5, [1])})]).jaccard.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_names_and_counts_are_those_of_the_models() -> None:
    l1, log, *_ = four_lines()
    assert feature_names([l1]) == {j: NAMES[j] for j in (1, 2, 3)}
    assert kept_in_folds([l1, log]) == {"l1": {1: 3, 2: 2, 3: 1}, "log": {1: 2, 2: 1}}


def test_overlap_with_the_strongest_single_features() -> None:
    l1, *_ = four_lines()
    falling = [1.0 - 0.1 * j for j in range(10)]
    single = {1: falling, 2: falling[::-1], 3: falling}  # the best two: 1 and 2, but 10 and 9 on the second fold
    (found,) = strong_features([l1], single, 2)
    assert found.share == pytest.approx((1.0 + 0.0 + 0.5) / 3)
    assert found.found == pytest.approx((1.0 + 0.0 + 0.5) / 3)
    assert found.chance == pytest.approx(2 / N_USABLE)
    assert strong_features([line("l1", {1: result(0.1, [])})], single, 2) == []
    assert strong_features([l1], {}, 2) == []


def test_the_strongest_are_the_first_among_equals() -> None:
    assert strongest([0.5, 0.7, 0.5, 0.1], 2) == (2, 1)
    assert strongest_over_folds({1: [0.0, 0.4, 0.3], 2: [0.0, 0.0, 0.3]}, 1) == (3,)
    assert strongest_over_folds({}, 3) == ()
