"""Rules for features: one value, written and read back, applied to a method.

Costs of features travel as CSV, and a file that cannot be used says where and why.
What if: factors from switches and costs, and what a refit under them changes.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.analysis.features.rules import Rules, read_costs, read_rules, write_costs
from core.analysis.features.what_if import feature_changes, penalty_factors, weighted
from core.data import DataError, open_dataset
from core.methods import METHODS, Method, get_method
from core.solvers import Stop
from tests.oracles import ranking_problem
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
    assert_says(problem, "cannot be used", "1", "3", "costs", "0")


def test_what_can_be_holds_beside_what_cannot() -> None:
    rules, problem = read_rules({"off": "1,99", "forced": " 2 ", "costs": "3:2.5", "helps": "2", "hurts": "2,1"}, 3)
    assert rules == Rules(3, (0,), (1,), ((2, 2.5),), (1,), (0,))
    assert "“99” and 1 more" in problem


def test_what_may_only_help_cannot_be_said_to_hurt() -> None:
    _, problem = read_rules({"helps": "1,2", "hurts": "2"}, 3)
    assert_says(problem, "“2”", "help", "hurt")


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


DATA = ranking_problem()
SPARSE = [method for method in METHODS if method.separable]


@pytest.mark.parametrize(
    ("n", "rules", "factors"),
    [
        (4, {}, [1, 1, 1, 1]),
        (3, {"costs": [10, 20, 60]}, [1 / 3, 2 / 3, 2]),
        (3, {"costs": [0, 0, 5], "off": [2]}, [0, 0, np.inf]),
        (4, {"off": [0, 2], "forced": [1, 2]}, [np.inf, 0, np.inf, 1]),
    ],
)
def test_a_cost_counts_by_its_share_of_the_mean_off_forbids_forced_in_frees_and_off_wins(n, rules, factors) -> None:
    assert_allclose(penalty_factors(n, **rules), factors)


@pytest.mark.parametrize("costs", [[1.0, -1.0], [1.0, np.nan], [1.0, np.inf], [1.0], [0.0, 0.0]])
def test_costs_that_are_no_costs_are_refused(costs: list[float]) -> None:
    with pytest.raises(ValueError, match=r"\b2 features\b.*\b2 costs\b|at least one cost.*above 0"):
        penalty_factors(2, costs=np.array(costs))


def test_what_a_feature_costs_that_is_off_changes_no_model() -> None:
    """The price of the others was in units of a mean to which it belonged."""
    method = get_method("l1")
    training = method.training(DATA)
    costs = np.linspace(1.0, 3.0, 15)
    fits = []
    for of_first in (0.01, 1.0, 1e4):
        costs[0] = of_first
        fits.append(weighted(method, penalty_factors(15, costs=costs, off=[0])).fit(training, training.lam_at(0.05)))
    for fit in fits[1:]:
        assert_array_equal(fit.weights, fits[0].weights)
    rest = DATA.with_features(DATA.features[:, 1:], DATA.feature_names[1:])
    without = weighted(method, penalty_factors(14, costs=costs[1:])).fit(method.training(rest), fits[0].lam)
    assert without.result.objective == pytest.approx(fits[0].result.objective, rel=1e-5)
    assert_array_equal(penalty_factors(2, costs=np.array([7.0, 7.0])), np.ones(2))


@pytest.mark.parametrize(
    ("method", "solver"),
    [
        pytest.param(method, solver.id, id=f"{method.id} by {solver.id}")
        for method in SPARSE
        for solver in method.solvers
    ],
)
def test_every_solver_of_every_sparse_method_keeps_the_rules(method: Method, solver: str) -> None:
    training = method.training(DATA)
    strongest = int(method.fit(training, training.lam_at(0.05)).selected[0])
    factors = penalty_factors(15, off=[strongest], forced=[14])
    fit = weighted(method, factors).fit(training, training.lam_at(0.05), solver=solver, stop=Stop(max_steps=300))
    assert fit.weights[strongest] == 0.0
    assert fit.weights[14] != 0.0


@pytest.mark.parametrize("method", SPARSE, ids=lambda m: m.id)
def test_of_two_copies_the_cheap_one_is_kept(method: Method) -> None:
    twins = DATA.with_features(np.hstack([DATA.features, DATA.features]), [f"f{j}" for j in range(30)])
    training = method.training(twins)
    costs = np.where(np.arange(30) < 15, 3.0, 1.0)
    # The search has the right set from its beginning; to prove it among so many copies takes a minute.
    stop = Stop(max_steps=20) if method.id == "l0" else None
    fit = weighted(method, penalty_factors(30, costs=costs)).fit(training, training.lam_at(0.03), stop=stop)
    assert not fit.weights[:15].any()
    assert fit.weights[15:].any()


def test_changes_say_who_comes_goes_and_stays_largest_first() -> None:
    method = get_method("l1")
    training = method.training(DATA)
    before = method.fit(training, training.lam_at(0.2))
    gone = int(before.selected[0])
    after = weighted(method, penalty_factors(15, off=[gone])).fit(training, training.lam_at(0.2))
    changes = feature_changes(before, after)
    assert {row.feature for row in changes} == set(np.flatnonzero((before.weights != 0.0) | (after.weights != 0.0)))
    for row in changes:
        assert (row.before, row.after) == (before.weights[row.feature], after.weights[row.feature])
        assert row.name == DATA.feature_names[row.feature]
        assert (
            row.change
            == {(True, True): "kept", (True, False): "out", (False, True): "in"}[row.before != 0.0, row.after != 0.0]
        )
    assert next(row.change for row in changes if row.feature == gone) == "out"
    sizes = [max(abs(row.before), abs(row.after)) for row in changes]
    assert sizes == sorted(sizes, reverse=True)
