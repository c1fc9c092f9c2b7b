"""Rules for features: one value, written and read back, applied to a method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.features.rules import Rules, read_rules
from core.methods import get_method

COLUMNS = st.lists(st.integers(0, 6), max_size=7)


@given(off=COLUMNS, forced=COLUMNS, costs=st.lists(st.floats(0.0, 1e6), min_size=7, max_size=7).filter(any))
def test_what_is_written_is_read_back(off: list[int], forced: list[int], costs: list[float]) -> None:
    rules = Rules.of(7, off=off, forced=forced, costs=np.array(costs))
    assert read_rules(*rules.texts(), 7) == (rules, "")
    assert not set(rules.off) & set(rules.forced)
    np.testing.assert_array_equal(rules.every_cost, costs)


def test_equal_costs_change_nothing() -> None:
    assert not Rules.of(3, costs=np.full(3, 4.0)).active
    assert Rules.of(3).applied(get_method("l1")) is get_method("l1")


def test_a_method_that_keeps_every_feature_knows_no_rules() -> None:
    assert Rules.of(3, off=[1]).applied(get_method("l2")) is get_method("l2")


def test_the_words_are_short() -> None:
    assert Rules.of(9, off=[1, 2, 3]).words == "3 switched off"
    assert Rules.of(9, off=[1], forced=[4], costs=np.arange(1.0, 10.0)).words == "1 off, 1 forced in, costs"
    assert Rules.of(9).words == ""


@pytest.mark.parametrize(
    ("off", "forced", "cost"),
    [("4", "", ""), ("0", "", ""), ("x", "", ""), ("", "1.0", ""), ("", "", "1:-2"), ("", "", "9:1"), ("", "", "1:inf"),
     ("", "", "1:0,2:0,3:0"), ("", "", "7")],
)  # fmt: skip
def test_what_cannot_be_is_told_in_one_sentence_and_left_out(off: str, forced: str, cost: str) -> None:
    rules, problem = read_rules(off, forced, cost, 3)
    assert not rules.active
    assert "cannot be used: features have numbers from 1 to 3" in problem


def test_what_can_be_holds_beside_what_cannot() -> None:
    rules, problem = read_rules("1,99", " 2 ", "3:2.5", 3)
    assert rules == Rules(3, (0,), (1,), ((2, 2.5),))
    assert "“99”" in problem
