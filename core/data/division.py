"""Division of one set of documents into folds: no split, one split, repeated splits, or LETOR's rotation.

Splits are random, by query, or by document where there is one query.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.content import text_key
from core.data.dataset import Convention, Dataset, Fold, LastFolds
from core.data.errors import DataError, MissingValuesError, refuse
from core.data.missing import complete, fill_fold
from core.data.ranking_data import IntArray, RankingData
from core.data.scaling import SCALINGS, scale_fold
from core.data.tables.table_options import Kind, check_declared, option
from core.names.counted import counted

SHARE = 0.7
"""Default training share of repeated splits (Rakotomamonjy 2012, §4.1)."""
LARGEST_SEED = 10**9
MOST_REPEATS = 1000
FEWEST_FOLDS, MOST_FOLDS = 3, 100
_TEXT_AND_NUMBER = re.compile(r"([^0-9]*)([0-9]{0,18})")


@dataclass(frozen=True)
class Division:
    """How one set of documents is divided into folds and scaled.

    Attributes
    ----------
    scale : str
        An id of `core.data.scaling.SCALINGS`. Its constants are computed on each training part.
    split : float, optional
        Training share. With neither a share nor repeats, all documents are for training.
    seed : int
        Seed of the split, or of the first repeated split.
    repeats : int, optional
        Split this many times into training, validation and test part, each a fold, with the seeds ``seed``, ``seed`` +
        1, ... The training share is ``split``, or 0.7.
    folds : int, optional
        Make so many folds as LETOR makes its five: each tests on another partition; see `rotated_fold`.

    Raises
    ------
    DataError
        If there is no such scaling, seed or number of repeats or folds, or more than one way to divide.
    """

    scale: str = option(
        "none",
        "scaling of the features",
        choices=[scaling.id for scaling in SCALINGS],
        noun="a scaling",
        label="Scaling",
        titles={scaling.id: scaling.title for scaling in SCALINGS},
    )
    split: float | None = option(
        None,
        "train on this share of a single file, test on the rest",
        metavar="SHARE",
        of=Kind.SINGLE,
        noun="a split",
    )
    seed: int = option(
        0,
        "seed of --split (default 0)",
        choices=range(LARGEST_SEED + 1),
        of=Kind.SINGLE,
        noun="a seed of splits",
    )
    repeats: int | None = option(
        None,
        "split a single file N times into train, vali and test (49, 21 and 30 %%, or by --split), with seeds from "
        "--seed on; --fold chooses one",
        choices=range(1, MOST_REPEATS + 1),
        of=Kind.SINGLE,
        noun="a number of repeats",
    )
    folds: int | None = option(
        None,
        "divide a single file into N folds as LETOR does: each tests on one part of the queries, validates on another "
        "and trains on the rest (5: 60, 20 and 20 %%); --fold chooses one",
        choices=range(FEWEST_FOLDS, MOST_FOLDS + 1),
        of=Kind.SINGLE,
        noun="a number of folds",
    )

    def __post_init__(self) -> None:
        check_declared(self)
        if self.folds is not None and (self.split is not None or self.repeats is not None):
            refuse("folds cannot be combined with a split or repeats; leave those out")

    @property
    def fold_names(self) -> tuple[str, ...]:
        """Names of the folds."""
        if self.folds is not None:
            return tuple(f"Fold{number}" for number in range(1, self.folds + 1))
        if self.repeats is not None:
            return tuple(f"split {number}" for number in range(1, self.repeats + 1))
        return ("all",) if self.split is None else (f"split {self.split:g}, seed {self.seed}",)

    def divide(self, data: RankingData, missing: str | None, position: int) -> Fold:
        """Make the fold at a position, from 0, its missing values treated in this way (see `core.data.missing`).

        Raises a `DataError` if there is too little to split.
        """
        parts: tuple[RankingData, RankingData | None, RankingData | None] = data, None, None
        if self.folds is not None:
            parts = rotated_fold(data, self.folds, position, self.seed)
        elif self.repeats is not None:
            parts = split_with_validation(data, SHARE if self.split is None else self.split, self.seed + position)
        elif self.split is not None:
            train, test = split_data(data, self.split, self.seed)
            parts = train, None, test
        return scale_fold(fill_fold(Fold(self.fold_names[position], *parts), missing), self.scale)


def divided(
    data: RankingData,
    division: Division,
    missing: str | None = None,
    *,
    name: str,
    convention: Convention,
    provenance: str,
    notes: tuple[str, ...] = (),
) -> Dataset:
    """Make a dataset of one set of documents; raise a `DataError` if they cannot be divided in this way."""
    data, told = complete(data, missing, name)
    try:
        first = division.divide(data, missing, 0)
    except MissingValuesError:
        raise
    except DataError as error:
        raise DataError(error.reason, file=name) from None

    several = division.repeats is not None or division.folds is not None
    # Repeated splits are drawn again when asked for; anything else is not kept beside the data it was made of.
    return Dataset(
        name=name,
        fold_names=division.fold_names,
        convention=convention,
        provenance=provenance,
        load=LastFolds(partial(division.divide, data, missing)) if several else (first,).__getitem__,
        notes=(*notes, *told),
    )


def split_data(data: RankingData, share: float, seed: int = 0) -> tuple[RankingData, RankingData]:
    """Split at random into training and test part.

    Whole queries are drawn by their ids, so that their order in the file does not matter; both parts keep it. A single
    query (bipartite data) is split by documents within each relevance level, so that both parts have the same mixture;
    they are drawn by their content (`draw_order`). In that case the documents are also shuffled: files are often sorted
    by class, and tied documents are ranked in the order of the file. The same seed gives the same split.

    Raises a `DataError` if the share for training is not between 0 and 1, or there is too little to split.
    """
    _refuse_to_split(data, share, ("training", "test"))
    return _split(data, share, seed, left_for_first=1)


def split_with_validation(
    data: RankingData, share: float, seed: int = 0
) -> tuple[RankingData, RankingData, RankingData]:
    """Split at random into training, validation and test part.

    The test part is that of `split_data`. The rest is split into training and validation part with the same share
    (Rakotomamonjy 2012, §4.1: 70 % and 30 %, hence 49 % for training, 21 % for validation and 30 % for testing). Raises
    a `DataError` if the share is not between 0 and 1, or there is too little to split.
    """
    _refuse_to_split(data, share, ("training", "validation", "test"))
    rest, test = _split(data, share, seed, left_for_first=2)
    train, vali = _split(rest, share, seed, left_for_first=1)
    return train, vali, test


def rotated_fold(
    data: RankingData, n_folds: int, position: int, seed: int = 0
) -> tuple[RankingData, RankingData, RankingData]:
    """Training, validation and test part of one of ``n_folds`` folds, made as LETOR makes its five.

    The queries are dealt at random into ``n_folds`` partitions of equal size. Each fold tests on another partition,
    validates on the one before it and trains on the rest; of five folds each has 60 %, 20 % and 20 %. A single query is
    dealt by documents within each relevance level. Folds are at least 3; their positions count from 0.

    Raises a `DataError` if there are fewer queries, or documents of a level, than partitions.
    """
    fewest, found = _scarcest(data)
    if fewest < n_folds:
        ways = "choose fewer folds or one split, or " if fewest > 2 else "choose one split, or " if fewest == 2 else ""
        refuse(f"{found}, too few for {n_folds} folds; {ways}fit the whole file")
    test = (position - 1) % n_folds
    vali = (test - 1) % n_folds
    generator = np.random.default_rng(seed)
    partitions = _partitions(data, n_folds, generator)
    train = np.concatenate([partitions[k] for k in range(n_folds) if k not in (vali, test)])
    first, second, third = (_taken(data, part, generator) for part in (train, partitions[vali], partitions[test]))
    return first, second, third


def _partitions(data: RankingData, n: int, generator: np.random.Generator) -> list[IntArray]:
    """Numbers of queries, or of the only query's documents, dealt into partitions."""
    drawn = [np.array_split(generator.permutation(numbers), n) for numbers in _strata(data)]
    return [np.concatenate(parts) for parts in zip(*drawn, strict=True)]


def _strata(data: RankingData) -> list[IntArray]:
    """What is drawn together, in the order of `draw_order`: all queries, or the only one's documents of every level."""
    order = draw_order(data)
    return [order] if data.n_queries > 1 else np.split(order, np.flatnonzero(np.diff(data.relevance[order])) + 1)


def draw_order(data: RankingData) -> IntArray:
    """Numbers of what is drawn at random, in an order in which the file's has no part.

    Queries by their ids (`query_order`). Of a single query its documents, by relevance, then by the values of the
    features, these by name: equal rows are interchangeable, and neither units nor offsets of features matter.
    """
    if data.n_queries > 1:
        return query_order(data)
    place = np.zeros(data.n_documents, dtype=np.int64)
    by_name = sorted(range(data.n_features), key=data.feature_names.__getitem__)
    for values in (data.relevance, *(data.features[:, j] for j in by_name)):
        order = np.lexsort((values, place))
        was, now = place[order], values[order]
        place[order[1:]] = np.cumsum((was[1:] != was[:-1]) | (now[1:] != now[:-1]))
        if place[order[-1]] == len(place) - 1:
            break
    return order


def query_order(data: RankingData) -> IntArray:
    """Numbers of the queries by their ids, numbers in an id by value: q2 before q10; shape (n_queries,)."""

    def key(number: int) -> tuple[list[tuple[str, int]], str]:
        name = data.query_ids[number]
        return [(text, int(digits or 0)) for text, digits in _TEXT_AND_NUMBER.findall(name)], name

    return np.asarray(sorted(range(data.n_queries), key=key), dtype=np.int64)


def draw_seed(data: RankingData) -> int:
    """A seed of draws of queries, the same in any order of the file; of a single query, of its number of documents."""
    return int(text_key(sorted(data.query_ids))[:8], 16) if data.n_queries > 1 else data.n_documents


def _refuse_to_split(data: RankingData, share: float, parts: tuple[str, ...]) -> None:
    if not 0 < share < 1:
        refuse(f"the split is {share:g}; give the training share, between 0 and 1 (such as 0.7)")
    fewest, found = _scarcest(data)
    if fewest < len(parts):
        refuse(f"{found}, too few for a {', a '.join(parts[:-1])} and a {parts[-1]} part; fit the whole file")


def _scarcest(data: RankingData) -> tuple[int, str]:
    """Return the smallest count that limits a split (queries, or documents of a level), and the same in words."""
    if data.n_queries > 1:
        return data.n_queries, f"there are only {data.n_queries} queries"
    levels, counts = np.unique(data.relevance, return_counts=True)
    rarest = int(np.argmin(counts))
    fewest = int(counts[rarest])
    return fewest, f"relevance {levels[rarest]} has only {counted(fewest, 'document')}"


def _split(data: RankingData, share: float, seed: int, *, left_for_first: int) -> tuple[RankingData, RankingData]:
    """Split into two parts; the first has at least ``left_for_first`` queries, or documents of every level."""
    generator = np.random.default_rng(seed)
    drawn = [_draw(numbers, share, generator, left_for_first) for numbers in _strata(data)]
    first, second = (_taken(data, np.concatenate(numbers), generator) for numbers in zip(*drawn, strict=True))
    return first, second


def _draw(
    numbers: IntArray, share: float, generator: np.random.Generator, fewest: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split the numbers at random into two parts: at least ``fewest`` in the first and at least one in the second."""
    size = min(max(round(share * len(numbers)), fewest), len(numbers) - 1)
    drawn = generator.permutation(numbers)
    return drawn[:size], drawn[size:]


def _taken(data: RankingData, numbers: IntArray, generator: np.random.Generator) -> RankingData:
    """The queries with these numbers in the file's order; of a single query the documents, shuffled."""
    if data.n_queries > 1:
        return data.take_queries(np.sort(numbers))
    rows = generator.permutation(numbers)
    return data.take_documents(rows, np.array([0, len(rows)]), data.query_ids)
