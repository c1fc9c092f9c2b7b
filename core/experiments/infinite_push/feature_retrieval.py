"""Precision and recall of a model's features, where the relevant features are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class FeatureRetrieval:
    """Precision and recall of the selected features (Rakotomamonjy 2012, Fig. 2).

    Attributes
    ----------
    precision : float
        Share of the retrieved features that are relevant; 0 where none is retrieved.
    recall : float
        Share of the relevant features that are retrieved.
    """

    precision: float
    recall: float

    @classmethod
    def of(cls, retrieved: Iterable[int], relevant: Iterable[int]) -> FeatureRetrieval:
        """Compare sets of columns.

        Raises
        ------
        ValueError
            If no feature is relevant.
        """
        found, wanted = set(retrieved), set(relevant)
        if not wanted:
            msg = "recall needs at least one relevant feature"
            raise ValueError(msg)
        hits = len(found & wanted)
        return cls(hits / len(found) if found else 0.0, hits / len(wanted))

    @property
    def f_measure(self) -> float:
        """Harmonic mean of precision and recall; 0 where both are."""
        total = self.precision + self.recall
        return 2.0 * self.precision * self.recall / total if total > 0.0 else 0.0
