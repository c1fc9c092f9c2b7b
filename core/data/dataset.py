"""Datasets, their folds, and what was done to the features of a fold."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from core.data.errors import refuse
from core.data.matching import in_order_of
from core.data.ranking_data import FloatArray, RankingData

Convention = Literal["standard", "letor3", "letor4"]
_KEPT_FOLDS = 2


@dataclass(frozen=True, eq=False)
class AppliedScaling:
    """A scaling, an id of `core.data.scaling.SCALINGS`, and the constants with which all parts of a fold were scaled.

    A feature's new value is (value − origin) / span, and 0 where the span is 0; shape (n_features,). There are no
    constants without scaling, and within each query, where they differ from query to query.
    """

    id: str = "none"
    origin: FloatArray | None = None
    span: FloatArray | None = None

    @property
    def fingerprint(self) -> str:
        """The sha256 of the id and the constants."""
        constants = [None if part is None else part.tobytes() for part in (self.origin, self.span)]
        return hashlib.sha256(repr((self.id, constants)).encode()).hexdigest()

    def undone(self, features: NDArray[np.floating]) -> FloatArray:
        """Compute the values before the scaling, shape (n, n_features); a feature of span 0 has its origin.

        Without constants the features are returned as they are.
        """
        if self.origin is None or self.span is None:
            return np.asarray(features, dtype=np.float64)
        return np.asarray(features * self.span + self.origin, dtype=np.float64)


AS_IT_STANDS = AppliedScaling()


@dataclass(frozen=True, eq=False)
class Fold:
    """One division of a dataset into training, validation and test part.

    ``vali`` or ``test`` is None where the data has no such part. All parts have the features of the training part:
    those that name them in another order are brought into its order, and what only they have is left out. ``name`` is
    the fold's name in its folder, e.g. ``"Fold1"``. ``scaling`` says how the program has scaled the features of all
    parts.

    Raises a `DataError` if a part lacks a feature of the training part.
    """

    name: str
    train: RankingData
    vali: RankingData | None = None
    test: RankingData | None = None
    scaling: AppliedScaling = AS_IT_STANDS

    def __post_init__(self) -> None:
        for part in ("vali", "test"):
            data: RankingData | None = getattr(self, part)
            if data is not None:
                object.__setattr__(self, part, in_order_of(data, self.train.feature_names, part))

    def parts(self) -> dict[str, RankingData]:
        """Return the parts that exist, by name, in the order train, vali, test."""
        named = {"train": self.train, "vali": self.vali, "test": self.test}
        return {name: data for name, data in named.items() if data is not None}

    def changed(self, change: Callable[[RankingData], RankingData], **more: Any) -> Self:
        """Return the fold with each part changed alike; ``more`` are other fields of it."""
        parts: dict[str, Any] = {name: change(data) for name, data in self.parts().items()}
        return replace(self, **parts, **more)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what a person has to know of its grades and of the ranges of its features."""
        without = (
            f"The {said} part has no relevant document, so every measure is 0 there{more}."
            for part, said, more in (
                (self.vali, "validation", ", and C cannot be chosen on it"),
                (self.test, "test", ""),
            )
            if part is not None and not part.relevance.any()
        )
        return (*self.train.grades_note, *without, *self.train.scale_note)

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of the content of all parts, with the fold's name and how it was scaled."""
        parts = [(name, data.fingerprint) for name, data in self.parts().items()]
        return hashlib.sha256(repr((self.name, self.scaling.fingerprint, parts)).encode()).hexdigest()


def training_part(data: object) -> RankingData:
    """Return the training part of a fold, and data without parts as they are; else raise a `TypeError`."""
    if isinstance(data, Fold):
        return data.train
    if isinstance(data, RankingData):
        return data
    msg = f"data must be a Fold, such as dataset.fold(1), or RankingData, such as fold.test, not {type(data).__name__}"
    raise TypeError(msg)


class LastFolds:
    """Reads folds by their positions (from 0), and keeps the last ones; a copy in another process begins with none.

    ``read`` returns the `Fold` of a position, and can be pickled.
    """

    def __init__(self, read: Callable[[int], Fold]) -> None:
        self._read = read
        self._fold = lru_cache(maxsize=_KEPT_FOLDS)(read)

    def __call__(self, position: int) -> Fold:
        """Return the fold."""
        return self._fold(position)

    def __reduce__(self) -> tuple[type[LastFolds], tuple[Callable[[int], Fold]]]:
        return LastFolds, (self._read,)


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """A named collection of folds; each fold is read on demand.

    Parameters
    ----------
    name : str
        Short and unique, e.g. ``"MQ2008"``. The catalogue, ``--json`` and the URL use it.
    fold_names : tuple of str
        At least one.
    convention : {"standard", "letor3", "letor4"}
        Default convention of its metrics.
    provenance : str
        Where it comes from, in one sentence.
    load : callable
        Takes a fold's position (from 0) and returns the `Fold`; may raise `DataError`. Of data in memory it can be
        pickled, for the process that computes.
    notes : tuple of str
        Sentences on anything unusual that was done to read the data.
    query_texts, document_names : mapping, optional
        Text of a query by its id, and readable name of a document by its id.
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
        """Number of folds."""
        return len(self.fold_names)

    def fold(self, number: int = 1) -> Fold:
        """Read one fold; ``number`` counts from 1.

        Raises a `DataError` if there is no such fold, or its files cannot be used.
        """
        if not 1 <= number <= self.n_folds:
            has = "1 fold" if self.n_folds == 1 else f"folds 1 to {self.n_folds}"
            refuse(f"{self.name} has {has}; there is no fold {number}")
        return self.load(number - 1)
