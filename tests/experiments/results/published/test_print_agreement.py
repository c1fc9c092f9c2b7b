"""Agreement with print: known truths, and small cases by hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import binomtest

from core.experiments.results.published.print_agreement import (
    FloatArray,
    PValue,
    TogetherAgreement,
    cell_agreement,
    together,
)

N_CELLS, N_CHOICES = 14, 150


def worlds(
    n: int, correlation: float, *, discrete: bool, shift: float = 0.0
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Differences of two results, and choices of 14 cells, all drawn alike; ours is moved by ``shift`` deviations."""
    rng = np.random.default_rng(3)
    for _ in range(n):
        common = rng.normal(size=(N_CHOICES + 2, 1))
        drawn = np.sqrt(correlation) * common + np.sqrt(1.0 - correlation) * rng.normal(size=(N_CHOICES + 2, N_CELLS))
        if discrete:  # a few models only, and far more often one of them, as validation curves choose
            drawn = np.floor(np.exp(0.8 * drawn))
        yield drawn[0] + shift * drawn.std(axis=0) - drawn[1], drawn[2:]


def judged(n: int, correlation: float, *, discrete: bool, shift: float = 0.0) -> list[TogetherAgreement]:
    """What is said of each."""
    made = worlds(n, correlation, discrete=discrete, shift=shift)
    return [together(list(difference), list(draws.T), [0.0] * N_CELLS) for difference, draws in made]


@pytest.mark.parametrize(("correlation", "discrete"), [(0.0, False), (0.8, False), (0.8, True)])
def test_another_choice_is_found_to_disagree_at_most_as_often_as_the_level_says(
    correlation: float, discrete: bool
) -> None:
    found = judged(100, correlation, discrete=discrete)
    # 5 % of 100, and three standard deviations of that count
    assert sum(one.verdict != "agree" for one in found) <= 11
    assert np.mean([one.n_within / one.n for one in found]) >= 0.92


def test_a_sign_test_that_takes_correlated_cells_for_independent_would_be_wrong() -> None:
    """The reason for the reference distribution: the binomial calls a common draw a disagreement."""
    signs = [int((difference > 0).sum()) for difference, _ in worlds(100, 0.8, discrete=False)]
    assert np.mean([binomtest(above, N_CELLS).pvalue < 0.05 for above in signs]) > 0.4


def test_a_table_shifted_by_a_known_amount_is_too_low_although_most_of_its_cells_lie_within() -> None:
    """1.5 deviations of a choice are 1.06 of a difference of two: most cells are within, and together they are not."""
    low, high = (judged(40, 0.0, discrete=False, shift=shift) for shift in (-1.5, 1.5))
    assert np.mean([one.verdict == "too low" for one in low]) > 0.8
    assert np.mean([one.verdict == "too high" for one in high]) > 0.8
    assert 0.7 < np.mean([one.n_within / one.n for one in low]) < 0.9


def test_cells_far_off_on_both_sides_differ_in_no_common_direction() -> None:
    rng = np.random.default_rng(0)
    draws = list(rng.normal(size=(300, 6)).T)
    found = together([4.0, -4.0, 4.0, -4.0, 4.0, -4.0], draws, [0.0] * 6)
    assert (found.verdict, found.n_within, found.n_above, found.n_below) == ("differ", 0, 3, 3)
    assert found.direction_p.value > 0.9


def test_a_small_case_by_enumeration() -> None:
    """Five choices, all ten pairs of which are compared."""
    draws = np.array([0.40, 0.41, 0.43, 0.43, 0.48])
    far = [abs(a - b) for a, b in itertools.combinations(draws, 2)]
    expected = sum(round(d, 12) >= 0.05 for d in far) / 10
    found = cell_agreement(0.051, draws, hidden=0.001)
    assert found.p.value == pytest.approx(expected)
    assert expected == 4 / 10
    assert found.limit == pytest.approx(np.quantile(far, 0.95) + 0.001)


def test_what_the_printed_digits_hide_is_no_difference() -> None:
    """A method that always chooses the same model has no noise: only the digits are left."""
    same = np.full(500, 0.3)
    assert cell_agreement(0.004, same, hidden=0.005).within
    outside = cell_agreement(0.006, same, hidden=0.005)
    assert not outside.within
    assert outside.p.value == pytest.approx(1 / 501)  # no fewer can be told by 500 choices
    found = together([0.004, -0.003], [same, same], [0.005, 0.005])
    assert (found.verdict, found.n_above, found.n_below) == ("agree", 0, 0)


def test_the_spread_of_folds_has_no_say() -> None:
    """.156 against .22 with folds that spread by .08 was "within"; the choice moves it by .01."""
    draws = 0.156 + 0.01 * np.random.default_rng(0).normal(size=500)
    assert not cell_agreement(0.156 - 0.22, draws, hidden=0.005).within


def test_the_error_of_a_p_value_is_that_of_other_choices() -> None:
    """Repeated with other draws of 200 choices, p varies by what one of them says of itself."""
    rng = np.random.default_rng(5)
    ps = [cell_agreement(2.6, rng.normal(size=200), hidden=0.0).p for _ in range(300)]
    assert np.mean([p.error for p in ps]) == pytest.approx(np.std([p.value for p in ps]), rel=0.25)


def test_a_p_value_near_the_level_is_said_with_its_error() -> None:
    assert PValue(0.048, 0.01).words == "p = 0.048 ± 0.010"
    assert PValue(0.31, 0.02).words == "p = 0.31"
    assert PValue(0.002, 0.0005).words == "p < 0.005"
