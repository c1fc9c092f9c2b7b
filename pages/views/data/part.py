"""The part of a fold that the Data page looks at."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.dataset.dataset_card import DatasetCard
from core.data import Convention, Dataset, RankingData
from pages.shared.choice import access
from pages.shared.choice.source import Source


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
    def flat(self) -> frozenset[int]:
        """Features (from 1) with one value only."""
        return frozenset(self.card.zero_features + self.card.constant_features)

    @property
    def cannot_rank(self) -> frozenset[int]:
        """Features (from 1) that are the same for all documents of a query, for every query."""
        return self.flat | frozenset(self.card.level_features)
