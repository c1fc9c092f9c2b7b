"""Sorting and summing within each query."""

from __future__ import annotations

import numpy as np

from core.metrics.by_query import descending_order, running_sums


def test_documents_are_ordered_within_their_query_and_ties_keep_file_order():
    # Long lists too, where a sort that is stable on short ones may stop being so.
    rng = np.random.default_rng(0)
    sizes = np.array([1, 2, 700, 3, 50])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    values = rng.integers(0, 5, offsets[-1]).astype(float)
    np.testing.assert_array_equal(
        descending_order(values, offsets), np.lexsort((-values, np.repeat(np.arange(5), sizes)))
    )


def test_the_sum_of_one_query_leaves_no_rounding_in_the_next():
    sums = running_sums(np.array([1e20, 1.0, 0.1, 0.2]), np.array([0, 2, 4]))
    np.testing.assert_array_equal(sums, [1e20, 1e20 + 1.0, 0.1, 0.1 + 0.2])
