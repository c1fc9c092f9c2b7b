"""Reader of Parquet tables: one column of relevance, one of query, features by name; one file or many parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from threading import get_ident

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.data.cache import Kept
from core.data.errors import refuse
from core.data.letor.query_groups import assemble, refuse_apart
from core.data.packed import AnyPath
from core.data.parquet._rows_kernel import COLUMNS
from core.data.parquet.table import ParquetPart, ParquetTable, reading
from core.data.parquet.values import LabelRows, feature_columns, feature_rows, label_rows
from core.data.ranking_data import RankingData
from core.data.tables.table_format import role_note
from core.data.tables.table_options import USUAL, TableOptions
from core.names.counted import counted
from core.threads import over_chunks

_VALUES_AT_ONCE = 1 << 19
"""Feature values, about, that one thread decodes at a time: 4 MB in double precision, whose memory it uses again."""


def read_parquet(
    source: AnyPath | bytes,
    *,
    name: str,
    options: TableOptions = USUAL,
    group: bool = False,
    features: Sequence[str] | None = None,
) -> Kept:
    """Read a Parquet file, its content, or a folder of part files.

    Features are float64; they are float32 where every feature column of the file is of single precision.

    Parameters
    ----------
    source, name, options, features
        As for `ParquetTable.of`.
    group : bool
        Put the documents of a query together if the file has them apart.

    Raises
    ------
    DataError
        At the first error, with file, row and column. There is no partial result.
    UngroupedQueriesError
        If the documents of a query are apart and ``group`` is False.
    """
    table = ParquetTable.of(source, name, options, features)
    columns = table.columns
    values = np.empty((table.n_rows, len(columns.features)), dtype=table.dtype)
    labels = Labels(table)
    _row_groups_into(values, table, labels)
    if not group:
        labels.refuse_apart()
    relevance, documents, run_ids, run_starts = labels.relevance, labels.documents, labels.ids, labels.starts
    judged = relevance >= 0
    unjudged = len(judged) - int(judged.sum())
    if unjudged:
        if unjudged == len(judged):
            refuse("no row has a relevance; choose another column", file=name, column=columns.relevance)
        of = np.repeat(np.arange(len(run_ids)), np.diff([*run_starts, table.n_rows]))[judged]
        values, relevance = values[judged], relevance[judged]
        documents = None if documents is None else list(compress(documents, judged))
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        run_ids, run_starts = [run_ids[run] for run in of[starts].tolist()], starts.tolist()
    data = assemble(
        values,
        relevance,
        run_ids,
        np.array(run_starts, dtype=np.int64),
        document_ids=documents,
        feature_names=columns.features,
        group=group,
        file=name,
        line_of_document=lambda row: row + 1,
    )
    told = role_note(f"column {columns.query!r}", f"column {columns.relevance!r}", data) if columns.told else None
    gone = f"The reader leaves out {counted(unjudged, 'row')} without relevance." if unjudged else None
    notes = tuple(note for note in (told, *columns.notes, gone) if note)
    return Kept(data, notes, table.described.query_texts, table.described)


def first_documents(source: AnyPath | bytes, name: str, most: int = 100) -> RankingData:
    """Read the first documents of a table as one list: enough to recognise a published set.

    Raises a `DataError` if the table cannot be used.
    """
    table = ParquetTable.of(source, name)
    part = next(part for part in table.parts if part.file.metadata.num_rows)
    with reading(part.name):
        columns = [*part.columns.texts, *part.columns.features]
        batch = next(part.file.iter_batches(batch_size=most, columns=columns))
    read = pa.Table.from_batches([batch])
    labels = label_rows(read, part, 0)
    return RankingData.build(
        feature_columns(read, part, table.dtype, 0).T,
        labels.relevance,
        [0, len(labels.relevance)],
        feature_names=part.columns.features,
        document_ids=labels.document_ids,
        dtype=table.dtype,
    )


class Labels:
    """Relevance, runs of equal query ids and documents of all rows; a run that is cut by the end of a block is one.

    Parameters
    ----------
    table : ParquetTable
    """

    def __init__(self, table: ParquetTable) -> None:
        self.table = table
        self.relevance: NDArray[np.int32] = np.empty(table.n_rows, dtype=np.int32)
        self.ids: list[str] = []
        self.starts: list[int] = []
        self.documents: list[str] | None = None if table.columns.document is None else []

    def add(self, rows: LabelRows, first: int) -> None:
        """Add the next rows, of which the number ``first`` is the first."""
        self.relevance[first : first + len(rows.relevance)] = rows.relevance
        goes_on = bool(self.ids) and bool(rows.run_ids) and rows.run_ids[0] == self.ids[-1]
        self.ids += rows.run_ids[goes_on:]
        self.starts += (rows.run_starts[goes_on:] + first).tolist()
        if self.documents is not None:
            self.documents += rows.document_ids or []

    def refuse_apart(self) -> None:
        """Refuse a query whose documents are apart, with the places; see `query_groups.refuse_apart`."""
        refuse_apart(self.ids, self.starts, self.table.place, "row", self.table.columns.query)


def _row_groups_into(values: NDArray[np.floating], table: ParquetTable, labels: Labels) -> None:
    """Read the features of all row groups into ``values``, and what else they have into ``labels``.

    A task is some columns of a row group, the first ones with its labels: threads share one group as well as many, and
    memory holds a few columns of one group a thread beside the values.
    """
    tasks: list[tuple[ParquetPart, int, int, int, int]] = []
    n_features, row = values.shape[1], 0
    for part in table.parts:
        for group in range(part.file.metadata.num_row_groups):
            end = row + part.file.metadata.row_group(group).num_rows
            width = max(_VALUES_AT_ONCE // max(end - row, 1) // COLUMNS, 1) * COLUMNS
            tasks += [(part, group, row, feature, width) for feature in range(0, n_features, width)]
            row = end
    opened: dict[int, tuple[ParquetPart, pq.ParquetFile]] = {}

    def one(position: int, _: int) -> LabelRows | None:
        part, group, first, feature, width = tasks[position]
        before, end = first - part.first_row, min(feature + width, n_features)
        names = [*(() if feature else part.columns.texts), *part.columns.features[feature:end]]
        mine = opened.get(get_ident())
        if mine is None or mine[0] is not part:  # each thread opens it for itself
            mine = opened[get_ident()] = part, part.opened_again()
        with reading(part.name):
            read = mine[1].read_row_group(group, columns=names, use_threads=False)
        found = None if feature else label_rows(read, part, before)
        feature_rows(read, part, values[first : first + read.num_rows], feature, end, before)
        return found

    small = values.size <= _VALUES_AT_ONCE
    rows = over_chunks(one, [(position, position + 1) for position in range(len(tasks))], small=small)
    for found, (_, _, first, *_) in zip(rows, tasks, strict=True):
        if found is not None:
            labels.add(found, first)
