"""Is one method better than another? Paired tests over queries: the papers' t-test, and what assumes less.

Laporte et al. (2014, §V-C) use the paired one-sided Student test over queries. Average precision of single queries is
far from normal, so a randomization test (Fisher) stands beside it: were the methods alike, either of their two values
for a query could as well have been the other's, so every query's difference may change its sign. Smucker, Allan and
Carterette (CIKM 2007) recommend it for retrieval. A bootstrap over queries gives the interval.

Everything is computed on sorted values: queries in another order change no digit, and draws hit the same ones. Both
agree with `scipy.stats`, which the tests compare them with. Its randomization test takes 5 to 17 times as long on
157 to 5000 queries, and its bootstrap refuses a single query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.analysis.choosing import FEWEST_QUERIES
from core.data.ranking_data import IntArray
from core.metrics.equal_values import rounded

FloatArray = NDArray[np.float64]

LEVEL = 0.05
RESAMPLES = 10_000
CONFIDENCE = 0.95
_EXACT_UP_TO = 13  # queries: 2^13 sign patterns are fewer than RESAMPLES
_ROWS = 128  # of draws that are counted at once
_CHUNK = 1 << 22  # entries of a block of resamples


@dataclass(frozen=True)
class PairedComparison:
    """A method against a reference, on the same queries.

    Attributes
    ----------
    n_queries : int
    difference : float
        Mean over queries of the method's value minus the reference's.
    decrease_percent : float or None
        By how much the method lies below the reference, in per cent of it (as in Tables V and VI of Laporte et al.);
        negative where it lies above. None where the reference's mean is 0.
    t_test_p : float or None
        One-sided: that the method is no worse. This and what follows is None for fewer than `FEWEST_QUERIES` queries.
    randomization_p : float or None
        Two-sided: that the two are alike.
    interval : tuple of float or None
        95 % bootstrap percentile interval of ``difference``.
    """

    n_queries: int
    difference: float
    decrease_percent: float | None
    t_test_p: float | None
    randomization_p: float | None
    interval: tuple[float, float] | None


def compare(method: ArrayLike, reference: ArrayLike) -> PairedComparison:
    """Compare two methods by their values for the same queries.

    Parameters
    ----------
    method, reference : array-like, shape (n_queries,)

    Raises
    ------
    ValueError
        If they are not of the same queries, or there are none.
    """
    ours, theirs = _paired(method, reference)
    mean = float(np.sort(theirs).mean())
    difference = float(np.sort(ours - theirs).mean())
    enough = len(ours) >= FEWEST_QUERIES
    return PairedComparison(
        n_queries=len(ours),
        difference=difference,
        decrease_percent=-100.0 * difference / mean if mean > 0.0 else None,
        t_test_p=one_sided_t_test(theirs, ours) if enough else None,
        randomization_p=randomization_test(ours, theirs) if enough else None,
        interval=bootstrap_interval(ours, theirs) if enough else None,
    )


def one_sided_t_test(higher: ArrayLike, lower: ArrayLike) -> float:
    """p-value of the paired Student test against the hypothesis that ``higher`` is no higher than ``lower``.

    1 where both agree in every query, which leaves nothing to test.

    Raises
    ------
    ValueError
        If they are not of the same queries, or there are none.
    """
    x, y = _paired(higher, lower)
    difference = np.sort(x - y)
    if np.ptp(rounded(difference)) == 0.0:  # no variance to compare the mean with
        return 0.0 if rounded(difference[0]) > 0.0 and len(difference) > 1 else 1.0
    from scipy.stats import ttest_1samp  # heavy to import, and no page begins with it

    return float(ttest_1samp(difference, 0.0, alternative="greater").pvalue)


def randomization_test(first: ArrayLike, second: ArrayLike, *, seed: int = 0) -> float:
    """Two-sided p-value of the paired randomization test of the mean difference.

    With up to 13 queries all changes of sign are tried, and p is exact; with more, so many drawn ones, the observed one
    counted among them, so that p is never 0.

    Parameters
    ----------
    first, second : array-like, shape (n_queries,)
    seed : int

    Raises
    ------
    ValueError
        If they are not of the same queries, or there are none.
    """
    x, y = _paired(first, second)
    difference = np.sort(x - y)
    sizes = np.sort(np.abs(difference[difference != 0.0]))  # a sign on nothing changes nothing
    if len(sizes) == 0:
        return 1.0
    exact = len(sizes) <= _EXACT_UP_TO
    sums = _all_signed_sums(sizes) if exact else _drawn_signed_sums(sizes, seed)
    rounding = 1e-12 * float(sizes.sum())  # the same values added in another order
    as_extreme = int((np.abs(sums) >= abs(difference.sum()) - rounding).sum())
    return as_extreme / len(sums) if exact else (as_extreme + 1) / (len(sums) + 1)


def bootstrap_interval(first: ArrayLike, second: ArrayLike, *, seed: int = 0) -> tuple[float, float]:
    """95 % percentile interval of the mean of ``first`` minus ``second`` over queries drawn with replacement.

    Raises
    ------
    ValueError
        If they are not of the same queries, or there are none.
    """
    x, y = _paired(first, second)
    return bootstrap_intervals((x - y)[None], seed=seed)[0]


def bootstrap_intervals(differences: FloatArray, *, seed: int = 0) -> list[tuple[float, float]]:
    """`bootstrap_interval` of each row, shape (n_models, n_queries): the same draws serve all of them."""
    n, means = differences.shape[1], []
    each = [canonical(row[None]) for row in differences]
    rows, turns = (np.array(part) for part in zip(*each, strict=True))
    rng = np.random.default_rng(seed)
    for size in chunks(RESAMPLES, n):
        queries = rng.integers(n, size=(size, n), dtype=np.int32)
        for block in np.array_split(queries, max(len(queries) // _ROWS, 1)):
            places = block + n * np.arange(len(block), dtype=np.int32)[:, None]
            times = np.bincount(places.ravel(), minlength=len(block) * n).reshape(len(block), n)
            means.append(times.astype(np.float64) @ rows[:, 0].T / n)
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(turns * np.concatenate(means), [tail, 1.0 - tail], axis=0).tolist()
    return list(zip(low, high, strict=True))


def canonical(differences: FloatArray) -> tuple[FloatArray, float]:
    """Differences of two methods by query, as neither the order of queries nor that of the two methods makes them.

    Draws number the queries, so that these must be numbered by what they hold.

    Parameters
    ----------
    differences : ndarray, shape (n_rows, n_queries)

    Returns
    -------
    ndarray, shape (n_rows, n_queries)
        Its columns sorted by the last row, then by those above it, and turned so that their sum is not below 0.
    float
        1, or -1 where they were turned.
    """
    turn = -1.0 if rounded(np.sort(differences, axis=None).sum()) < 0.0 else 1.0
    turned = rounded(turn * differences)
    return turned[:, np.lexsort(turned)], turn


def _paired(first: ArrayLike, second: ArrayLike) -> tuple[FloatArray, FloatArray]:
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1 or x.size == 0:
        msg = (
            f"a paired comparison needs the same queries of both methods, not {x.size} of one and {y.size} of the other"
        )
        raise ValueError(msg)
    return x, y


def _all_signed_sums(difference: FloatArray) -> FloatArray:
    """Sums under all 2^n patterns of signs."""
    sums = np.zeros(1)
    for value in difference:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def _drawn_signed_sums(difference: FloatArray, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    n = len(difference)
    parts = []
    for rows in chunks(RESAMPLES, n):
        bits = np.unpackbits(np.frombuffer(rng.bytes(rows * -(-n // 8)), dtype=np.uint8).reshape(rows, -1), axis=1)
        parts.append(2.0 * (bits[:, :n] @ difference) - difference.sum())
    return np.concatenate(parts)


def chunks(rows: int, width: int) -> list[int]:
    """Row counts that add up, of blocks that do not take too much memory."""
    block = max(_CHUNK // width, 1)
    return [min(block, rows - first) for first in range(0, rows, block)]


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
    difference = np.array([x - y for x, y in zip(first, second, strict=True)])
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


TRAIT_DRAWS = 4000


@dataclass(frozen=True)
class Trait:
    """A number by query, compared between the queries that lose and all others.

    Attributes
    ----------
    losing, others : float
        Means over the queries of each group.
    interval : tuple of float or None
        95 % bootstrap interval of the difference of the means; None where a group has fewer than two queries.
    alike : bool
        Whether every query of both groups has the same number.
    """

    losing: float
    others: float
    interval: tuple[float, float] | None
    alike: bool = False

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.interval is not None and not self.interval[0] <= 0.0 <= self.interval[1]


def trait(values: NDArray[np.floating] | IntArray, losing: NDArray[np.bool_]) -> Trait | None:
    """Compare the queries that lose with all others; None where one of the two groups is empty."""
    one, other = (np.sort(values[group].astype(np.float64)) for group in (losing, ~losing))  # drawn by what they hold
    if not len(one) or not len(other):
        return None
    interval = None
    if min(len(one), len(other)) > 1:
        draw = np.random.default_rng(0)
        low, high = np.quantile(
            _resampled_means(one, draw) - _resampled_means(other, draw), ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
        )
        interval = (float(low), float(high))
    return Trait(float(one.mean()), float(other.mean()), interval, bool(np.ptp(values) == 0))


def _resampled_means(values: FloatArray, draw: np.random.Generator) -> FloatArray:
    """Means of as many values drawn with replacement: few at a time, as there may be many values."""
    n = len(values)
    return np.concatenate([values[draw.integers(n, size=(rows, n))].mean(axis=1) for rows in chunks(TRAIT_DRAWS, n)])
