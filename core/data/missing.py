"""Missing values: how they stand in a matrix until its documents are divided, and how they are filled in or left out.

A matrix has the largest number of its precision where a value is missing, as in Istella's published files; nothing that
is measured comes near it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.data.dataset import Fold
from core.data.errors import MissingValuesError, NoNumbersError
from core.data.feature_blocks import blocks_of
from core.data.ranking_data import RankingData

Missing = Literal["drop", "median", "zero"]
WAYS: tuple[str, ...] = get_args(Missing)
_LISTED = 5


def gap(dtype: np.dtype) -> float:
    """Return the number that stands for a missing value."""
    return float(np.finfo(dtype).max)


def gaps(features: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Mark the missing values of a matrix: about the largest number of its type, or that of float32 in any type."""
    sizes = np.abs(features)
    if features.dtype == np.float32:
        return np.asarray(sizes >= 3e38)
    return np.asarray((sizes >= 1e300) | ((sizes > 3.402e38) & (sizes < 3.403e38)))


def complete(data: RankingData, how: str | None, file: str | None = None) -> tuple[RankingData, tuple[str, ...]]:
    """Leave out documents with missing values if that is the treatment; also say how many there are.

    Queries without a document are left out as well. Raises a `MissingValuesError` if no document is left.
    """
    if how is None:
        return data, ()
    missing = gaps(data.features)
    rows: NDArray[np.bool_] = np.any(missing, axis=1)
    if not rows.any():
        return data, ("No value of a feature is missing, so none is left out or filled in.",)
    told = gaps_words(missing, data.feature_names, "value")
    if how == "zero":
        return data, (f"{told}: each is 0.",)
    if how == "median":
        return data, (f"{told}: each is its column's median over the training part.",)
    if rows.all():
        msg = f"{told}, so no complete row is left; fill in the columns' medians or zeros instead"
        raise MissingValuesError(msg, ways=possible_ways(missing), file=file)
    return _rows(data, ~rows), (f"{told}: these rows are left out.",)


def possible_ways(missing: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return the treatments that leave a row, and have a median of every column."""
    useless = {"drop": missing.any(axis=1).all(), "median": missing.all(axis=0).any()}
    return tuple(way for way in WAYS if not useless.get(way))


def gaps_words(missing: NDArray[np.bool_], names: Sequence[str], what: str) -> str:
    """Say how many values, or cells, are missing, in how many rows, and in which columns."""
    by_column, rows = missing.sum(axis=0), np.any(missing, axis=1)
    total = int(by_column.sum())
    cells = f"1 {what} is missing" if total == 1 else f"{total:,} {what}s are missing"
    columns = listing([f"{names[j]}: {by_column[j]:,}" for j in np.flatnonzero(by_column).tolist()])
    return f"{cells} in {int(rows.sum()):,} of {len(rows):,} rows ({columns})"


def fill_fold(fold: Fold, how: str | None) -> Fold:
    """Treat the missing values of all parts alike, with the medians of the training part.

    Raises a `DataError` if a column has no value in the training part, so no median.
    """
    if how is None or not any(gaps(data.features).any() for data in fold.parts().values()):
        return fold
    if how == "drop":
        return fold.changed(lambda data: complete(data, how, fold.name)[0])
    values = np.zeros(fold.train.n_features)
    if how == "median":
        used = np.flatnonzero(np.any([gaps(data.features).any(axis=0) for data in fold.parts().values()], axis=0))
        values[used] = [_median(fold.train, j) for j in used.tolist()]
    return fold.changed(partial(_filled, values=values))


def refuse_gaps(data: RankingData) -> None:
    """Refuse values as large as those that stand for missing ones.

    Raises a `MissingValuesError` with the feature, or a `NoNumbersError`: features on the disk can only be left out.
    """
    low, high = data.value_range
    if max(-low, high) < 3e38:
        return
    ends = np.array([data.ranges.low, data.ranges.high], dtype=data.features.dtype)
    marked = gaps(ends)
    if not marked.any():
        return
    names = [data.feature_names[j] for j in np.flatnonzero(marked.any(axis=0)).tolist()]
    msg = (
        f"values of {np.abs(ends[marked]).max():.2g} are no measurements; programs write them where a value is missing"
    )
    if blocks_of(data.features) is not None:
        msg = f"{msg}; leave out {listing(names)}"
        raise NoNumbersError(msg, columns=tuple(names), column=names[0])
    msg = f"{msg}; leave out such rows or {listing(names)}, or fill in 0 or the column's median"
    raise MissingValuesError(msg, ways=WAYS, column=names[0])


def listing(texts: Sequence[str]) -> str:
    """List the first few texts, and how many more there are."""
    more = len(texts) - _LISTED
    return ", ".join(texts[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def _median(train: RankingData, j: int) -> float:
    column = train.features[:, j]
    present = column[~gaps(column)]
    if not present.size:
        msg = "no row of the training part has a value, so there is no median; leave this column out, or fill in zeros"
        raise MissingValuesError(msg, ways=("zero",), column=train.feature_names[j])
    return float(np.median(present))


def _filled(data: RankingData, values: NDArray[np.float64]) -> RankingData:
    features = np.where(gaps(data.features), values.astype(data.features.dtype), data.features)
    return replace(data, features=features)


def _rows(data: RankingData, kept: NDArray[np.bool_]) -> RankingData:
    """The documents that are marked, and the queries that have one."""
    sizes = np.add.reduceat(kept.astype(np.int64), data.query_offsets[:-1])
    offsets = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
    names = [name for name, size in zip(data.query_ids, sizes, strict=True) if size]
    return data.take_documents(np.flatnonzero(kept), offsets, names)
