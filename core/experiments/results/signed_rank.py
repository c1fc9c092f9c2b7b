"""Wilcoxon's signed-rank test of paired results, and Holm's correction for several tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LEVEL = 0.05


def signed_rank_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Compute the two-sided p-value of Wilcoxon's signed-rank test; equal pairs are dropped (Wilcoxon 1945).

    Parameters
    ----------
    first, second : sequence of float
        Results of two methods on the same trials. If all agree, p is 1.

    Raises
    ------
    ValueError
        If the numbers of trials differ.
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape:
        msg = f"the signed-rank test compares the same trials, not {x.size} of one method and {y.size} of another"
        raise ValueError(msg)
    difference = x - y
    if not difference.any():
        return 1.0
    from scipy.stats import wilcoxon  # heavy to import, and no page begins with it

    return float(wilcoxon(difference, zero_method="wilcox").pvalue)


def smallest_p(n_trials: int) -> float:
    """Return the smallest two-sided p-value possible with this number of trials: all differences have one sign."""
    return float(min(2.0 ** (1 - n_trials), 1.0))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number by Holm's step-down procedure (Holm 1979), in the given order."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    return [float(value) for value in adjusted]
