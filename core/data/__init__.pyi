from .catalogue import CatalogueEntry
from .dataset import Convention, Dataset, Fold
from .errors import (
    DataError,
    MissingValuesError,
    NoNumbersError,
    UndecidedClassError,
    UndecidedColumnError,
    UndecidedRolesError,
    UngroupedQueriesError,
)
from .letor.letor_format import read_letor
from .ranking_data import RankingData
from .reading import Reading, open_dataset
from .scaling import SCALINGS, Scaling, scale_fold

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
