"""The real data that benchmarks run on: a person's own copy of MQ2008 if there is one, else the sample data."""

from __future__ import annotations

from core.data import Dataset, RankingData, open_dataset
from core.data.catalogue import READY, catalogue

LICENSED = "MQ2008"
SAMPLE = "python-docs"


def licensed_sets() -> list[str]:
    """The names of those that are at hand only where somebody has put them."""
    return [entry.name for entry in catalogue() if entry.state == READY and entry.name == LICENSED]


def ranking_dataset() -> Dataset:
    """The first one at hand, MQ2008 before the sample."""
    return open_dataset((*licensed_sets(), SAMPLE)[0])


def size_of(data: RankingData) -> str:
    """Documents, features and pairs in words."""
    return f"{data.n_documents:,} documents x {data.n_features} features, {data.n_pairs:,} pairs"
