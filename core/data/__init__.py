"""Ranking data: its shape, readers, writers, cache, scaling and catalogue."""

from core.data.dataset import Convention, Dataset, Fold
from core.data.errors import DataError, UngroupedQueriesError
from core.data.ranking_data import RankingData

__all__ = ["Convention", "DataError", "Dataset", "Fold", "RankingData", "UngroupedQueriesError"]
