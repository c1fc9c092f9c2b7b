"""Datasets and folds: what a person picks before anything is fitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.data.errors import DataError
from core.data.ranking_data import RankingData

Convention = Literal["standard", "letor3", "letor4"]


@dataclass(frozen=True, eq=False)
class Fold:
    """One division of a dataset. ``vali`` or ``test`` is None where the data has no such part.

    All parts share the feature names. ``name`` is what the folder calls it, e.g. ``"Fold1"``.
    """

    name: str
    train: RankingData
    vali: RankingData | None = None
    test: RankingData | None = None

    def parts(self) -> dict[str, RankingData]:
        """The parts that exist, by name, in the order train, vali, test."""
        named = {"train": self.train, "vali": self.vali, "test": self.test}
        return {name: data for name, data in named.items() if data is not None}


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """A named collection of folds, read when asked for.

    Parameters
    ----------
    name : str
        Short and unique, e.g. ``"MQ2008"``; what ``--json``, the URL and the catalogue call it.
    fold_names : tuple of str
        At least one.
    convention : {"standard", "letor3", "letor4"}
        How its metrics are counted unless a person says otherwise.
    provenance : str
        Where it comes from, in one sentence.
    load : callable
        From the fold's position (0-based) to the `Fold`; may raise `DataError`.
    notes : tuple of str
        What was done to read it where that was not a matter of course, a sentence each.
    query_texts, document_names : mapping, optional
        What a query or a document is, for people, by query id or document id.
    """

    name: str
    fold_names: tuple[str, ...]
    convention: Convention
    provenance: str
    load: Callable[[int], Fold] = field(repr=False)
    notes: tuple[str, ...] = ()
    query_texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    document_names: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def n_folds(self) -> int:
        return len(self.fold_names)

    def fold(self, number: int = 1) -> Fold:
        """Read one fold; ``number`` counts from 1.

        Raises
        ------
        DataError
            If there is no such fold, or its files cannot be used.
        """
        if not 1 <= number <= self.n_folds:
            has = "1 fold" if self.n_folds == 1 else f"folds 1 to {self.n_folds}"
            msg = f"{self.name} has {has}; there is no fold {number}"
            raise DataError(msg)
        return self.load(number - 1)
