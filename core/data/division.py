"""Division of one set of documents into folds: no split, one split, repeated splits, or LETOR's rotation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.data.dataset import Convention, Dataset, Fold
from core.data.errors import DataError, MissingValuesError
from core.data.missing import complete, fill_fold
from core.data.ranking_data import RankingData
from core.data.scaling import check_scaling, scale_fold
from core.data.splitting import rotated_fold, split_data, split_with_validation

SHARE = 0.7
"""Default training share of repeated splits (Rakotomamonjy 2012, §4.1)."""
MOST_REPEATS = 1000
FEWEST_FOLDS, MOST_FOLDS = 3, 100
_KEPT_FOLDS = 2


@dataclass(frozen=True)
class Division:
    """How one set of documents is divided into folds and scaled.

    Attributes
    ----------
    split : float, optional
        Training share. With neither a share nor repeats, all documents are for training.
    seed : int
        Seed of the split, or of the first repeated split.
    repeats : int, optional
        Split this many times into training, validation and test part, each a fold, with the seeds ``seed``, ``seed`` +
        1, ... The training share is ``split``, or 0.7.
    scale : str
        An id of `core.data.scaling.SCALINGS`. Its constants are computed on each training part.
    folds : int, optional
        Make so many folds as LETOR makes its five: each tests on another partition; see `rotated_fold`.
    missing : {"drop", "median", "zero"}, optional
        How missing values are treated; see `core.data.missing`.

    Raises
    ------
    DataError
        If there is no such scaling, or no such number of repeats or folds, or more than one way to divide.
    """

    split: float | None = None
    seed: int = 0
    repeats: int | None = None
    scale: str = "none"
    folds: int | None = None
    missing: str | None = None

    def __post_init__(self) -> None:
        check_scaling(self.scale)
        if self.repeats is not None and not 1 <= self.repeats <= MOST_REPEATS:
            msg = f"the number of repeats is {self.repeats}; give one from 1 to {MOST_REPEATS}"
            raise DataError(msg)

        if self.folds is not None and not FEWEST_FOLDS <= self.folds <= MOST_FOLDS:
            msg = f"the number of folds is {self.folds}; give one from {FEWEST_FOLDS} to {MOST_FOLDS}"
            raise DataError(msg)
        if self.folds is not None and (self.split is not None or self.repeats is not None):
            msg = "folds cannot be combined with a split or repeats; leave those out"
            raise DataError(msg)

    @property
    def fold_names(self) -> tuple[str, ...]:
        """Names of the folds."""
        if self.folds is not None:
            return tuple(f"Fold{number}" for number in range(1, self.folds + 1))
        if self.repeats is not None:
            return tuple(f"split {number}" for number in range(1, self.repeats + 1))
        return ("all",) if self.split is None else (f"split {self.split:g}, seed {self.seed}",)

    def fold(self, data: RankingData, position: int) -> Fold:
        """Make the fold at a position, from 0.

        Raises
        ------
        DataError
            If the share is not between 0 and 1, or there is too little to split.
        """
        name = self.fold_names[position]
        if self.folds is not None:
            train, vali, test = rotated_fold(data, self.folds, position, self.seed)
            fold = Fold(name, train, vali, test)
        elif self.repeats is not None:
            share = SHARE if self.split is None else self.split
            train, vali, test = split_with_validation(data, share, self.seed + position)
            fold = Fold(name, train, vali, test)
        elif self.split is not None:
            train, test = split_data(data, self.split, self.seed)
            fold = Fold(name, train, test=test)
        else:
            fold = Fold(name, data)
        return scale_fold(fill_fold(fold, self.missing), self.scale)


def divided(
    data: RankingData,
    division: Division,
    *,
    name: str,
    convention: Convention,
    provenance: str,
    notes: tuple[str, ...] = (),
) -> Dataset:
    """Make a dataset of one set of documents.

    Raises
    ------
    DataError
        If the documents cannot be divided in this way.
    """
    data, told = complete(data, division.missing, name)
    try:
        first = division.fold(data, 0)
    except MissingValuesError:
        raise
    except DataError as error:
        raise DataError(error.reason, file=name) from None

    # Repeated splits are drawn again when asked for; anything else is not kept beside the data it was made of.
    @lru_cache(maxsize=_KEPT_FOLDS)
    def draw(position: int) -> Fold:
        return division.fold(data, position)

    return Dataset(
        name=name,
        fold_names=division.fold_names,
        convention=convention,
        provenance=provenance,
        load=draw if division.repeats is not None or division.folds is not None else lambda _: first,
        notes=(*notes, *told),
    )
