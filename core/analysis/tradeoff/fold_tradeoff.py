"""Trade-offs over folds: mean and spread of quality at a number of features.

With models cut to their largest weights without a refit, as in FSMRank's Figs. 1-3.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.analysis.evaluation import FloatArray
from core.analysis.tradeoff.tradeoff import TradeoffRow, best_within
from core.methods import Fit, Method, Training, get_method
from core.penalties import L2On


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
    def of(cls, values: Iterable[float]) -> Self:
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
        The largest number of features.
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
    folds: Sequence[Sequence[TradeoffRow]],
    limits: Iterable[int],
    part: str,
    measure: str,
    baselines: Sequence[float] | None = None,
) -> tuple[FoldSummary, ...]:
    """Choose in each fold the best model with at most so many features, and summarise over folds.

    A limit at which a fold has no model is left out, because a mean over fewer folds would not be comparable.

    Parameters
    ----------
    folds : sequence of sequences of TradeoffRow
        One method's points in every fold.
    part, measure : str
        The reported value. Each fold chooses on its usual part.
    baselines : sequence of float, one a fold, optional
        Subtracted from the values, because folds differ in difficulty and differences to a baseline differ less.
    """
    summaries = []
    off = baselines if baselines is not None else [0.0] * len(folds)
    for limit in limits:
        chosen = [best_within(points, limit, measure) for points in folds]
        found = [point for point in chosen if point is not None]
        if found and len(found) == len(folds):
            summaries.append(
                FoldSummary(
                    method=found[0].method,
                    at=float(limit),
                    kept=Spread.of(point.kept for point in found),
                    sparsity=Spread.of(point.sparsity for point in found),
                    value=Spread.of(point.value(part, measure) - less for point, less in zip(found, off, strict=True)),
                    seconds=Spread.of(point.seconds for point in found),
                )
            )
    return tuple(summaries)


EVERY_SIZE = 64  # up to here every number of features is looked at; above, a twentieth more each time


def sizes_to_cut(nonzero: int) -> tuple[int, ...]:
    """Return the numbers of features to cut at: every one at first, then ever wider spaced, up to all non-zero ones."""
    sizes, k = [], 1
    while k < nonzero:
        sizes.append(k)
        k += 1 if k < EVERY_SIZE else k // 20
    return (*sizes, nonzero) if nonzero > 0 else ()


def truncations(weights: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield k and the k largest absolute weights of a model, for each k of `sizes_to_cut`; all other weights are 0.

    Lai et al. (2013, FSMRank, Section IV-D): "sort the features decreasingly by their weights", keep the first k "using
    their associated weights". Weights are sorted by absolute value, because a negative weight matters as much; equal
    ones in file order.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    """
    order = np.argsort(-np.abs(weights), kind="stable")
    for k in sizes_to_cut(int(np.count_nonzero(weights))):
        kept = np.zeros_like(weights)
        kept[order[:k]] = weights[order[:k]]
        yield k, kept


def is_filter(method: Method) -> bool:
    """Tell whether a method selects a given number of features before it fits, so that other numbers are quick fits."""
    return isinstance(method.make_penalty(method.settings(), 1.0), L2On)


def refits(fit: Fit, training: Training, sizes: Sequence[int]) -> Iterator[tuple[int, FloatArray]]:
    """Yield k and the weights of a filter's model at the same lambda with k features: the other curves of Figs. 1-3.

    Parameters
    ----------
    fit : Fit
        A fit of a filter (see `is_filter`).
    training : Training
        The training data of the fit.
    """
    method = get_method(fit.method)
    count = next(parameter.name for parameter in method.parameters if parameter.counts)
    for k in sizes:
        settings = {**fit.parameters, count: float(k)}
        yield k, method.fit(training, fit.lam, solver=fit.solver, parameters=settings).weights


Values = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class SizeCurve:
    """Quality of a method's models of each size on one fold.

    Attributes
    ----------
    values : mapping of int to mapping
        Metrics by number of features (ascending), then by part and measure. A size in between has the values of the
        next smaller one, because a model cut to more weights than it has is whole. 0 is the empty model.
    """

    values: Mapping[int, Values]

    @property
    def largest(self) -> int:
        """Number of features of the largest model."""
        return max(self.values)

    def at(self, size: int, part: str, measure: str) -> float | None:
        """Return the value with at most ``size`` features; None if every model has more."""
        within = [k for k in self.values if k <= size]
        return self.values[max(within)][part][measure] if within else None


@dataclass(frozen=True)
class SizeMean:
    """Mean over folds at one number of features.

    Attributes
    ----------
    size : int
        Largest number of features.
    """

    size: int
    value: Spread
    n_folds: int


def mean_over_folds(
    folds: Sequence[SizeCurve], part: str, measure: str, sizes: Sequence[int] | None = None
) -> tuple[SizeMean, ...]:
    """Average over folds at every size at which each fold has a model.

    Parameters
    ----------
    folds : sequence of SizeCurve
        One curve a fold; without any the result is empty.
    sizes : sequence of int, optional
        The sizes to average at; by default every size of any fold, except 0.
    """
    looked_at = sizes if sizes is not None else sorted({k for fold in folds for k in fold.values if k > 0})
    means = []
    for size in looked_at:
        found = [value for fold in folds if (value := fold.at(size, part, measure)) is not None]
        if found and len(found) == len(folds):
            means.append(SizeMean(size, Spread.of(found), len(found)))
    return tuple(means)
