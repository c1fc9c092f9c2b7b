"""A model's mean over queries and its difference from others, with intervals: what a page may say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from core.analysis.choosing import FEWEST_QUERIES
from core.analysis.evaluation import FloatArray, FoldJudge
from core.analysis.tradeoff.tradeoff import TradeoffRow
from core.experiments.results.statistics import CONFIDENCE, bootstrap_interval, bootstrap_intervals
from core.metrics.equal_values import rounded
from core.names.counted import counted

Verdict = Literal[
    "no clear difference", "clearly higher", "clearly lower", "one list, no interval", "too few queries to tell"
]
NOT_CLEAR: Verdict = "no clear difference"
TOO_FEW: Verdict = "too few queries to tell"
WIDEST = 0.4
"""An interval as wide as this that holds 0 tells neither a difference nor that there is none."""
ONE_LIST: Verdict = "one list, no interval"


@dataclass(frozen=True)
class Difference:
    """A model's mean minus another one's, over the queries of a part.

    Attributes
    ----------
    value : float
    n_queries : int
    interval : tuple of float or None
        95 % paired bootstrap interval over the queries; None for fewer than `FEWEST_QUERIES`, which say nothing of
        others.
    """

    value: float
    n_queries: int
    interval: tuple[float, float] | None

    @classmethod
    def of(cls, model: ArrayLike, other: ArrayLike) -> Difference:
        """Compare two models by their values for the same queries, each of shape (n_queries,).

        Raises
        ------
        ValueError
            If they are not of the same queries, or there are none.
        """
        ours, theirs = (np.asarray(values, dtype=np.float64) for values in (model, other))
        enough = len(ours) >= FEWEST_QUERIES
        interval = bootstrap_interval(ours, theirs) if enough else None
        return cls(float(np.sort(ours - theirs).mean()), len(ours), interval)

    @property
    def verdict(self) -> Verdict:
        """What may be said of it: nothing of few queries, and which is higher only where the interval excludes 0."""
        if self.interval is None:
            return ONE_LIST if self.n_queries == 1 else TOO_FEW
        low, high = (rounded(end) for end in self.interval)
        if low <= 0.0 <= high and high - low >= WIDEST:
            return TOO_FEW
        if low <= 0.0 <= high:
            return NOT_CLEAR
        return "clearly higher" if low > 0.0 else "clearly lower"

    @property
    def verdict_on(self) -> str:
        """The verdict, for a sentence in which the models were chosen: it is of these queries, not of the choice."""
        return self.verdict if self.verdict in (ONE_LIST, TOO_FEW) else f"{self.verdict} on these queries"

    @property
    def words(self) -> str:
        """The difference, its interval and the verdict, for a bracket in a sentence."""
        if self.interval is None:
            return f"{signed(self.value)}, {self.verdict}"
        interval = f"{100 * CONFIDENCE:.0f} % interval {self.range} over {self.n_queries:,} queries"
        return f"{signed(self.value)}, {interval}: {self.verdict}"

    @property
    def range(self) -> str:
        """The ends of the interval; empty for a single list."""
        return "" if self.interval is None else " to ".join(map(signed, self.interval))


def signed(value: float) -> str:
    """A difference with its sign, to four digits."""
    return f"{value:+.4f}".replace("-", "−")


def model_difference(judge: FoldJudge, model: FloatArray, other: FloatArray, part: str, measure: str) -> Difference:
    """Compare two linear models on a part of a fold, over the orders of tied documents.

    Parameters
    ----------
    judge : FoldJudge
    model, other : ndarray, shape (n_features,)
        Their weights.
    part : {"train", "vali", "test"}
    measure : str

    Raises
    ------
    KeyError
        If the fold has no such part.
    ValueError
        If there is no such measure.
    """
    ours, theirs = (judge.per_query(weights, part, measure) for weights in (model, other))
    return Difference.of(ours, theirs)


def mean_words(values: FloatArray) -> str:
    """The mean of one model over queries, such as "0.4512 (95 % interval 0.4301 to 0.4723 over 90 queries)".

    The interval is of this model: it leaves open how far other training queries would have made another one.

    Parameters
    ----------
    values : ndarray, shape (n_queries,)
        A measure by query, over the orders of tied documents.
    """
    found = Difference.of(values, np.zeros(len(values)))
    if found.interval is None:
        return f"{found.value:.4f} ({counted(found.n_queries, 'query', 'queries')}, too few for an interval)"
    low, high = found.interval
    interval = f"{100 * CONFIDENCE:.0f} % interval {low:.4f} to {high:.4f} over {found.n_queries:,} queries"
    return f"{found.value:.4f} ({interval})"


Picks = Mapping[str, Sequence[TradeoffRow]]


@dataclass(frozen=True)
class Alike:
    """The picks of every method beside one of them, on the part that is quoted.

    Attributes
    ----------
    star : TradeoffRow
        The pick that the others are compared with.
    least : mapping
        By method: its pick with the fewest features that is not clearly different; None where every one is.
    band : tuple of float
        Lowest and highest value of such picks between the next clearly lower and clearly higher ones: within it nothing
        is clearly different from the star.
    """

    star: TradeoffRow
    least: Mapping[str, TradeoffRow | None]
    band: tuple[float, float]


def alike(
    picks: Picks,
    star: TradeoffRow,
    per_query: Callable[[TradeoffRow], FloatArray],
    part: str,
    measure: str,
) -> Alike | None:
    """Compare every pick with one of them by its 95 % interval over the queries; None for fewer than `FEWEST_QUERIES`.

    Parameters
    ----------
    picks : mapping of str to sequence of TradeoffRow
        By method, by ascending number of features; see `pareto_front`.
    star : TradeoffRow
        One of them.
    per_query : callable
        A model's values for the queries of the part, shape (n_queries,).
    part, measure : str
        What is quoted.
    """
    every = [point for points in picks.values() for point in points]
    base = per_query(star)
    if len(base) < FEWEST_QUERIES:
        return None
    differences = np.array([per_query(point) - base for point in every])
    intervals = bootstrap_intervals(differences)
    clear = {
        id(point): Difference(float(row.mean()), len(base), interval).verdict
        for point, row, interval in zip(every, differences, intervals, strict=True)
    }
    lower, higher = (
        [p.value(part, measure) for p in every if clear[id(p)] == f"clearly {way}"] for way in ("lower", "higher")
    )
    within = [
        value
        for value in (star.value(part, measure), *(p.value(part, measure) for p in every))
        if max(lower, default=-np.inf) < value < min(higher, default=np.inf)
    ]
    least = {
        method: next((p for p in points if not clear[id(p)].startswith("clearly")), None)
        for method, points in picks.items()
        if points
    }
    return Alike(star, least, (min(within), max(within)))
