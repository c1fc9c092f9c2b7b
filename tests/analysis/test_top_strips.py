"""What stands above the top negative, counted document by document."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.top_strips import (
    SHARE_BINS,
    counts_by_share,
    lists_with_a_top,
    reach,
    shares_over_lists,
    top_strips,
)
from core.losses import InfinitePush
from tests.oracles import lists_of, ranking_problem

RELEVANCE = [0, 2, 0, 1, 1, 0]
SCORES = [1.0, 5.0, 3.0, 3.0, -1.0, 2.0]


def test_heights_are_counted_from_the_top_negative_highest_first() -> None:
    strips = top_strips(RELEVANCE, SCORES)
    assert strips.positives.tolist() == [2.0, 0.0, -4.0]
    assert strips.negatives.tolist() == [0.0, -1.0, -2.0]
    assert strips.positive_rows.tolist() == [1, 3, 4]
    assert strips.negative_rows.tolist() == [2, 5, 0]
    assert strips.on_top == 1, "a positive that ties with the top negative is not above it"
    assert top_strips([1, 0, 0], [1.0, 1.0, 0.0]).beaten == 1, "one that ties with the lowest positive is as high"


@pytest.mark.parametrize(("share", "n", "k"), [(0.0, 9, 1), (0.05, 9, 1), (0.25, 9, 3), (0.07, 100, 7), (1.0, 9, 9)])
def test_the_boundary_is_the_last_negative_that_the_top_share_counts(share: float, n: int, k: int) -> None:
    strips = top_strips([1] + n * [0], np.arange(n + 1.0), share)
    assert strips.top_negatives == k
    assert strips.boundary == -(k - 1)


def test_the_loss_sees_no_negative_below_the_boundary() -> None:
    data = ranking_problem(3)
    first = slice(0, int(data.query_offsets[1]))
    rng = np.random.default_rng(1)
    scores = rng.permutation(first.stop).astype(float)
    strips = top_strips(data.relevance[first], scores, 0.4)
    loss = InfinitePush(data.relevance[first], np.array([0, first.stop]), 0.4)
    lowered = scores.copy()
    lowered[strips.negative_rows[strips.top_negatives :]] -= 1e6
    assert loss.value(lowered) == pytest.approx(loss.value(scores), rel=1e-12)
    lowered[strips.negative_rows[strips.top_negatives - 1]] -= 0.01
    assert loss.value(lowered) < loss.value(scores)


@pytest.mark.parametrize("relevance", [[0, 0], [1, 2]])
def test_a_list_of_one_kind_has_no_top(relevance: list[int]) -> None:
    with pytest.raises(ValueError, match="positive and a negative"):
        top_strips(relevance, [1.0, 2.0])


def test_lists_of_one_kind_are_not_counted() -> None:
    data = lists_of([[0, 1], [0, 0], [2, 1], [1, 0, 1]], np.array([[0.0], [1], [0], [0], [0], [0], [2], [1], [0]]))
    assert lists_with_a_top(data).tolist() == [0, 3]
    assert shares_over_lists(data, np.ones(1)).tolist() == [1.0, 0.5]
    assert shares_over_lists(data, np.zeros(1)).tolist() == [0.0, 0.0], "equal scores put nothing on top"


def test_every_share_falls_into_the_bin_that_names_it() -> None:
    shares = np.array([0.0, 0.0, 0.01, 0.25, 0.26, 0.5, 0.75, 0.99, 1.0, 1.0])
    counts = dict(zip(SHARE_BINS, counts_by_share(shares).tolist(), strict=True))
    assert counts == {"none": 2, "up to ¼": 2, "up to ½": 2, "up to ¾": 1, "below all": 1, "all": 2}


def test_all_models_of_a_path_stay_within_reach() -> None:
    data = ranking_problem(2)
    models = list(np.random.default_rng(0).normal(size=(4, data.n_features)))
    query = int(lists_with_a_top(data)[-1])
    rows = slice(*data.query_offsets[query : query + 2])
    heights = [top_strips(data.relevance[rows], data.features[rows] @ w) for w in models]
    low, high = reach(data, query, models, lowest=0.0)
    assert high == pytest.approx(max(max(strips.positives[0], 0.0) for strips in heights))
    assert low == pytest.approx(min(min(strips.positives[-1], strips.negatives[-1]) for strips in heights))
    assert reach(data, query, models, lowest=0.5)[0] > low
