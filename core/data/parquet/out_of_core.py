"""Parquet data whose features stay on the disk: a file, or a folder with folds, as a `Dataset`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from core.data.catalogue import find_entry
from core.data.dataset import Convention, Dataset, Fold
from core.data.errors import DataError, refuse
from core.data.letor.folders import fold_files, open_folder
from core.data.naming import convention_of
from core.data.parquet.parquet_blocks import Home, read_blocks, scratch_or_table
from core.data.parquet.parquet_format import first_documents
from core.data.parquet.parts import is_parquet
from core.data.parquet.table import ParquetTable, described_by
from core.data.ranking_data import RankingData
from core.data.reading import AS_IT_STANDS, Reading
from core.data.scaling import scale_fold

_POSSIBLE = ("query_column", "relevance_column", "drop_columns", "scale")


def open_out_of_core(
    name_or_path: str, reading: Reading = AS_IT_STANDS, rows: int | None = None, home: Home = scratch_or_table
) -> Dataset:
    """Open Parquet data without its features in memory.

    Parameters
    ----------
    name_or_path : str
        The path of a Parquet file, of a folder of part files, or of a folder with folds of such; or its name in the
        catalogue.
    reading : Reading
        May name the columns of query and relevance, columns to leave out, and a scaling.
    rows, home
        Documents of a block, and where the features stay; see `core.data.parquet.parquet_blocks.read_blocks`. By
        default in a temporary file.

    Raises
    ------
    DataError
        If the data is no Parquet, or is to be read in another way.
    """
    if impossible := [name for name in reading.said() if name not in _POSSIBLE]:
        option = f"--{impossible[0].replace('_', '-')}"
        refuse(f"{option} needs the data in memory and cannot be combined with --out-of-core or --dask")
    entry = find_entry(name_or_path)
    path = entry.path
    if path is None or not (path.is_dir() or is_parquet(path)):
        raise _no_parquet(name_or_path)
    if is_parquet(path):
        data = read_blocks(ParquetTable.of(path, path.name, reading.table), rows, home)
        described = described_by(path, path.name)
        convention = described.convention or _recognised(path)
        whole = scale_fold(Fold("all", data), reading.scale)
        return Dataset(
            name=entry.name,
            fold_names=("all",),
            convention=convention,
            provenance=entry.provenance,
            load=lambda _: whole,
            query_texts=described.query_texts,
        )
    return _folds(path, entry.name, entry.provenance, reading, lambda table: read_blocks(table, rows, home))


def _folds(
    folder: Path, name: str, provenance: str, reading: Reading, read: Callable[[ParquetTable], RankingData]
) -> Dataset:
    layout = fold_files(folder, name=name)
    if not all(is_parquet(path) for files in layout for path in (*files.train, *files.vali, *files.test)):
        raise _no_parquet(name)

    def part(files: Sequence[Path], like: RankingData | None = None) -> RankingData:
        if len(files) > 1:
            msg = "partitions S1, S2, ... are joined in memory; convert the data, which makes one file of each part"
            raise DataError(msg, file=name)
        shown = f"{name}/{files[0].relative_to(folder).as_posix()}"
        return read(ParquetTable.of(files[0], shown, reading.table, None if like is None else like.feature_names))

    @lru_cache(maxsize=1)
    def load(position: int) -> Fold:
        files = layout[position]
        train = part(files.train)
        fold = Fold(files.name, train, part(files.vali, train), part(files.test, train))
        return scale_fold(fold, reading.scale)

    return replace(open_folder(folder, name=name), load=load, notes=(), provenance=provenance)


def _recognised(path: Path) -> Convention:
    return convention_of(str(path.absolute()), lambda: first_documents(path, path.name))[0]


def _no_parquet(name: str) -> DataError:
    return DataError(
        "this is no Parquet; --out-of-core and --dask read a Parquet file or a folder with folds of such, which the "
        "command convert makes",
        file=name,
    )
