"""A Dask DataFrame's partitions as ranking data: blocks of whole queries in the memory of the workers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.data import DataError, RankingData
from core.data.errors import refuse
from core.data.feature_blocks import Block, FeatureBlocks, IntArray
from core.experiments.run.workers.dask_blocks import DaskBlocks
from core.experiments.run.workers.dask_tasks import make_known, new_key, results_of, spread, while_there_is_a_cluster
from core.experiments.run.workers.whole_queries import Division, Piece, divide

if TYPE_CHECKING:
    from distributed import Client, Future


class PartitionBlocks(DaskBlocks):
    """The features of a Dask collection, in blocks of whole queries."""

    def add_to(self, update: Any) -> None:
        """Give a digest of every block to a digest, so that no features travel.

        The fingerprint therefore depends on the blocks, and is not that of the same data in memory.
        """
        for digest in self.over(_digest_of):
            update(digest)

    def taking(self, rows: IntArray) -> PartitionBlocks:
        """Return some rows of each block, ascending; they are copied where the block is."""
        places = np.searchsorted(rows, self.edges)
        blocks, edges = [], [0]
        with while_there_is_a_cluster(self._client):
            for block, start, first, last in zip(self._blocks, self.edges, places[:-1], places[1:], strict=False):
                if first < last:
                    taken = self._client.submit(take_rows, block, rows[first:last] - start, key=new_key("taken"))
                    blocks.append(taken)
                    edges.append(int(last))
        return PartitionBlocks(np.array(edges), self.shape[1], self.dtype.type, self._client, blocks)


class FarFeatures(FeatureBlocks):
    """Stands for features that stay on a cluster, in a model that needs the cluster no more."""

    def apply(self, function: Any, arguments: Any, beside: Any) -> NoReturn:
        """Refuse.

        Raises
        ------
        DataError
            Always.
        """
        refuse("the features that this model was fitted on stay on the Dask cluster; give it data in memory")


@dataclass(frozen=True)
class Moved:
    """What it took to have whole queries in every partition."""

    repartition: str
    # documents, queries: that have moved into another partition; queries of which any document has
    documents: int
    queries: int
    largest_query: str
    largest_documents: int  # the query with the most documents. No partition can be smaller than that.
    empty_partitions: tuple[int, ...]  # counting from 1, as the data was given

    def __str__(self) -> str:
        moved = (
            f"{self.documents:,} documents of {self.queries:,} queries moved into another partition"
            if self.documents
            else "no document moved"
        )
        empty = ", ".join(map(str, self.empty_partitions)) or "none"
        return (
            f"repartition={self.repartition!r}: {moved}; the largest query is {self.largest_query!r} with "
            f"{self.largest_documents:,} documents; empty partitions: {empty}"
        )


def ranking_data_on_dask(X: Any, y: Any, qid: Any, client: Client, repartition: str) -> tuple[RankingData, Moved]:
    """Make ranking data whose features stay on the workers; relevance and queries come here.

    Parameters
    ----------
    X : dask.dataframe.DataFrame
        Features by name. They are float32 where all columns are, float64 otherwise.
    y, qid : dask.dataframe.Series
        Relevance and query, in the partitions of ``X``.
    client : distributed.Client
    repartition : {"boundary", "shuffle", "never"}
        See `core.experiments.run.workers.whole_queries.divide`.

    Raises
    ------
    DataError
        If something else is given, a partition cannot be computed, a value cannot be used or a query must not be cut.
    OSError
        If the cluster has gone or has no workers.
    """
    frames = _frames(X, y, qid)
    names = [str(column) for column in X.columns]
    dtype = np.float32 if all(kind == np.float32 for kind in X.dtypes) else np.float64
    make_known(client)
    with while_there_is_a_cluster(client):
        given: list[Future] = client.compute(frames)
        labels = [
            client.submit(labels_of, frame, number, names, key=new_key("labels"))
            for number, frame in enumerate(given, start=1)
        ]
        found = [_computed(client, future, number) for number, future in enumerate(labels, start=1)]
        codes, query_names = _numbered([queries for _, queries in found])
        division = divide(codes, query_names, repartition)
        arrays = [
            client.submit(features_of, frame, number, names, dtype, key=new_key("features"))
            for number, frame in enumerate(given, start=1)
        ]
        blocks = [
            _block(client, arrays, pieces, order, [len(part) for part in codes])
            for pieces, order in zip(division.pieces, division.orders, strict=True)
        ]
        blocks = spread(client, blocks, division.edges)
    features: Any = PartitionBlocks(division.edges, len(names), dtype, client, blocks)
    data = RankingData(
        features=features,
        relevance=_in_order(division, [relevance for relevance, _ in found]),
        query_offsets=division.offsets,
        query_ids=tuple(query_names),
        feature_names=tuple(names),
    )
    number, most = division.largest
    empty = tuple(number for number, part in enumerate(codes, start=1) if not len(part))
    said = Moved(repartition, division.moved_documents, division.moved_queries, query_names[number], most, empty)
    return data, said


def take_queries_on_dask(data: RankingData, queries: IntArray) -> RankingData:
    """Do as `RankingData.take_queries` for ascending queries; their rows are copied where they are."""
    blocks: Any = data.features
    offsets = data.query_offsets
    sizes = offsets[queries + 1] - offsets[queries]
    taken = np.concatenate([[0], np.cumsum(sizes)])
    rows = np.repeat(offsets[queries] - taken[:-1], sizes) + np.arange(taken[-1])
    features: Any = blocks.taking(rows)
    return RankingData(
        features=features,
        relevance=data.relevance[rows],
        query_offsets=taken,
        query_ids=tuple(data.query_ids[query] for query in queries),
        feature_names=data.feature_names,
    )


def labels_of(frame: pd.DataFrame, number: int, names: list[str]) -> tuple[NDArray[np.int32], NDArray[np.object_]]:
    """What a worker runs to check a partition's relevance and queries, and to send them.

    Raises
    ------
    DataError
        At the first value that cannot be used.
    """
    relevance, queries = frame.iloc[:, len(names)], frame.iloc[:, len(names) + 1]
    _refuse_missing(queries, number, "qid")
    values = _numbers(relevance, number, "y", np.dtype(np.float64))
    wrong = (values < 0) | (values != np.round(values)) | (values > np.iinfo(np.int32).max)
    if wrong.any():
        row = int(wrong.argmax())
        _wrong(f"the relevance is {values[row]:g}; it must be a whole number of 0 or more", number, row, "y")
    return values.astype(np.int32), queries.astype(str).to_numpy(dtype=object)


def features_of(frame: pd.DataFrame, number: int, names: list[str], dtype: type[np.floating]) -> Block:
    """What a worker runs to check a partition's features, and to have them as one array.

    Raises
    ------
    DataError
        At the first value that cannot be used.
    """
    values = np.empty((len(frame), len(names)), dtype=dtype)
    for column, name in enumerate(names):
        values[:, column] = _numbers(frame.iloc[:, column], number, name, np.dtype(dtype))
    return values


def join_pieces(order: IntArray, *pieces: Block) -> Block:
    """What a worker runs to make a block of pieces of partitions."""
    return np.ascontiguousarray(np.concatenate(pieces)[order])


def take_rows(block: Block, rows: IntArray) -> Block:
    """What a worker runs to send rows of a partition to another worker."""
    return block[rows]


def joined(X: pd.DataFrame, y: pd.Series, qid: pd.Series) -> pd.DataFrame:
    """Put the parts of a partition side by side; features first.

    Raises
    ------
    DataError
        If they have not the same number of rows.
    """
    if not len(X) == len(y) == len(qid):
        sizes = f"{len(X):,} rows of X, {len(y):,} of y and {len(qid):,} of qid"
        refuse(f"a partition has {sizes}; take all three from one DataFrame")
    parts = [part.reset_index(drop=True) for part in (X, y, qid)]
    table = pd.concat(parts, axis=1)
    table.columns = pd.RangeIndex(table.shape[1])
    return table


def _frames(X: Any, y: Any, qid: Any) -> list[Any]:
    """Return one Delayed a partition, of features, relevance and query together."""
    import dask.dataframe as dd

    for what, given, kind in (("X", X, dd.DataFrame), ("y", y, dd.Series), ("qid", qid, dd.Series)):
        if not isinstance(given, kind):
            refuse(f"{what} must be a Dask {kind.__name__}, such as a column of the DataFrame, not {_kind(given)}")
    if not X.npartitions == y.npartitions == qid.npartitions:
        refuse(
            f"X has {X.npartitions} partitions, y {y.npartitions} and qid {qid.npartitions}; "
            "take all three from one DataFrame"
        )
    kinds = [*X.dtypes, y.dtype, qid.dtype]
    meta = pd.DataFrame({number: pd.Series(dtype=kind) for number, kind in enumerate(kinds)})
    together: Any = dd.map_partitions
    frames: list[Any] = together(joined, X, y, qid, meta=meta, align_dataframes=False).to_delayed()
    return frames


def _kind(given: object) -> str:
    return "None" if given is None else f"a {type(given).__name__}"


def _computed(client: Client, future: Future, number: int) -> Any:
    """Wait for what a partition's task returns."""
    from distributed import KilledWorker

    try:
        return results_of(client, [future])[0]
    except (DataError, KilledWorker):
        raise
    except Exception as error:
        if future.status != "error":
            raise
        said = str(error).strip().splitlines() or [""]
        msg = f"partition {number} cannot be computed ({type(error).__name__}: {said[0]})"
        raise DataError(msg) from error


def _numbered(queries: list[NDArray[np.object_]]) -> tuple[list[IntArray], list[str]]:
    """Number the queries in the order of their first documents."""
    codes, names = pd.factorize(np.concatenate([np.zeros(0, dtype=object), *queries]))
    ends = np.cumsum([len(part) for part in queries])
    return np.split(codes.astype(np.int64), ends[:-1]), [str(name) for name in names]


def _in_order(division: Division, relevance: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Return the relevance in the order of the new partitions' rows."""
    return np.concatenate(
        [
            np.concatenate([relevance[piece.partition][piece.rows] for piece in pieces])[order]
            for pieces, order in zip(division.pieces, division.orders, strict=True)
        ]
    )


def _block(
    client: Client, arrays: list[Future], pieces: tuple[Piece, ...], order: IntArray, sizes: list[int]
) -> Future:
    """Have a block of pieces of partitions; a partition that stays as it is, is the block."""
    in_order = bool((order == np.arange(len(order))).all())
    if in_order and len(pieces) == 1 and len(order) == sizes[pieces[0].partition]:
        return arrays[pieces[0].partition]
    parts = [client.submit(take_rows, arrays[piece.partition], piece.rows, key=new_key("piece")) for piece in pieces]
    return client.submit(join_pieces, order, *parts, key=new_key("block"))


def _numbers(column: pd.Series, number: int, name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a column's values as finite numbers.

    Raises
    ------
    DataError
        At the first value that is none.
    """
    _refuse_missing(column, number, name)
    if not pd.api.types.is_numeric_dtype(column.dtype):  # Dask makes text of a column of mixed types
        read = pd.to_numeric(column, errors="coerce")
        unread = read.isna().to_numpy()
        if unread.any():
            row = int(unread.argmax())
            _wrong(f"there is {str(column.iloc[row])[:20]!r} where a number is needed", number, row, name)
        column = read
    values = column.to_numpy(dtype=dtype)
    if not np.isfinite(values).all():
        row = int((~np.isfinite(values)).argmax())
        _wrong(f"the value is {values[row]}, which is no finite number", number, row, name)
    return values


def _wrong(reason: str, number: int, row: int, column: str) -> NoReturn:
    """Refuse a value of a partition; its row counts from 0 here."""
    refuse(reason, file=f"partition {number}", row=row + 1, column=column)


def _refuse_missing(column: pd.Series, number: int, name: str) -> None:
    missing = column.isna().to_numpy()
    if missing.any():
        _wrong(
            "the value is missing; fill it in, or leave the row or the column out", number, int(missing.argmax()), name
        )


def _digest_of(block: Block) -> bytes:
    return hashlib.sha256(np.ascontiguousarray(block).data).digest()
