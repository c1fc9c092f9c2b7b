"""The signed-rank test against all signs written out, and Holm's correction against its definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata, wilcoxon

from core.experiments.results.signed_rank import holm, signed_rank_p, smallest_p


def p_by_enumeration(differences: np.ndarray) -> float:
    """Share of all sign patterns whose rank sum is at least as far from the middle as the one observed."""
    ranks = rankdata(np.abs(differences))
    middle = ranks.sum() / 2
    observed = abs(ranks[differences > 0].sum() - middle)
    sums = np.array([ranks[np.array(signs)].sum() for signs in product([False, True], repeat=len(ranks))])
    return float(np.mean(np.abs(sums - middle) >= observed - 1e-12))


@pytest.mark.parametrize("seed", range(4))
def test_p_is_exact_for_few_trials(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(0.5, 1.0, 8), rng.normal(0.0, 1.0, 8)
    assert signed_rank_p(x.tolist(), y.tolist()) == pytest.approx(p_by_enumeration(x - y))
    assert signed_rank_p(y.tolist(), x.tolist()) == pytest.approx(p_by_enumeration(x - y))


def test_equal_pairs_are_dropped() -> None:
    x, y = [0.9, 0.8, 0.4, 0.7, 0.6], [0.1, 0.3, 0.4, 0.8, 0.6]
    assert signed_rank_p(x, y) == pytest.approx(p_by_enumeration(np.array([0.8, 0.5, -0.1])))
    assert signed_rank_p(x, x) == 1.0


def test_many_trials_are_scipys() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.random(20), rng.random(20)
    assert signed_rank_p(x.tolist(), y.tolist()) == wilcoxon(x, y, zero_method="wilcox").pvalue


def test_different_numbers_of_trials_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\b2 of one.*\b3 of another"):
        signed_rank_p([0.1, 0.2], [0.1, 0.2, 0.3])


@pytest.mark.parametrize("n", [1, 3, 6])
def test_the_smallest_p_is_that_of_one_sign_throughout(n: int) -> None:
    assert smallest_p(n) == pytest.approx(p_by_enumeration(np.arange(1.0, n + 1)))


def test_holm_multiplies_by_what_is_left_and_never_falls() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
