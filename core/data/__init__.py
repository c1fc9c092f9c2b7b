"""Ranking data: its shape, readers, cache, scaling and catalogue."""

from core.data.catalogue import CatalogueEntry
from core.data.dataset import Convention, Dataset, Fold
from core.data.errors import (
    DataError,
    MissingValuesError,
    NoNumbersError,
    UndecidedClassError,
    UndecidedColumnError,
    UndecidedRolesError,
    UngroupedQueriesError,
)
from core.data.letor.letor_format import read_letor
from core.data.ranking_data import RankingData
from core.data.reading import Reading, open_dataset
from core.data.scaling import SCALINGS, Scaling, scale_fold

__all__ = [
    "SCALINGS",
    "CatalogueEntry",
    "Convention",
    "DataError",
    "Dataset",
    "Fold",
    "MissingValuesError",
    "NoNumbersError",
    "RankingData",
    "Reading",
    "Scaling",
    "UndecidedClassError",
    "UndecidedColumnError",
    "UndecidedRolesError",
    "UngroupedQueriesError",
    "open_dataset",
    "read_letor",
    "scale_fold",
]
