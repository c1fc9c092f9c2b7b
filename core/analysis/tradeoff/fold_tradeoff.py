"""Trade-offs over folds: mean and spread of quality at a number of features or at a lambda."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.tradeoff.tradeoff import TradeoffPoint, best_within


@dataclass(frozen=True)
class Spread:
    """Mean and spread of a number over folds.

    Attributes
    ----------
    error : float or None
        Standard error of the mean, from the sample variance; None for a single fold, where it is unknown.
    low, high : float
        The smallest and the largest.
    """

    mean: float
    error: float | None
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Compute the spread of one number a fold, at least one."""
        x = np.array(list(values), dtype=np.float64)
        error = float(x.std(ddof=1)) / math.sqrt(len(x)) if len(x) > 1 else None
        return cls(float(x.mean()), error, float(x.min()), float(x.max()))

    @property
    def words(self) -> str:
        """The mean ± its standard error, which a single fold does not have."""
        return f"{self.mean:.4f}" if self.error is None else f"{self.mean:.4f} ± {self.error:.4f}"

    @property
    def reach(self) -> float:
        """Length of a bar to either side: the standard error, none where it is unknown."""
        return self.error or 0.0


@dataclass(frozen=True)
class FoldSummary:
    """Summary over folds of a method's models at one mark, one model a fold.

    Attributes
    ----------
    at : float
        The mark: a largest number of features, or lambda / lambda_max.
    """

    method: str
    at: float
    kept: Spread
    sparsity: Spread
    value: Spread
    seconds: Spread


def marked_limits(most: int) -> tuple[int, ...]:
    """Return the numbers of features to mark: every one at first, then ever wider spaced, up to ``most``."""
    limits: list[int] = []
    limit = 1
    while limit < most:
        limits.append(limit)
        limit += max(limit // 5, 1)
    return (*limits, most) if most > 0 else ()


def by_limit(
    folds: Sequence[Sequence[TradeoffPoint]],
    limits: Iterable[int],
    part: str,
    measure: str,
    baselines: Sequence[float] | None = None,
) -> tuple[FoldSummary, ...]:
    """Choose in each fold the best model with at most so many features, and summarise over folds.

    A limit at which a fold has no model is left out, because a mean over fewer folds would not be comparable.

    Parameters
    ----------
    folds : sequence of sequences of TradeoffPoint
        One method's points in every fold.
    part, measure : str
        The reported value. Each fold chooses on its usual part.
    baselines : sequence of float, one a fold, optional
        Subtracted from the values, because folds differ in difficulty and differences to a baseline differ less.
    """
    summaries = []
    for limit in limits:
        chosen = [best_within(points, limit, measure) for points in folds]
        found = [point for point in chosen if point is not None]
        if found and len(found) == len(folds):
            summaries.append(_summary(found, float(limit), part, measure, baselines))
    return tuple(summaries)


def by_ratio(
    folds: Sequence[Sequence[TradeoffPoint]], part: str, measure: str, baselines: Sequence[float] | None = None
) -> tuple[FoldSummary, ...]:
    """Summarise at each lambda / lambda_max that every fold has a model for, in descending order."""
    at = [{round(math.log10(point.ratio), 6): point for point in points} for points in folds]
    common = set.intersection(*(set(fold) for fold in at)) if at else set()
    return tuple(
        _summary([fold[mark] for fold in at], at[0][mark].ratio, part, measure, baselines)
        for mark in sorted(common, reverse=True)
    )


def _summary(
    points: Sequence[TradeoffPoint], at: float, part: str, measure: str, baselines: Sequence[float] | None
) -> FoldSummary:
    off = baselines if baselines is not None else [0.0] * len(points)
    return FoldSummary(
        method=points[0].method,
        at=at,
        kept=Spread.of(point.kept for point in points),
        sparsity=Spread.of(point.sparsity for point in points),
        value=Spread.of(point.value(part, measure) - less for point, less in zip(points, off, strict=True)),
        seconds=Spread.of(point.seconds for point in points),
    )
