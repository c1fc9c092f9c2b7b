"""From one set of documents to folds: all of it for training, one split, or repeated ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.data.dataset import Convention, Dataset, Fold
from core.data.errors import DataError
from core.data.ranking_data import RankingData
from core.data.scaling import check_scaling, scale_fold
from core.data.splitting import split_data, split_with_validation

SHARE = 0.7
"""Training share of repeated splits, as in the papers (Rakotomamonjy 2012, §4.1)."""
MOST_REPEATS = 1000
_KEPT_FOLDS = 2


@dataclass(frozen=True)
class Division:
    """What becomes of one set of documents.

    Attributes
    ----------
    split : float, optional
        Training share; without it and without repeats all documents are for training.
    seed : int
        For the split, or for the first of the repeated ones.
    repeats : int, optional
        This many splits into training, validation and test part, as folds; their seeds count up from ``seed``.
        The share is that of ``split``, or 0.7.
    scale : str
        An id of `core.data.scaling.SCALINGS`; constants come from each training part.

    Raises
    ------
    DataError
        If there is no such scaling, or no such number of repeats.
    """

    split: float | None = None
    seed: int = 0
    repeats: int | None = None
    scale: str = "none"

    def __post_init__(self) -> None:
        check_scaling(self.scale)
        if self.repeats is not None and not 1 <= self.repeats <= MOST_REPEATS:
            msg = f"the splits are to be repeated {self.repeats} times; a number from 1 to {MOST_REPEATS} is needed"
            raise DataError(msg)

    @property
    def fold_names(self) -> tuple[str, ...]:
        """What the folds are called."""
        if self.repeats is not None:
            return tuple(f"split {number}" for number in range(1, self.repeats + 1))
        return ("all",) if self.split is None else (f"split {self.split:g}, seed {self.seed}",)

    def fold(self, data: RankingData, position: int) -> Fold:
        """The fold at a position, from 0.

        Raises
        ------
        DataError
            If the share is not between 0 and 1, or there is too little to split.
        """
        name = self.fold_names[position]
        if self.repeats is not None:
            share = SHARE if self.split is None else self.split
            train, vali, test = split_with_validation(data, share, self.seed + position)
            fold = Fold(name, train, vali, test)
        elif self.split is not None:
            train, test = split_data(data, self.split, self.seed)
            fold = Fold(name, train, test=test)
        else:
            fold = Fold(name, data)
        return scale_fold(fold, self.scale)


def divided(
    data: RankingData,
    division: Division,
    *,
    name: str,
    convention: Convention,
    provenance: str,
    notes: tuple[str, ...] = (),
) -> Dataset:
    """A dataset of one set of documents.

    Raises
    ------
    DataError
        If it cannot be divided so.
    """
    try:
        first = division.fold(data, 0)
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
        load=draw if division.repeats is not None else lambda _: first,
        notes=notes,
    )
