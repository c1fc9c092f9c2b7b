"""A dataset written as Parquet: one file of one set of documents, the same folds of a dataset with folds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.data.dataset import Dataset
from core.data.description import FILE_NAME
from core.data.parquet.description import ParquetDescription
from core.data.parquet.parts import ENDING
from core.data.parquet.writing import write_parquet
from core.data.ranking_data import RankingData
from core.data.whole_file import usual_mode, whole_file

_TEXTS = ("query_texts", "document_names")


def converted(
    dataset: Dataset,
    place: Path,
    *,
    title: str = "",
    licence: str | None = None,
    dtype: type[np.floating] | None = None,
) -> Iterator[Path]:
    """Write a dataset as Parquet; yield each file once it is written.

    A dataset of one set of documents is written to the file ``place``; any other one to the folder ``place``, as
    ``Fold1/train.parquet`` and so on, with the description of the dataset beside the folds.

    Parameters
    ----------
    dataset : Dataset
    place : Path
    title : str
        Of the dataset, for people.
    licence : str, optional
    dtype : type, optional
        float64 or float32 for the features; by default as they are.

    Raises
    ------
    DataError
        If the data cannot be read, cannot be held by a Parquet file, or a value is too large for the type.
    OSError
        If the place cannot be written.
    """
    described = ParquetDescription(
        name=dataset.name, provenance=dataset.provenance, licence=licence, convention=dataset.convention
    )
    if is_one_file(dataset):
        data = _as(dataset.fold(1).train, dtype)
        with whole_file(place, usual_mode()) as file:
            write_parquet(data, file, replace(described, query_texts=dict(dataset.query_texts)))
        yield place
        return
    yield from _description(dataset, place, title or dataset.name, licence)
    for number in range(1, dataset.n_folds + 1):
        for part, data in dataset.fold(number).parts().items():
            path = place / f"Fold{number}" / f"{part}{ENDING}"
            with whole_file(path, usual_mode()) as file:
                write_parquet(_as(data, dtype), file, described)
            yield path


def is_one_file(dataset: Dataset) -> bool:
    """Whether a dataset is one set of documents, and so becomes one file."""
    return dataset.n_folds == 1 and len(dataset.fold(1).parts()) == 1


def _as(data: RankingData, dtype: type[np.floating] | None) -> RankingData:
    return data if dtype is None or data.features.dtype == dtype else data.with_features(data.features, dtype=dtype)


def _description(dataset: Dataset, place: Path, title: str, licence: str | None) -> Iterator[Path]:
    """Write the description of a dataset with folds, and its texts, as `read_description` reads them."""
    told = {"name": dataset.name, "title": title, "provenance": dataset.provenance, "convention": dataset.convention}
    told |= {} if licence is None else {"licence": licence}
    contents: dict[str, str] = {}
    for kind in _TEXTS:
        texts: Mapping[str, str] = getattr(dataset, kind)
        if texts:
            told[kind] = f"{kind}.txt"
            contents[told[kind]] = "".join(f"{key}\t{' '.join(text.split())}\n" for key, text in texts.items())
    contents[FILE_NAME] = json.dumps(told, ensure_ascii=False, indent=1)
    for name, content in contents.items():
        with whole_file(place / name, usual_mode()) as file:
            file.write(content.encode())
        yield place / name
