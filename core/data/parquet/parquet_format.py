"""Reader of Parquet tables: one column of relevance, one of query, features by name; one file or many parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress
from threading import get_ident

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.data.cache import Kept
from core.data.errors import DataError, UngroupedQueriesError
from core.data.letor.query_groups import assemble
from core.data.parquet._rows_kernel import COLUMNS
from core.data.parquet.table import ParquetPart, ParquetTable, reading
from core.data.parquet.values import LabelRows, feature_columns, feature_rows, label_rows
from core.data.ranking_data import IntArray, RankingData
from core.data.tables.table_format import role_note
from core.data.tables.table_options import USUAL, TableOptions
from core.data.zipped import AnyPath
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
    relevance = np.empty(table.n_rows, dtype=np.int32)
    runs = Runs()
    documents: list[str] | None = None if columns.document is None else []
    for labels, first, last in _row_groups_into(values, table):
        relevance[first:last] = labels.relevance
        runs.add(labels.run_ids, labels.run_starts + first)
        if documents is not None:
            documents += labels.document_ids or []
    if not group:
        runs.refuse_apart(table)
    judged = relevance >= 0
    unjudged = len(judged) - int(judged.sum())
    if unjudged:
        if unjudged == len(judged):
            msg = "no row has a relevance; choose another column"
            raise DataError(msg, file=name, column=columns.relevance)
        of = np.repeat(np.arange(len(runs.ids)), np.diff([*runs.starts, table.n_rows]))[judged]
        values, relevance = values[judged], relevance[judged]
        documents = None if documents is None else list(compress(documents, judged))
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        runs = Runs([runs.ids[run] for run in of[starts].tolist()], starts.tolist())
    data = assemble(
        values,
        relevance,
        runs.ids,
        np.array(runs.starts, dtype=np.int64),
        document_ids=documents,
        feature_names=columns.features,
        group=group,
        file=name,
        line_of_document=lambda row: row + 1,
    )
    told = role_note(f"column {columns.query!r}", f"column {columns.relevance!r}", data) if columns.told else None
    gone = f"{unjudged:,} rows without relevance are left out." if unjudged else None
    notes = tuple(note for note in (told, *columns.notes, gone) if note)
    return Kept(data, notes, table.described.query_texts, table.described)


def first_documents(source: AnyPath | bytes, name: str, most: int = 100) -> RankingData:
    """Read the first documents of a table as one list: enough to recognise a published set.

    Raises
    ------
    DataError
        If the table cannot be used.
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


@dataclass
class Runs:
    """Runs of consecutive documents with the same query id; one that is cut by the end of a block is one run."""

    ids: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def add(self, ids: Sequence[str], starts: IntArray) -> None:
        """Add the runs of the next block."""
        goes_on = bool(self.ids) and bool(ids) and ids[0] == self.ids[-1]
        self.ids += ids[goes_on:]
        self.starts += starts[goes_on:].tolist()

    def refuse_apart(self, table: ParquetTable) -> None:
        """Refuse a query whose documents are apart.

        Raises
        ------
        UngroupedQueriesError
            With the places.
        """
        if len(set(self.ids)) == len(self.ids):
            return
        seen: dict[str, int] = {}
        for run, query in enumerate(self.ids):
            if query in seen:
                file, row = table.place(self.starts[run])
                before, ended = table.place(self.starts[seen[query] + 1] - 1)
                where = f"row {ended}" if before == file else f"row {ended} of {before}"
                reason = (
                    f"the documents of query {query} are not consecutive: the query ended in {where} and appears again "
                    "here; they can be brought together when reading"
                )
                raise UngroupedQueriesError(reason, file=file, row=row, column=table.columns.query)
            seen[query] = run


def _row_groups_into(values: NDArray[np.floating], table: ParquetTable) -> list[tuple[LabelRows, int, int]]:
    """Read the features of all row groups into ``values``; return what else they have, with first row and end.

    A task is some columns of a row group: threads share one group as well as many, and memory holds a few columns of
    one group a thread beside the values.
    """
    tasks: list[_Task] = []
    row = 0
    for part in table.parts:
        for number in range(part.file.metadata.num_row_groups):
            end = row + part.file.metadata.row_group(number).num_rows
            tasks += _tasks(part, number, row, end)
            row = end
    opened: dict[int, tuple[ParquetPart, pq.ParquetFile]] = {}

    def file_of(part: ParquetPart) -> pq.ParquetFile:
        """Return the part's file as this thread has opened it."""
        mine = opened.get(get_ident())
        if mine is None or mine[0] is not part:
            mine = opened[get_ident()] = part, part.opened_again()
        return mine[1]

    def one(position: int, _: int) -> LabelRows | None:
        task = tasks[position]
        part, before = task.part, task.first - task.part.first_row
        names = [
            *(part.columns.texts if task.feature == 0 else ()),
            *part.columns.features[task.feature : task.end_feature],
        ]
        with reading(part.name):
            read = file_of(part).read_row_group(task.group, columns=names, use_threads=False)
        labels = label_rows(read, part, before) if task.feature == 0 else None
        feature_rows(read, part, values[task.first : task.end], task.feature, task.end_feature, before)
        return labels

    small = values.size <= _VALUES_AT_ONCE
    found = over_chunks(one, [(position, position + 1) for position in range(len(tasks))], small=small)
    return [(labels, task.first, task.end) for labels, task in zip(found, tasks, strict=True) if labels is not None]


@dataclass(frozen=True)
class _Task:
    """Features ``feature:end_feature`` of the documents ``first:end``, a row group; with the first one also labels."""

    part: ParquetPart
    group: int
    first: int
    end: int
    feature: int
    end_feature: int


def _tasks(part: ParquetPart, group: int, first: int, end: int) -> Iterator[_Task]:
    n_features = len(part.columns.features)
    width = max(_VALUES_AT_ONCE // max(end - first, 1) // COLUMNS, 1) * COLUMNS
    for feature in range(0, n_features, width):
        yield _Task(part, group, first, end, feature, min(feature + width, n_features))
