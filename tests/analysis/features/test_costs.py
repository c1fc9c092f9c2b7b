"""Costs of features travel as CSV, and a file that cannot be used says where and why."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core.analysis.features.costs import read_costs, write_costs
from core.data import DataError

NAMES = ("BM25 of title", "length, of body", "age")


def test_what_is_written_is_read_again() -> None:
    costs = np.array([0.5, 12.0, 0.0])
    assert_array_equal(read_costs(write_costs(costs, NAMES), NAMES), costs)


def test_features_that_are_not_named_cost_one() -> None:
    assert_array_equal(read_costs("age,3\n\n", NAMES), [1.0, 1.0, 3.0])


def test_a_spreadsheets_byte_order_mark_is_no_part_of_the_header() -> None:
    assert_array_equal(read_costs("\ufefffeature,cost\r\nage,2.5\r\n", NAMES), [1.0, 1.0, 2.5])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("feature,cost\nagee,1", r"line 2\b.*no feature.*'agee'"),
        ("age,1\nage,2", r"line 2\b.*'age'.*twice"),
        ("age,dear", r"line 1\b.*'age'.*cost"),
        ("age,-1", r"line 1\b.*'age'.*\bone cost\b.*\bnumber\b.*\b0 or more"),
        ("age,nan", r"line 1\b.*'age'.*\bone cost\b.*\bnumber\b.*\b0 or more"),
        ("age", r"line 1\b.*'age'.*\bone cost\b.*\bnumber\b.*\b0 or more"),
        ("age,1,2", r"line 1\b.*'age'.*\bone cost\b.*\bnumber\b.*\b0 or more"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(text: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_costs(text, NAMES)
