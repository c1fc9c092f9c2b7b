"""Two methods with both draws: intervals against known cases, and verdicts against simulated truths."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy import stats

from core.experiments.results.choice_comparison import ChoiceComparison, compare_choices
from core.experiments.results.statistics import bootstrap_interval


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


def test_without_a_difference_few_runs_have_a_small_p() -> None:
    """Two methods whose choices are equally good on average, over and over: p below .05 in no more than 5 % of runs."""
    rng = np.random.default_rng(6)
    small = 0
    for _ in range(200):
        hard = rng.random(60)
        models = [hard + 0.1 * rng.standard_normal((8, 60)) for _ in range(2)]
        drawn = [m[rng.integers(8, size=100)] for m in models]
        small += compare_choices(drawn[0], drawn[1], resamples=400).p < 0.05
    assert small <= 0.05 * 200 + 6  # two standard errors


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
