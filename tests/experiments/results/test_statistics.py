"""Paired tests over queries, against scipy's and against what can be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.experiments.results.statistics import (
    bootstrap_interval,
    compare,
    one_sided_t_test,
    randomization_test,
)


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


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("shift", [0.08, -0.05])
def test_few_queries_are_randomized_exactly(alternative: str, shift: float) -> None:
    first, second = sample(11, shift, seed=3)
    scipys = stats.permutation_test(
        (first, second),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative=alternative,
    )
    assert randomization_test(first, second, alternative=alternative) == pytest.approx(scipys.pvalue, rel=1e-9)  # type: ignore[arg-type]


def test_many_queries_are_randomized_as_closely_as_draws_allow() -> None:
    first, second = sample(200, 0.012, seed=5)
    ours = randomization_test(first, second, resamples=40_000, seed=1)
    scipys = stats.permutation_test(
        (first, second),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=40_000,
        rng=np.random.default_rng(2),
    ).pvalue
    assert 0.001 < scipys < 0.5  # something to agree on
    assert ours == pytest.approx(scipys, abs=4.0 * np.sqrt(2.0 * scipys * (1.0 - scipys) / 40_000))


def test_a_drawn_p_value_is_never_zero_and_repeats_with_its_seed() -> None:
    second = np.linspace(0.1, 0.5, 100)
    assert randomization_test(second + 0.3, second, resamples=999) == 1 / 1000
    first, second = sample(100, 0.01)
    assert randomization_test(first, second, seed=4) == randomization_test(first, second, seed=4)
    assert randomization_test(first, second, seed=4) != randomization_test(first, second, seed=5)


def test_the_bootstrap_interval_is_scipys_within_its_noise() -> None:
    first, second = sample(300, 0.02, seed=7)
    low, high = bootstrap_interval(first, second, resamples=20_000, seed=1)
    scipys = stats.bootstrap(
        (first - second,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(2)
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


@pytest.mark.parametrize(("first", "second"), [([0.1], [0.1, 0.2]), ([], [])])
def test_other_queries_cannot_be_compared(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError, match="same queries"):
        compare(first, second)
