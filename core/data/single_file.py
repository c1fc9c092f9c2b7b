"""One file of any format as a `Dataset`: by its path, or uploaded in the browser.

A folder of part files of a Parquet table counts as one file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from core.data.cache import Kept, recall_with_texts
from core.data.dataset import Dataset
from core.data.division import Division, divided
from core.data.errors import DataError
from core.data.file_content import file_label, foreign_kind, is_workbook, read_head
from core.data.letor.letor_format import read_letor_and_texts, widened
from core.data.naming import convention_of, feature_names_for, names_file_beside, read_feature_names
from core.data.parquet.description import ParquetDescription
from core.data.parquet.parquet_format import read_parquet
from core.data.parquet.parts import is_parquet
from core.data.parquet.table import described_by, first_rows
from core.data.tables.column_roles import ColumnProfile, columns_of, roles_of
from core.data.tables.table_cells import OpenTable
from core.data.tables.table_format import ClassTable, read_table
from core.data.tables.table_options import USUAL, TableOptions
from core.data.tables.table_text import read_text

WHOLE = Division()
_LETOR_LINE = re.compile(rb"^[^#\n]*\sqid:", re.MULTILINE)
_TABLE_SUFFIXES = {".csv", ".tsv"}


def open_file(
    path: Path,
    *,
    name: str | None = None,
    provenance: str | None = None,
    options: TableOptions = USUAL,
    group: bool = False,
    division: Division = WHOLE,
    keep: bool = True,
) -> Dataset:
    """Open a LETOR, CSV or Parquet file as a dataset; all of it is for training unless it is split.

    Parameters
    ----------
    path : Path
    name, provenance : str, optional
        Name and origin of the dataset; by default both follow from the file's name.
    options : TableOptions
        How the columns of a CSV or Parquet file are read, and the class to rank on top where a CSV file has classes.
    group : bool
        Put the documents of a query together if the file has them apart.
    division : Division
        How the documents are divided into folds.
    keep : bool
        Whether the cache on the disk may keep what the file holds.

    Raises
    ------
    DataError
        If the file or an option cannot be used.
    """
    reading = read_file(path, options=options, group=group, keep=keep)
    if not has_columns(path, path.name):
        reading = _named(reading, names_file_beside(path, *_dataset_folder(path)), str(path.absolute()))
    return _dataset(path, reading, path.name, division, name, provenance)


def _dataset_folder(path: Path) -> list[Path]:
    """Return the dataset folder of a fold's or partition's file; nothing for a file on its own."""
    folder = path.absolute().parent
    return [folder.parent] if folder.name == "partitions" or folder.name.lower().startswith("fold") else []


def open_upload(
    content: bytes,
    file_name: str,
    *,
    options: TableOptions = USUAL,
    group: bool = False,
    division: Division = WHOLE,
) -> Dataset:
    """Open an uploaded file as a dataset, as `open_file` does, without the cache on the disk.

    Its name is used for the dataset and in messages.
    """
    reading = read_file(content, name=file_name, options=options, group=group)
    if not has_columns(content, file_name):
        reading = _named(reading, None, file_name)
    return _dataset(content, reading, file_name, division, None, f"Uploaded as {file_name}.")


def _named(reading: Kept, names_file: Path | None, place: str) -> Kept:
    data = reading.data
    if names_file is not None:  # text leaves zeros out, so it may end at a lower number than the names
        data = widened(data, max(data.n_features, len(read_feature_names(names_file))))
    return replace(reading, data=replace(data, feature_names=feature_names_for(data, names_file, place)))


def read_classes(source: Path | bytes, name: str, options: TableOptions = USUAL) -> ClassTable | None:
    """Return the columns of a file with classes; None where its relevance is graded.

    Raises
    ------
    DataError
        If the file cannot be used.
    """
    if not is_table(source, name):
        return None
    table = OpenTable.of(read_text(source, name))
    return ClassTable.of(table, options) if roles_of(table.head, options) is None else None


def read_columns(source: Path | bytes, name: str) -> dict[str, ColumnProfile]:
    """Profile the columns of a CSV or Parquet file, with keys as options name them; empty for other files.

    Raises
    ------
    DataError
        If the file cannot be used.
    """
    if is_parquet(source):
        return columns_of(first_rows(source, name))
    return columns_of(OpenTable.of(read_text(source, name)).head) if is_table(source, name) else {}


def read_file(
    source: Path | bytes,
    *,
    name: str | None = None,
    options: TableOptions = USUAL,
    group: bool = False,
    keep: bool = True,
) -> Kept:
    """Read one file through the cache; its content decides which format it has.

    Parameters
    ----------
    source : Path or bytes
        A file, or content that is in memory only and stays there.
    keep : bool
        Whether the cache may keep what the file holds.

    Raises
    ------
    DataError
        If the file cannot be used.
    """
    label = name or file_label(source)
    if is_parquet(source):  # as fast as the cache
        table = read_parquet(source, name=label, options=options, group=group)
        return Kept(table.data, table.notes, table.described.query_texts)
    if is_table(source, label):
        key = {"reader": "table", **asdict(options), "group": group}

        def read() -> Kept:
            reading = read_table(source, name=label, options=options, group=group)
            return Kept(reading.data, reading.notes)

        return _recalled(source, key, read, keep)
    if replace(options, missing=None) != USUAL:
        what = options.about_columns or "a positive class"
        msg = f"{what} can be chosen only for a CSV file with a class column"
        raise DataError(msg, file=label)
    key = {"reader": "letor", "group": group}

    def read_lines() -> Kept:
        data, texts = read_letor_and_texts(source, name=label, group=group)
        return Kept(data, query_texts=texts)

    return _recalled(source, key, read_lines, keep)


def _recalled(source: Path | bytes, key: Mapping[str, object], read: Callable[[], Kept], keep: bool) -> Kept:
    """Read a file, through the cache if that may keep it; content that is in memory never goes to the disk."""
    return recall_with_texts(source, key, read) if keep and isinstance(source, Path) else read()


def has_columns(source: Path | bytes, file_name: str) -> bool:
    """Whether a file has columns by name or number, as CSV and Parquet have."""
    return is_parquet(source) or is_table(source, file_name)


def is_table(source: Path | bytes, file_name: str) -> bool:
    """Whether a file is a table of text or a workbook; any other goes to the LETOR reader, which says what is wrong."""
    if is_parquet(source):
        return False
    if is_workbook(source):
        return True
    head = read_head(source, file_name)
    if _LETOR_LINE.search(head) or foreign_kind(head):
        return False
    if Path(file_name.lower().removesuffix(".gz")).suffix in _TABLE_SUFFIXES:
        return True
    first_line = head.lstrip().partition(b"\n")[0]
    return b":" not in first_line and any(delimiter in first_line for delimiter in (b",", b";", b"\t"))


def _dataset(
    source: Path | bytes,
    reading: Kept,
    file_name: str,
    division: Division,
    name: str | None,
    provenance: str | None,
) -> Dataset:
    described = described_by(source, file_name) if is_parquet(source) else ParquetDescription()
    came = provenance or f"Read from the file {file_name}."
    convention, why = described.convention, tuple[str, ...]()
    if convention is None:
        place = str(source.absolute()) if isinstance(source, Path) else file_name
        convention, why = convention_of(place, lambda: reading.data)
    dataset = divided(
        reading.data,
        division,
        name=name or Path(file_name.removesuffix(".gz")).stem,
        convention=convention,
        provenance=came if described.provenance in (None, came) else f"{came} {described.provenance}",
        notes=(*reading.notes, *why),
    )
    return replace(dataset, query_texts=reading.query_texts)
