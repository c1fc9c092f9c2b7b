"""Two methods with both draws: intervals against known cases, and verdicts against simulated truths.

Whether methods keep the same features, counted by hand and by every subset there is.
Which picks are not clearly different from one of them: as pairwise intervals say, and nothing else in the band.
"""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from core.analysis.evaluation import FloatArray
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffRow
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
from core.experiments.results.choice_comparison import ChoiceComparison, compare_choices
from core.experiments.results.difference import Difference, Picks, alike
from core.experiments.results.statistics import bootstrap_interval
from tests.experiments.made_up import N_USABLE, NAMES, four_lines, line, result


def test_with_one_choice_only_comparing_choices_is_the_bootstrap_over_queries() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.random(80), rng.random(80)
    found = compare_choices(np.tile(first, (500, 1)), np.tile(second, (500, 1)))
    np.testing.assert_allclose(found.interval, bootstrap_interval(first, second), atol=0.005)
    assert (found.mean, found.deviation) == (pytest.approx((first - second).mean()), pytest.approx(0.0, abs=1e-12))


def test_the_noise_of_the_choice_widens_the_interval() -> None:
    rng = np.random.default_rng(1)
    second = rng.random(80)
    given = second + 0.01 + 0.001 * rng.standard_normal(80)
    shift = rng.choice([-0.05, 0.05], (500, 1))  # a choice that is worth as much more or less
    found = compare_choices(given + shift, np.tile(second, (500, 1)))
    assert bootstrap_interval(given, second)[0] > 0.0
    assert found.interval[0] < -0.03 < 0.05 < found.interval[1]
    assert found.p > 0.5
    assert found.deviation == pytest.approx(shift.std(ddof=1))
    assert found.mean == pytest.approx((given - second).mean() + shift.mean())


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_clear_difference_has_a_small_p_whichever_way_it_points(sign: float) -> None:
    rng = np.random.default_rng(5)
    second = rng.random((500, 80))
    first = second + sign * (0.05 + 0.01 * rng.standard_normal((500, 80)))
    found, turned = compare_choices(first, second), compare_choices(second, first)
    assert found.p == turned.p == pytest.approx(2.0 / 10_001)
    assert found.interval == pytest.approx((-turned.interval[1], -turned.interval[0]))


def test_choices_that_are_noisy_together_do_not_widen_it() -> None:
    """Both methods choose on the same resampled queries: what moves both moves no difference."""
    rng = np.random.default_rng(2)
    shift = rng.choice([-0.2, 0.2], (500, 1))
    second = rng.random(80) + shift
    found = compare_choices(second + 0.01, second)
    np.testing.assert_allclose(found.interval, (0.01, 0.01), atol=1e-12)
    assert found.deviation == pytest.approx(0.0, abs=1e-12)


def compared(inner: tuple[float, float], interval: tuple[float, float], error: float = 0.0) -> ChoiceComparison:
    return ChoiceComparison(200, float(np.mean(inner)), 0.0, interval, 0.5, inner, error)


@pytest.mark.parametrize(
    ("inner", "interval", "verdict"),
    [
        ((-0.004, 0.006), (-0.005, 0.007), "equivalent"),
        ((0.012, 0.03), (0.01, 0.04), "different"),
        ((-0.03, -0.002), (-0.04, -0.001), "different"),
        ((0.002, 0.008), (0.001, 0.009), "different, but by less than the margin"),
        ((-0.004, 0.0101), (-0.005, 0.012), "undecided"),
        ((-0.0101, 0.004), (-0.012, 0.005), "undecided"),
        # 90 % within the margin and 95 % beyond it is equivalent: two one-sided tests at 5 %
        ((-0.002, 0.0095), (-0.003, 0.0105), "equivalent"),
        ((0.0, 0.0), (0.0, 0.0), "equivalent"),
    ],
)
def test_a_verdict_follows_from_the_intervals(
    inner: tuple[float, float], interval: tuple[float, float], verdict: str
) -> None:
    assert compared(inner, interval).verdict(0.01) == verdict


def test_the_margin_is_the_users() -> None:
    found = compared((-0.004, 0.006), (-0.005, 0.007))
    assert [found.verdict(margin) for margin in (0.001, 0.005, 0.006, 0.02)] == [
        "undecided", "undecided", "equivalent", "equivalent",
    ]  # fmt: skip


def test_few_queries_decide_nothing() -> None:
    same = np.tile(np.linspace(0.0, 1.0, 9), (20, 1))
    assert compare_choices(same, same).verdict(0.01) == "undecided"


def test_a_verdict_that_other_resamples_could_change_is_said_to_be_narrow() -> None:
    assert compared((-0.004, 0.0099), (-0.005, 0.012), 0.0001).words(0.01) == "equivalent (narrowly)"
    assert compared((0.001, 0.02), (0.0001, 0.03), 0.0001).words(0.01) == "different (narrowly)"
    assert compared((-0.004, 0.0090), (-0.005, 0.012), 0.0001).words(0.01) == "equivalent"


@cache
def runs(difference: float, models: int) -> list[ChoiceComparison]:
    """300 comparisons of methods whose models differ by this much in truth, whichever of them is chosen."""
    rng = np.random.default_rng(8)
    found = []
    for seed in range(300):
        own, other = 0.1 * rng.standard_normal((2, models, 80))
        drawn = rng.integers(models, size=(2, 100))
        found.append(compare_choices(difference + own[drawn[0]], other[drawn[1]], resamples=600, seed=seed))
    return found


def rates(difference: float, margin: float, *, models: int) -> dict[str, float]:
    """Shares of the verdicts on them."""
    verdicts = [found.verdict(margin) for found in runs(difference, models)]
    return {verdict: verdicts.count(verdict) / len(verdicts) for verdict in set(verdicts)}


SE = 0.1 * np.sqrt(2.0 / 80)
"""Standard error of the mean difference over 80 queries."""


def called_equivalent(found: dict[str, float]) -> float:
    return sum(share for verdict, share in found.items() if verdict.startswith("equivalent") or "less than" in verdict)


def test_a_difference_as_large_as_the_margin_is_called_equivalent_in_5_percent_of_runs() -> None:
    """300 runs at 5 % have a standard deviation of 1.3 %; with choices it is conservative."""
    sure = called_equivalent(rates(4 * SE, 4 * SE, models=1))
    assert 0.02 < sure < 0.09
    assert called_equivalent(rates(4 * SE, 4 * SE, models=8)) <= 0.05 + 0.025
    assert called_equivalent(rates(6 * SE, 4 * SE, models=1)) <= 0.01


def test_equivalence_is_found_as_often_as_normal_theory_says() -> None:
    """Power of two one-sided tests at a true difference of 0: 2 Φ(margin / se − 1.645) − 1."""
    for margin in (2.2, 3.0):
        expected = 2.0 * stats.norm.cdf(margin - stats.norm.ppf(0.95)) - 1.0
        assert called_equivalent(rates(0.0, margin * SE, models=1)) == pytest.approx(expected, abs=0.1)


def test_no_difference_is_called_one_in_at_most_5_percent_of_runs() -> None:
    for models in (1, 8):
        found = rates(0.0, 1.0 * SE, models=models)
        assert sum(share for verdict, share in found.items() if verdict.startswith("different")) <= 0.05 + 0.03


def test_seeds_do_not_decide_what_is_not_narrow() -> None:
    rng = np.random.default_rng(11)
    for shift in (0.0, 0.02, 0.04):
        own, other = 0.1 * rng.standard_normal((2, 6, 150))
        drawn = rng.integers(6, size=500)
        found = [compare_choices(shift + own[drawn], other[drawn], seed=seed) for seed in range(12)]
        ends = np.array([one.inner for one in found])
        assert ends.std(axis=0).max() < 2.0 * max(one.error for one in found)
        for margin in (0.01, 0.03, 0.06):
            settled = {one.verdict(margin) for one in found if not one.narrow(margin)}
            assert len(settled) <= 1


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
    assert found["share"] == pytest.approx((1.0 + 0.0 + 0.5) / 3)
    assert found["found"] == pytest.approx((1.0 + 0.0 + 0.5) / 3)
    assert found["chance"] == pytest.approx(2 / N_USABLE)
    assert strong_features([line("l1", {1: result(0.1, [])})], single, 2) == []
    assert strong_features([l1], {}, 2) == []


def test_the_strongest_are_the_first_among_equals() -> None:
    assert strongest([0.5, 0.7, 0.5, 0.1], 2) == (2, 1)
    assert strongest_over_folds({1: [0.0, 0.4, 0.3], 2: [0.0, 0.0, 0.3]}, 1) == (3,)
    assert strongest_over_folds({}, 3) == ()


def drawn(seed: int, n_queries: int = 40) -> tuple[Picks, dict[TradeoffRow, FloatArray]]:
    """Picks of three methods and their values for each query; the more features the better, on average."""
    rng = np.random.default_rng(seed)
    base, picks, values = rng.uniform(0.2, 0.8, n_queries), {}, {}
    for method in ("l1", "log", "mcp"):
        row = []
        for kept in (1, 3, 9):
            each = base + rng.uniform(0.0, 0.02) * kept + 0.1 * rng.normal(size=n_queries)
            mean = {"test": dict.fromkeys(MEASURES, float(each.mean()))}
            row.append(TradeoffRow(method, kept, kept / 20, mean, 0.01, float(kept), 0.1, tuple(range(kept))))
            values[row[-1]] = each
        picks[method] = row
    return picks, values


def test_a_band_holds_no_pick_that_is_clearly_different_and_each_method_has_its_fewest_features() -> None:
    never = 0
    for seed in range(20):
        picks, values = drawn(seed)
        star = picks["log"][2]
        found = alike(picks, star, values.__getitem__, "test", "MAP")
        clear = {p: Difference.of(values[p], values[star]).verdict.startswith("clearly") for p in values}
        low, high = found.band
        assert low <= star.value("test", "MAP") <= high
        assert not [p for p in values if low <= p.value("test", "MAP") <= high and clear[p]]
        for method, points in picks.items():
            assert found.least[method] is next((p for p in points if not clear[p]), None)
        never += None in found.least.values()
    assert never, "else nothing is clearly different"


def test_few_queries_tell_nothing() -> None:
    picks, values = drawn(0, n_queries=9)
    assert alike(picks, picks["l1"][0], values.__getitem__, "test", "MAP") is None
