"""Paired tests over queries, against scipy's and against what can be counted by hand.

The difference of two models over queries, and what may be said of it.
The signed-rank test against all signs written out, and Holm's correction against its definition.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import rankdata

from core.analysis.evaluation import FoldJudge
from core.data import Fold
from core.data.ranking_data import IntArray
from core.experiments.results.choice_comparison import compare_choices
from core.experiments.results.difference import (
    FEWEST_QUERIES,
    NOT_CLEAR,
    ONE_LIST,
    TOO_FEW,
    Difference,
    model_difference,
)
from core.experiments.results.statistics import (
    RESAMPLES,
    bootstrap_interval,
    bootstrap_intervals,
    compare,
    holm,
    one_sided_t_test,
    randomization_test,
    signed_rank_p,
    smallest_p,
    trait,
)
from tests.oracles import ranking_problem
from tests.says import assert_says


def sample(n: int, shift: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two methods' values for n queries in [0, 1], the first higher by about ``shift``, many of them equal."""
    rng = np.random.default_rng(seed)
    second = rng.beta(0.6, 0.8, size=n)
    first = np.where(rng.random(n) < 0.3, second, np.clip(second + shift + 0.1 * rng.normal(size=n), 0.0, 1.0))
    return first, second


@pytest.mark.parametrize(("n", "shift"), [(12, 0.05), (60, 0.02), (500, -0.01)])
def test_the_t_test_is_students_formula_and_scipys(n: int, shift: float) -> None:
    first, second = sample(n, shift)
    difference = first - second
    t = difference.mean() / (difference.std(ddof=1) / np.sqrt(n))
    p = one_sided_t_test(first, second)
    assert p == pytest.approx(stats.t.sf(t, df=n - 1), rel=1e-9)
    assert p == pytest.approx(stats.ttest_rel(first, second, alternative="greater").pvalue, rel=1e-12)
    assert one_sided_t_test(second, first) == pytest.approx(1.0 - p, rel=1e-9)


def scipys_randomization(first: np.ndarray, second: np.ndarray, draws: float) -> float:
    found = stats.permutation_test(
        (first, second),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=draws,
        rng=np.random.default_rng(2),
    )
    return float(found.pvalue)


@pytest.mark.parametrize("shift", [0.08, -0.05])
def test_few_queries_are_randomized_exactly(shift: float) -> None:
    few = sample(11, shift, seed=3)
    assert randomization_test(*few) == pytest.approx(scipys_randomization(*few, np.inf), rel=1e-9)


def test_many_queries_are_randomized_as_closely_as_draws_allow() -> None:
    many = sample(200, 0.012, seed=5)
    ours, scipys = randomization_test(*many, seed=1), scipys_randomization(*many, RESAMPLES)
    assert 0.001 < scipys < 0.5  # something to agree on
    assert ours == pytest.approx(scipys, abs=4.0 * np.sqrt(2.0 * scipys * (1.0 - scipys) / RESAMPLES))


def test_a_drawn_p_value_is_never_zero_and_repeats_with_its_seed() -> None:
    second = np.linspace(0.1, 0.5, 100)
    assert randomization_test(second + 0.3, second) == 1 / (RESAMPLES + 1)
    first, second = sample(100, 0.01)
    assert randomization_test(first, second, seed=4) == randomization_test(first, second, seed=4)
    assert randomization_test(first, second, seed=4) != randomization_test(first, second, seed=5)


def test_the_bootstrap_interval_is_scipys_within_its_noise() -> None:
    first, second = sample(300, 0.02, seed=7)
    low, high = bootstrap_interval(first, second, seed=1)
    scipys = stats.bootstrap(
        (first - second,), np.mean, method="percentile", n_resamples=RESAMPLES, rng=np.random.default_rng(2)
    ).confidence_interval
    width = scipys.high - scipys.low
    assert (low, high) == pytest.approx((scipys.low, scipys.high), abs=0.04 * width)
    assert low < (first - second).mean() < high


def test_methods_that_agree_everywhere_are_not_told_apart() -> None:
    values = np.linspace(0.2, 0.9, 10)
    found = compare(values, values)
    assert (found.difference, found.decrease_percent) == (0.0, 0.0)
    assert (found.t_test_p, found.randomization_p, found.interval) == (1.0, 1.0, (0.0, 0.0))


def test_the_decrease_is_a_share_of_the_reference() -> None:
    found = compare([0.3, 0.5, 0.4], [0.4, 0.7, 0.4])
    assert found.difference == pytest.approx(-0.1)
    assert found.decrease_percent == pytest.approx(20.0)
    assert compare([0.1, 0.2], [0.0, 0.0]).decrease_percent is None


@pytest.mark.parametrize(
    ("compared", "first", "second", "said"),
    [
        (compare, [0.1], [0.1, 0.2], "same queries"),
        (compare, [], [], "same queries"),
        (signed_rank_p, [0.1], [0.1, 0.2, 0.3], "longer"),  # one trial is no broadcast of the others
        (compare_choices, np.zeros((3, 4)), np.zeros((2, 4)), r"choices.*queries.*\(3, 4\).*\(2, 4\)"),
    ],
)
def test_other_queries_and_choices_cannot_be_compared(
    compared: Callable[..., object], first: Any, second: Any, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        compared(first, second)


FIRST, SECOND = sample(120, 0.01, seed=9)
CHOICES = np.array([np.roll(np.round(FIRST, 1), 3 * k) for k in range(4)])[np.arange(60) % 4]
LOSING = FIRST < SECOND
DRAWS: dict[str, Callable[[IntArray], object]] = {
    "compare": lambda order: compare(FIRST[order], SECOND[order]),
    "few": lambda order: compare(FIRST[order[order < 12]], SECOND[order[order < 12]]),
    "intervals": lambda order: bootstrap_intervals(np.array([FIRST - SECOND, SECOND, FIRST])[:, order]),
    "difference": lambda order: Difference.of(FIRST[order], SECOND[order]),
    "choices": lambda order: compare_choices(*(values[:, order] for values in (CHOICES, SECOND + np.zeros((60, 1))))),
    "trait": lambda order: trait(FIRST[order], LOSING[order]),
}  # fmt: skip
"""Whatever draws queries or signs, of values whose queries are in an order."""


@pytest.mark.parametrize("name", DRAWS)
def test_queries_in_another_order_change_no_digit(name: str) -> None:
    orders = [np.arange(120), np.arange(120)[::-1], np.random.default_rng(1).permutation(120)]
    first, *others = (DRAWS[name](order) for order in orders)
    assert others == [first, first]


def test_either_method_may_come_first() -> None:
    (low, high), (other_low, other_high) = bootstrap_interval(FIRST, SECOND), bootstrap_interval(SECOND, FIRST)
    assert (low, high) == pytest.approx((-other_high, -other_low), abs=1e-15)
    assert compare(FIRST, SECOND).randomization_p == compare(SECOND, FIRST).randomization_p
    each = np.array([FIRST - SECOND, SECOND - FIRST])
    both = [pytest.approx((low, high)), pytest.approx((other_low, other_high))]
    assert bootstrap_intervals(each) == both, "one by one as together"


RNG = np.random.default_rng(4)
BASE, NOISE = RNG.random(80), 0.1 * RNG.standard_normal(80)


def test_only_an_interval_on_one_side_of_zero_tells_which_is_higher() -> None:
    wide = Difference.of(BASE + NOISE - NOISE.mean() + 0.003, BASE)
    assert wide.value == pytest.approx(0.003)
    assert wide.verdict == NOT_CLEAR
    assert wide.interval[0] < 0.0 < wide.interval[1]
    assert Difference.of(BASE + 0.1 + NOISE, BASE).verdict == "clearly higher"
    assert Difference.of(BASE - 0.1 + NOISE, BASE).verdict == "clearly lower"


def test_two_models_that_rank_alike_do_not_differ() -> None:
    same = Difference.of(BASE, BASE)
    assert (same.value, same.interval, same.verdict) == (0.0, (0.0, 0.0), NOT_CLEAR)
    assert Difference.of(BASE + 1e-14, BASE).verdict == NOT_CLEAR  # the same values added in another order


def test_the_interval_is_of_pairs_and_not_of_two_samples() -> None:
    """Queries differ far more from each other than two models on them."""
    steady = Difference.of(BASE + 0.01 + 0.01 * NOISE, BASE)
    assert steady.verdict == "clearly higher"
    assert Difference.of(np.roll(BASE, 1) + 0.01, BASE).verdict == NOT_CLEAR


def test_a_single_list_has_no_interval() -> None:
    alone = Difference.of([0.7], [0.5])
    assert (alone.interval, alone.verdict) == (None, ONE_LIST)
    assert_says(alone.words, "+0.2000", "one list", "no interval")
    assert "%" not in alone.words


def test_its_words_have_the_interval_and_the_number_of_queries() -> None:
    words = Difference(0.003, 56, (-0.0101, 0.0161)).words
    assert_says(words, "+0.0030", "95 %", "−0.0101", "+0.0161", "56 queries", "no clear difference")


@pytest.mark.parametrize("part", ["train", "test"])
def test_two_models_are_compared_by_the_values_that_pages_show(part: str) -> None:
    judge = FoldJudge(Fold("1", ranking_problem(0), None, ranking_problem(1)), "standard")
    n = judge.fold.train.n_features
    model, other = np.eye(n)[0], np.zeros(n)  # the second ties all documents
    found = model_difference(judge, model, other, part, "MAP")
    ours, theirs = (judge.judgement(weights).metrics[part]["MAP"] for weights in (model, other))
    assert found.value == pytest.approx(ours - theirs, abs=1e-12)
    assert found.n_queries == judge.fold.parts()[part].n_queries


def test_few_queries_and_wide_intervals_are_no_finding() -> None:
    low = np.zeros(FEWEST_QUERIES)
    assert Difference.of(low + 0.1, low).verdict == "clearly higher"
    assert Difference.of(low[1:] + 0.1, low[1:]).verdict == TOO_FEW, "however clear the interval is"
    wild = np.where(np.arange(20) % 2, 1.0, -1.0)
    assert Difference.of(wild, 0.0 * wild).verdict == TOO_FEW, "an interval from -0.4 to 0.4 is no equality"
    assert Difference.of(0.05 * wild, 0.0 * wild).verdict == NOT_CLEAR


def p_by_enumeration(differences: np.ndarray) -> float:
    """Share of all sign patterns whose rank sum is at least as far from the middle as the one observed."""
    ranks = rankdata(np.abs(differences))
    middle = ranks.sum() / 2
    observed = abs(ranks[differences > 0].sum() - middle)
    sums = np.array([ranks[np.array(signs)].sum() for signs in product([False, True], repeat=len(ranks))])
    return float(np.mean(np.abs(sums - middle) >= observed - 1e-12))


@settings(max_examples=25)
@given(st.lists(st.integers(-20, 20), unique_by=abs, min_size=1, max_size=8))
def test_p_is_exact_for_few_trials_and_equal_pairs_are_dropped(differences: list[int]) -> None:
    apart = np.array([one for one in differences if one != 0])
    x, y = [one / 8 for one in differences], [0.0] * len(differences)
    expected = pytest.approx(p_by_enumeration(apart) if len(apart) else 1.0)
    assert signed_rank_p(x, y) == expected == signed_rank_p(y, x)


@pytest.mark.parametrize("n", [1, 3, 6])
def test_the_smallest_p_is_that_of_one_sign_throughout(n: int) -> None:
    assert smallest_p(n) == pytest.approx(p_by_enumeration(np.arange(1.0, n + 1)))


def test_holm_multiplies_by_what_is_left_and_never_falls() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
