"""The part of a fold that the Data page looks at."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.dataset.dataset_card import DatasetCard
from core.data import Convention, Dataset, Fold, RankingData
from core.data.nouns import Nouns, nouns_of
from core.export.scripts.description import DataDescription
from core.figures.path.tuning import PART_TITLES
from pages.shared import scripts
from pages.shared.choice import access
from pages.shared.choice.choice import Source


@dataclass(frozen=True, eq=False)
class Part:
    """Training, validation or test part, with what has been counted of it.

    It needs no method and no C: there is something to see even where there is nothing to learn.
    """

    source: Source
    fold_number: int
    title: str
    data: RankingData
    card: DatasetCard

    @property
    def name(self) -> str:
        """The part as folds call it."""
        return next(name for name, title in PART_TITLES.items() if title == self.title)

    @property
    def described(self) -> DataDescription:
        """The data as scripts name them."""
        return scripts.data_of(self.source, self.fold_number)

    @property
    def fold(self) -> Fold:
        return access.fold(self.source, self.fold_number)

    @property
    def dataset(self) -> Dataset:
        return access.dataset(self.source)

    @property
    def convention(self) -> Convention:
        return self.dataset.convention

    @property
    def fold_in_words(self) -> str:
        return f"{self.dataset.name}, {self.dataset.fold_names[self.fold_number - 1]}"

    @property
    def where(self) -> str:
        """Dataset, fold and part in words."""
        return f"{self.fold_in_words}, {self.title}"

    @property
    def nouns(self) -> Nouns:
        """The words for what the data holds."""
        return nouns_of(self.data)

    @property
    def flat(self) -> frozenset[int]:
        """Features (from 1) with one value only."""
        return frozenset(self.card.zero_features + self.card.constant_features)

    @property
    def cannot_rank(self) -> frozenset[int]:
        """Features (from 1) that are the same for all documents of a query, for every query."""
        return self.flat | frozenset(self.card.level_features)
