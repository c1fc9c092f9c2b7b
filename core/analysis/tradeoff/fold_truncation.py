"""Quality against the number of features over folds: FSMRank's Figs. 1-3, "the average values over the five folds"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.tradeoff.fold_tradeoff import Spread

Values = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class SizeCurve:
    """What a method's models of each size are worth on one fold.

    Attributes
    ----------
    values : mapping of int to mapping
        By number of features, rising; of each the metrics by part, then by measure. A size in between is worth what the
        next smaller one is: a model cut down to more weights than it has is whole. 0 is the empty model.
    """

    values: Mapping[int, Values]

    @property
    def largest(self) -> int:
        """Number of features of the largest model."""
        return max(self.values)

    def at(self, size: int, part: str, measure: str) -> float | None:
        """The value with at most so many features; None where every model has more."""
        within = [k for k in self.values if k <= size]
        return self.values[max(within)][part][measure] if within else None


@dataclass(frozen=True)
class SizeMean:
    """Mean over folds at one number of features.

    Attributes
    ----------
    size : int
        At most so many features.
    value : Spread
    n_folds : int
    """

    size: int
    value: Spread
    n_folds: int


def mean_over_folds(
    folds: Sequence[SizeCurve], part: str, measure: str, sizes: Sequence[int] | None = None
) -> tuple[SizeMean, ...]:
    """At every size at which each fold has a model, the mean of what these are worth.

    Parameters
    ----------
    folds : sequence of SizeCurve
        One a fold; none makes no mean.
    part, measure : str
    sizes : sequence of int, optional
        At which to look; by default every size of any fold but 0.
    """
    looked_at = sizes if sizes is not None else sorted({k for fold in folds for k in fold.values if k > 0})
    means = []
    for size in looked_at:
        found = [value for fold in folds if (value := fold.at(size, part, measure)) is not None]
        if found and len(found) == len(folds):
            means.append(SizeMean(size, Spread.of(found), len(found)))
    return tuple(means)
