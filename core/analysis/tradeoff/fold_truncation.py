"""Quality against the number of features, averaged over folds (Lai et al. 2013, FSMRank, Figs. 1-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.tradeoff.fold_tradeoff import Spread

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
    value : Spread
    n_folds : int
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
    part, measure : str
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
