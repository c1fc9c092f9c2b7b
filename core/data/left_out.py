"""Features left out of data that has numbers for them rather than columns: they count as 0 everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.data.dataset import Dataset, Fold
from core.data.errors import refuse
from core.data.ranking_data import RankingData


def without_features(dataset: Dataset, wanted: Sequence[str]) -> Dataset:
    """Return the dataset with some features 0 in every document, so that no model keeps them and no other moves.

    The numbers of the other features stay those of the files, which formats such as RankLib's name them by.

    Parameters
    ----------
    dataset : Dataset
    wanted : sequence of str
        Features by name, or by number counting from 1.

    Raises
    ------
    DataError
        If there is no such feature.
    """
    if not wanted:
        return dataset
    names = dataset.fold(1).train.feature_names
    columns = sorted({_column(feature, names, dataset.name) for feature in wanted})

    def load(position: int) -> Fold:
        fold = dataset.load(position)
        parts = {name: zeroed(data, columns) for name, data in fold.parts().items()}
        return replace(fold, train=parts["train"], vali=parts.get("vali"), test=parts.get("test"))

    said = ", ".join(f"{names[j]} (number {j + 1})" for j in columns)
    note = f"Left out (0 in every document, so that the other features keep their numbers): {said}."
    return replace(dataset, load=load, notes=(*dataset.notes, note))


def _column(wanted: str, names: Sequence[str], where: str) -> int:
    if wanted in names:
        return list(names).index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    refuse(f"{where} has no feature {wanted!r}; give a name, or a number from 1 to {len(names)}")


def zeroed(data: RankingData, columns: Sequence[int]) -> RankingData:
    """Return the data with these columns 0 in every document."""
    if not columns:
        return data
    features = data.features.copy()
    features[:, list(columns)] = 0
    return replace(data, features=features)
