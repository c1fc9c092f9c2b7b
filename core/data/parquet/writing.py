"""Writer of Parquet files whose row groups end where queries end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.data.dataset import Dataset
from core.data.errors import refuse
from core.data.feature_blocks import block_edges
from core.data.files.disk import usual_mode, whole_file
from core.data.letor.folders import FILE_NAME
from core.data.parquet.parts import ENDING, ParquetDescription
from core.data.ranking_data import RankingData

GROUP_VALUES = 1 << 22
"""Feature values at which a row group is closed: 32 MB in double precision."""
_ROWS_TO_JUDGE = 4096
_ROLES = (("relevance", "label"), ("qid", "query"), ("docid", "document"))


def write_parquet(
    data: RankingData, file: BinaryIO, described: ParquetDescription, *, group_values: int = GROUP_VALUES
) -> None:
    """Write a Parquet file; reading it gives the same data, bit for bit.

    A row group ends at the end of a query, so that it can be used without its neighbours; the last query may exceed its
    number of feature values. The names of the columns are filled into what the file says about the dataset. Raises a
    `DataError` if two features have the same name, or one has none.
    """
    names = list(data.feature_names)
    if len(set(names)) < len(names) or not all(names):
        refuse("two features have the same name, or one has none; a Parquet file needs different names")
    relevance, query, document = (_free(spellings, names) for spellings in _ROLES)
    with_documents = data.document_ids is not None
    described = replace(described, relevance=relevance, query=query, document=document if with_documents else None)
    number = pa.float32() if data.features.dtype == np.float32 else pa.float64()
    fields = [pa.field(relevance, pa.int32(), nullable=False), pa.field(query, pa.string(), nullable=False)]
    fields += [pa.field(document, pa.string(), nullable=False)] if with_documents else []
    fields += [pa.field(name, number, nullable=False) for name in names]
    schema = pa.schema(fields, metadata=described.metadata())
    coded = [relevance, query, *_repeating(data)]  # the others are faster to read, and smaller, as they are
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=coded) as writer:
        edges = block_edges(data.query_offsets, max(group_values // data.n_features, 1))
        for first, last in pairwise(edges.tolist()):
            writer.write_table(_table(data, first, last, schema), row_group_size=last - first)


def _repeating(data: RankingData) -> list[str]:
    """Return the features of which the first documents have few different values."""
    first = data.features[:_ROWS_TO_JUDGE]
    most = len(first) // 4
    return [name for name, column in zip(data.feature_names, first.T, strict=True) if len(np.unique(column)) <= most]


def _table(data: RankingData, first: int, last: int, schema: pa.Schema) -> pa.Table:
    queries = data.query_of_document[first:last]
    texts = pa.array(data.query_ids[queries[0] : queries[-1] + 1], pa.string())
    columns = [
        pa.array(data.relevance[first:last]),
        texts.take(pa.array(queries - queries[0])),
        *([] if data.document_ids is None else [pa.array(data.document_ids[first:last], pa.string())]),
        *(pa.array(np.ascontiguousarray(column)) for column in data.features[first:last].T),
    ]
    return pa.table(columns, schema=schema)


def _free(spellings: Sequence[str], names: Sequence[str]) -> str:
    """Return the first of the spellings that no feature has, in any case; with more underscores where all are taken."""
    taken = {name.lower() for name in names}
    spelling = next((spelling for spelling in spellings if spelling not in taken), spellings[0])
    while spelling in taken:
        spelling += "_"
    return spelling


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
    ``Fold1/train.parquet`` and so on, with the description of the dataset beside the folds. The features become float64
    or float32; by default they stay as they are. Raises a `DataError` if the data cannot be read, cannot be held by a
    Parquet file, or a value is too large for the type; an `OSError` if the place cannot be written.
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
