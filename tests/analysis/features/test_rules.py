"""Rules for features: one value, written and read back, applied to a method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.features.rules import Rules, read_rules
from core.data import open_dataset
from core.methods import METHODS, get_method
from core.solvers import Stop
from tests.says import assert_says

COLUMNS = st.lists(st.integers(0, 6), max_size=7)


@given(
    off=COLUMNS,
    forced=COLUMNS,
    costs=st.lists(st.floats(0.0, 1e6), min_size=7, max_size=7).filter(any),
    helps=COLUMNS,
    hurts=COLUMNS,
)
def test_what_is_written_is_read_back(
    off: list[int], forced: list[int], costs: list[float], helps: list[int], hurts: list[int]
) -> None:
    rules = Rules.of(7, off=off, forced=forced, costs=np.array(costs), helps=helps, hurts=hurts)
    assert read_rules(rules.texts(), 7) == (rules, "")
    assert not set(rules.off) & set(rules.forced)
    assert not set(rules.helps) & set(rules.hurts)
    assert rules.signs.tolist() == [1.0 if j in helps else -1.0 if j in hurts else 0.0 for j in range(7)]
    np.testing.assert_array_equal(rules.every_cost, costs)


def test_equal_costs_change_nothing() -> None:
    assert not Rules.of(3, costs=np.full(3, 4.0)).active
    assert Rules.of(3).applied(get_method("l1")) is get_method("l1")


def test_a_method_that_keeps_every_feature_knows_no_rules() -> None:
    assert Rules.of(3, off=[1]).applied(get_method("l2")) is get_method("l2")


def test_the_words_are_short() -> None:
    assert Rules.of(9, off=[1, 2, 3]).words == "3 switched off"
    mixed = Rules.of(9, off=[1], forced=[4], costs=np.arange(1.0, 10.0)).words
    assert_says(mixed, "1 off", "1 forced in", "costs")
    signed = Rules.of(9, helps=[1, 2], hurts=[3]).words
    assert_says(signed, "2", "only help", "1", "only hurt")
    assert max(map(len, (mixed, signed))) < 40
    assert Rules.of(9).words == ""


def test_the_weights_have_the_signs_that_are_asked_for() -> None:
    """Each method either keeps them with its usual solver, or says in a sentence that it cannot."""
    data = open_dataset("planted").fold(1).train.take_queries(range(10))
    free = get_method("l1").fit(get_method("l1").training(data), 1e-3).weights
    wrong = Rules.of(
        data.n_features, helps=np.flatnonzero(free < 0.0).tolist(), hurts=np.flatnonzero(free > 0.0).tolist()
    )
    kept = 0
    for plain in filter(lambda method: method.separable, METHODS):
        method = wrong.applied(plain)
        training = method.training(data)
        lam = training.lam_at(0.05) if training.lam_max else 1.0
        for solver in method.solvers:
            refusal = solver.accepts(method.problem(training, lam, method.settings()))
            if refusal is not None:
                assert "signs" in refusal, (plain.id, solver.id)
                continue
            weights = method.fit(training, lam, solver=solver.id, stop=Stop(max_steps=5)).weights
            assert not np.any(weights * wrong.signs < 0.0), (plain.id, solver.id)
            kept += 1
    assert kept > 4


def test_rules_follow_their_features_to_other_columns() -> None:
    rules = Rules.of(4, off=[0], forced=[1], helps=[2], hurts=[3], costs=np.array([1.0, 2.0, 1.0, 1.0]))
    assert rules.renumbered({0: 2, 1: 0, 2: 1}, 3) == Rules(3, (2,), (0,), ((0, 2.0),), (1,))


@pytest.mark.parametrize(
    ("off", "forced", "cost"),
    [("4", "", ""), ("0", "", ""), ("x", "", ""), ("", "1.0", ""), ("", "", "1:-2"), ("", "", "9:1"), ("", "", "1:inf"),
     ("", "", "1:0,2:0,3:0"), ("", "", "7")],
)  # fmt: skip
def test_what_cannot_be_is_told_in_one_sentence_and_left_out(off: str, forced: str, cost: str) -> None:
    rules, problem = read_rules({"off": off, "forced": forced, "costs": cost}, 3)
    assert not rules.active
    assert_says(problem, "cannot be used", "1", "3")


def test_what_can_be_holds_beside_what_cannot() -> None:
    rules, problem = read_rules({"off": "1,99", "forced": " 2 ", "costs": "3:2.5", "helps": "2", "hurts": "2,1"}, 3)
    assert rules == Rules(3, (0,), (1,), ((2, 2.5),), (1,), (0,))
    assert "“99” and 1 more" in problem


def test_what_may_only_help_cannot_be_said_to_hurt() -> None:
    _, problem = read_rules({"helps": "1,2", "hurts": "2"}, 3)
    assert_says(problem, "“2”", "help", "hurt")
