"""Do our numbers agree with printed ones? The difference against what choosing C again would change.

A paper's numbers and ours are means over the same test queries of models fitted to the same training queries. What may
differ between two correct programs is the C that each chooses: grids, tolerances and ties are not printed. The noise of
that choice is known for ours (`MethodLine.over_choices`). The paper's is taken to be as large.

The hypothesis: the printed numbers and ours are two independent choices, each on validation queries like these. Two
results with the same noise of their own then differ as any two of our choices do, so the reference distribution is
that of the differences of all pairs of choices: the reproducibility limit of ISO 5725-6 (1994, §4.1), without its
assumption of a normal distribution. Both programs chose on the same queries. If that makes their choices alike, the
true differences are smaller, and the tests are conservative.

Cells that belong together are judged by two statistics of their normal scores (the sign of the difference times the
normal quantile of its p-value): the sum tells whether they are too high or too low together, as Stouffer's test does,
and the sum of squares whether they are too far off, in whatever direction. The cells of a dataset are correlated, since
all methods choose on the same queries. So neither statistic is held against a normal or χ² distribution, but against
its own values over the same pairs of choices, made by all methods at once (as Westfall and Young, 1993, resample whole
rows). Validation parts of folds and datasets are drawn independently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.experiments.results.statistics import LEVEL
from core.metrics.equal_values import rounded

FloatArray = NDArray[np.float64]

LAGS = 40
"""Every choice is compared with so many that follow it, and with as many before."""
CLOSE = 2.0
"""A p-value within so many standard errors of the level is said with its error."""
Direction = Literal["too high", "too low", "differ", "agree"]


@dataclass(frozen=True)
class PValue:
    """A p-value from pairs of choices.

    Attributes
    ----------
    value : float
        At least one in so many as there are choices, since fewer cannot be told.
    error : float
        Its standard error due to the number of choices.
    """

    value: float
    error: float

    @property
    def words(self) -> str:
        """The p-value for a sentence, with its error where that could change the verdict."""
        if abs(self.value - LEVEL) <= CLOSE * self.error:
            return f"p = {self.value:.3f} ± {self.error:.3f}"
        return "p < 0.005" if self.value < 0.005 else f"p = {self.value:.2g}"


@dataclass(frozen=True)
class CellAgreement:
    """A difference from print beside the differences of pairs of our own choices.

    Attributes
    ----------
    p : PValue
        Share of the pairs that differ by as much, or by more.
    limit : float
        95 % of the pairs differ by no more (the reproducibility limit), plus what the printed digits hide.
    """

    p: PValue
    limit: float

    @property
    def within(self) -> bool:
        """Whether choosing C again explains the difference at a level of 5 %."""
        return self.p.value >= LEVEL


@dataclass(frozen=True)
class TogetherAgreement:
    """Several differences from print, judged together.

    Attributes
    ----------
    n, n_within, n_above, n_below : int
        Number of cells, of those within the noise of the choice, and of ours above and below print by more than its
        last digit hides.
    direction_p, sizes_p : PValue
        Of the sum of the scores, two-sided, and of the sum of their squares.
    score : float
        The sum of the scores.
    """

    n: int
    n_within: int
    n_above: int
    n_below: int
    direction_p: PValue
    sizes_p: PValue
    score: float

    @property
    def p(self) -> PValue:
        """Of both statistics together: twice the smaller p-value (Bonferroni); for one cell they are the same."""
        if self.n == 1:
            return self.direction_p
        smaller = min(self.direction_p, self.sizes_p, key=lambda p: p.value)
        return PValue(min(2.0 * smaller.value, 1.0), 2.0 * smaller.error)

    @property
    def verdict(self) -> Direction:
        """What may be said of them together at a level of 5 %."""
        if self.p.value >= LEVEL:
            return "agree"
        if self.n == 1 or 2.0 * self.direction_p.value < LEVEL:
            return "too high" if self.score > 0.0 else "too low"
        return "differ"


def cell_agreement(difference: float, draws: FloatArray, hidden: float) -> CellAgreement:
    """Judge one difference from print.

    Parameters
    ----------
    difference : float
        Our number minus the printed one.
    draws : ndarray, shape (n_choices,)
        Our number under choices on resampled validation queries, at least two.
    hidden : float
        Difference that the printed digits may hide: half of the last one.
    """
    pairs = np.abs(_pairs(draws[:, None]))[:, :, 0]
    p = _p_value(pairs >= rounded(max(abs(difference) - hidden, 0.0)))
    return CellAgreement(p, float(np.quantile(pairs, 1.0 - LEVEL)) + hidden)


def together(differences: Sequence[float], draws: Sequence[FloatArray], hidden: Sequence[float]) -> TogetherAgreement:
    """Judge several differences together.

    Parameters
    ----------
    differences, hidden
        As for `cell_agreement`, one a cell.
    draws : sequence of ndarray, shape (n_choices,)
        One a cell. The cells of a dataset have the same resamples in the same order.
    """
    signed, known = np.asarray(differences, dtype=np.float64), np.asarray(hidden, dtype=np.float64)
    beyond = np.sign(signed) * np.maximum(np.abs(signed) - known, 0.0)
    pairs = _pairs(np.stack(draws, axis=1))
    lags, n_choices, n = pairs.shape
    flat, ours = pairs.reshape(-1, n), np.asarray(rounded(beyond))
    scores, p = np.empty_like(flat), np.empty(n)
    for k in range(n):
        ranked = np.sort(np.abs(flat[:, k]))
        scores[:, k] = _scores(flat[:, k], _shares(flat[:, k], ranked, n_choices))
        p[k] = _shares(ours[k : k + 1], ranked, n_choices)[0]
    own = _scores(ours, p)
    made = scores.reshape(lags, n_choices, n)
    sums, squares = rounded(made.sum(axis=2)), rounded((made**2).sum(axis=2))
    score = float(rounded(own.sum()))
    return TogetherAgreement(
        n=n,
        n_within=int((p >= LEVEL).sum()),
        n_above=int((ours > 0.0).sum()),
        n_below=int((ours < 0.0).sum()),
        direction_p=_p_value(np.abs(sums) >= abs(score)),
        sizes_p=_p_value(squares >= float(rounded((own**2).sum()))),
        score=score,
    )


def _pairs(draws: FloatArray) -> FloatArray:
    """Differences of every choice and the next ones, shape (n_lags, n_choices, n_cells)."""
    lags = range(1, min(LAGS, max((len(draws) - 1) // 2, 1)) + 1)
    return np.asarray(rounded(np.stack([draws - np.roll(draws, -lag, axis=0) for lag in lags])))


def _shares(values: FloatArray, ranked: FloatArray, n_choices: int) -> FloatArray:
    """The share of these ascending absolute values that are as far from 0 as each value: its two-sided p-value."""
    smaller = np.searchsorted(ranked, np.abs(values), side="left")
    return np.maximum(1.0 - smaller / len(ranked), 1.0 / (n_choices + 1))


def _scores(values: FloatArray, p: FloatArray) -> FloatArray:
    """Normal scores: the sign times the normal quantile of the two-sided p-value."""
    from scipy.special import ndtri  # heavy to import, and no page begins with it

    return np.asarray(np.sign(values) * -ndtri(p / 2.0))


def _p_value(as_extreme: NDArray[np.bool_]) -> PValue:
    """The share of pairs, with the standard error of a mean over pairs of independent draws (Hoeffding, 1948).

    Parameters
    ----------
    as_extreme : ndarray of bool, shape (n_lags, n_choices)
        Of the pairs of `_pairs`.
    """
    n = as_extreme.shape[1]
    forward = as_extreme.mean(axis=0)
    backward = np.mean([np.roll(row, lag) for lag, row in enumerate(as_extreme, start=1)], axis=0)
    by_choice = (forward + backward) / 2.0
    return PValue(max(float(as_extreme.mean()), 1.0 / (n + 1)), 2.0 * float(by_choice.std()) / float(np.sqrt(n)))
