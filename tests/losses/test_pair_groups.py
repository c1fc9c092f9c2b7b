"""Groups of pairs are those of every pair counted by hand, and travel whole."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

from core.losses.pair_groups import PairGroups


@pytest.mark.parametrize("lowest", [0, -3, 2**30])
def test_groups_give_every_pair_once(lowest: int) -> None:
    """Levels may be negative or large, and queries without a pair are left out."""
    random = np.random.default_rng(3)
    sizes = random.integers(1, 12, 40)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    relevance = lowest + random.choice([0, 1, 5], offsets[-1]).astype(np.int32)
    relevance[offsets[7] : offsets[8]] = lowest
    groups = PairGroups.of(relevance, offsets)
    queries = [range(first, last) for first, last in itertools.pairwise(offsets)]
    expected = {(i, j) for query in queries for i in query for j in query if relevance[i] > relevance[j]}
    found = [
        (i, j)
        for first, last in zip(groups.query_group[:-1], groups.query_group[1:], strict=True)
        for group in range(first, last)
        for i in groups.order[groups.group_start[group] : groups.group_start[group + 1]]
        for j in groups.order[groups.group_start[group + 1] : groups.group_start[last]]
    ]
    assert len(found) == groups.n_pairs == len(expected)
    assert set(found) == expected


def test_groups_travel_with_four_bytes_a_document_and_are_the_same_there() -> None:
    relevance = np.random.default_rng(0).integers(0, 3, 9000)
    groups = PairGroups.of(relevance, np.arange(0, 9001, 90))
    assert len(groups.query_rows) == 100  # which does not travel
    sent = pickle.dumps(groups)
    there = pickle.loads(sent)
    assert len(sent) < 4 * 9000 + 8 * (300 + 100) + 1000
    for name in ("order", "group_start", "query_group", "query_rows"):
        np.testing.assert_array_equal(getattr(there, name), getattr(groups, name))
        assert getattr(there, name).dtype == np.int64
    assert there.n_pairs == groups.n_pairs


def test_rows_beyond_four_bytes_travel_with_eight() -> None:
    groups = PairGroups(np.array([2**40, 0]), np.array([0, 1, 2]), np.array([0, 2]), 1)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(groups)).order, [2**40, 0])
