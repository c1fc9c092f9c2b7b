"""Feature scalings; constants are computed on the training part only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.data.column_ranges import FAR, offsets_between
from core.data.dataset import AppliedScaling, Fold
from core.data.errors import refuse
from core.data.feature_blocks import blocks_of, changed, over_rows
from core.data.missing import refuse_gaps
from core.data.ranking_data import RankingData

Features = NDArray[np.floating]
_ROWS = 1 << 16


@dataclass(frozen=True)
class Scaling:
    """A scaling: its id, its title, and a sentence that explains it to a person."""

    id: str
    title: str
    sentence: str


SCALINGS: tuple[Scaling, ...] = (
    Scaling("none", "As is", "Features are used as they are in the file."),
    Scaling(
        "query-minmax",
        "Min–max within each query",
        "Within each query every feature ranges from 0 to 1, as in LETOR; a constant one is 0.",
    ),
    Scaling("minmax", "Min–max", "Every feature ranges from 0 to 1 over the training part; other parts may go beyond."),
    Scaling("standard", "Standard", "Every feature has mean 0 and standard deviation 1 over the training part."),
)


def scale_fold(fold: Fold, how: str) -> Fold:
    """Scale all parts of a fold alike, in one of the ways of `SCALINGS`; its ``scaling`` then has the constants.

    Those of ``minmax`` and ``standard`` come from the training part; a feature that is constant there becomes 0
    everywhere. Raises a `DataError` if there is no such scaling.
    """
    if how not in {scaling.id for scaling in SCALINGS}:
        refuse(f"there is no scaling {how!r}; choose one of {', '.join(scaling.id for scaling in SCALINGS)}")
    if how == "none":
        return fold
    for data in fold.parts().values():
        if blocks_of(data.features) is None:
            refuse_gaps(data)
    applied = AppliedScaling(how) if how == "query-minmax" else _fitted(how, fold.train.features)
    return fold.changed(partial(scaled, applied=applied), scaling=applied)


def scaled(data: RankingData, applied: AppliedScaling) -> RankingData:
    """Scale data as a fold was scaled, with its constants."""
    if applied.id == "query-minmax":
        return query_minmax(data)
    if applied.origin is None or applied.span is None:
        return data
    constants = applied.origin, applied.span
    return replace(data, features=changed(data.features, _shifted, lambda _, __: constants))


def query_minmax(data: RankingData) -> RankingData:
    """Scale each feature to [0, 1] within each query; a feature that is constant in a query becomes 0 there."""
    return replace(data, features=changed(data.features, _shifted_within, partial(_starts, data)))


def _starts(data: RankingData, first: int, last: int) -> tuple[NDArray[np.int64]]:
    """First rows of the queries between two rows, counted from ``first``."""
    return (offsets_between(data.query_offsets, first, last)[:-1],)


def _shifted_within(features: Features, starts: NDArray[np.int64]) -> Features:
    """Scale each feature to [0, 1] within each query."""
    low = np.minimum.reduceat(features, starts, axis=0)
    high = np.maximum.reduceat(features, starts, axis=0)
    of = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(features)))
    return _shifted(features, low[of], (high - low)[of])


def ranges_within_queries(data: RankingData) -> bool:
    """Whether every feature has the same lowest and highest value in each query, or is constant there, as in LETOR.

    Such a file was scaled query by query, and a search engine would have to do the same. A scaling of the
    whole file keeps this. With one query there is nothing to tell.
    """
    parts = over_rows(data.features, _ranges, partial(_starts, data))
    low, high, highest_low, lowest_high = (np.array(ends) for ends in zip(*parts, strict=True))
    highest_low, lowest_high = highest_low.max(axis=0), lowest_high.min(axis=0)
    varies = highest_low > -np.inf
    alike = (highest_low == low.min(axis=0)) & (lowest_high == high.max(axis=0))
    return data.n_queries > 1 and bool(varies.any()) and bool(alike[varies].all())


def _ranges(features: Features, starts: NDArray[np.int64]) -> tuple[Features, Features, Features, Features]:
    """Return each feature's lowest and highest value, and the highest low and lowest high end of a query's range.

    Queries in which a feature is constant do not count for the last two.
    """
    low = np.minimum.reduceat(features, starts, axis=0)
    high = np.maximum.reduceat(features, starts, axis=0)
    varies = low < high
    highest_low, lowest_high = np.where(varies, low, -np.inf).max(axis=0), np.where(varies, high, np.inf).min(axis=0)
    return low.min(axis=0), high.max(axis=0), highest_low, lowest_high


def _fitted(how: str, train: Features) -> AppliedScaling:
    low, high = train.min(axis=0), train.max(axis=0)
    if how == "minmax":
        return AppliedScaling(how, low, high - low)
    with np.errstate(over="ignore", invalid="ignore"):  # seen below
        mean, deviation = train.mean(axis=0, dtype=np.float64), train.std(axis=0, dtype=np.float64)
    # Rounding can leave a constant feature a tiny deviation; only its range tells that it is constant.
    varies = high > low
    deviation[~varies] = 0.0
    # Squares of very large or small values leave double precision, and an offset far beyond the range costs digits of
    # every sum; values as shares of the range have neither.
    largest = np.maximum(np.abs(low), np.abs(high)).astype(np.float64)
    span = high.astype(np.float64) - low
    alone = ~((deviation > 1e-140) & (deviation < 1e140)) | (largest / FAR > span)
    for j in np.flatnonzero(varies & alone):
        share = (train[:, j].astype(np.float64) - low[j]) / span[j]
        mean[j], deviation[j] = low[j] + share.mean() * span[j], share.std() * span[j]
    return AppliedScaling(how, mean, deviation)


def _shifted(features: Features, origin: Features, span: Features) -> Features:
    """(features - origin) / span, and 0 where the span is 0; a block of rows after the other."""
    constant, done = span == 0, np.empty(features.shape, features.dtype)
    divisor = np.where(constant, 1, span)
    for rows in (slice(first, first + _ROWS) for first in range(0, len(features), _ROWS)):
        here = rows if origin.ndim == 2 else slice(None)
        done[rows] = np.where(constant[here], 0, (features[rows] - origin[here]) / divisor[here])
    return done
