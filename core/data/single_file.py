"""One file as a `Dataset`, whatever its format: from a path, or uploaded in the browser."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from core.data.cache import recall
from core.data.class_column import ClassColumn
from core.data.dataset import Convention, Dataset
from core.data.division import Division, divided
from core.data.errors import DataError
from core.data.file_content import file_label, foreign_kind, read_head
from core.data.fold_files import has_letor3_name
from core.data.letor_format import read_letor
from core.data.naming import feature_names_for, names_file_beside, recognise
from core.data.ranking_data import RankingData
from core.data.table_format import read_class_column, read_table

WHOLE = Division()
_LETOR_LINE = re.compile(rb"^[^#\n]*\sqid:", re.MULTILINE)
_TABLE_SUFFIXES = {".csv", ".tsv"}


def open_file(
    path: Path,
    *,
    name: str | None = None,
    provenance: str | None = None,
    positive: str | None = None,
    group: bool = False,
    division: Division = WHOLE,
) -> Dataset:
    """A LETOR or CSV file as a dataset: all of it for training, unless it is split.

    Parameters
    ----------
    path : Path
    name, provenance : str, optional
        What the dataset is called and where it is from; by default told from the file's name.
    positive : str, optional
        For a CSV file with a class column: the class to rank on top.
    group : bool
        Put the documents of a query together where they are apart.
    division : Division
        How it becomes folds.

    Raises
    ------
    DataError
        If the file or an option cannot be used.
    """
    data = read_file(path, positive=positive, group=group)
    if not _is_table(path, path.name):
        data = replace(data, feature_names=feature_names_for(data, names_file_beside(path, *_dataset_folder(path))))
    return _dataset(data, path.name, division, name, provenance)


def _dataset_folder(path: Path) -> list[Path]:
    """The folder of the dataset that a fold's or partition's file belongs to; empty for a file on its own."""
    folder = path.absolute().parent
    return [folder.parent] if folder.name == "partitions" or folder.name.lower().startswith("fold") else []


def open_upload(
    content: bytes,
    file_name: str,
    *,
    positive: str | None = None,
    scale: str = "none",
    split: float | None = None,
    seed: int = 0,
    repeats: int | None = None,
    group: bool = False,
) -> Dataset:
    """The same for a file that came as bytes, with the options of `core.data.catalogue.open_dataset`.

    Its name is for messages and the dataset's name.
    """
    division = Division(split, seed, repeats, scale)
    data = read_file(content, name=file_name, positive=positive, group=group)
    if not _is_table(content, file_name):
        data = replace(data, feature_names=feature_names_for(data, None))
    return _dataset(data, file_name, division, None, f"Uploaded as {file_name}.")


def read_classes(source: Path | bytes, name: str) -> ClassColumn | None:
    """The classes that a file has in its last column; None where its relevance is graded.

    Raises
    ------
    DataError
        If the file cannot be used.
    """
    return read_class_column(source, name=name) if _is_table(source, name) else None


def read_file(
    source: Path | bytes, *, name: str | None = None, positive: str | None = None, group: bool = False
) -> RankingData:
    """Read one file in the format that its content shows, through the cache.

    Raises
    ------
    DataError
        If it cannot be used.
    """
    label = name or file_label(source)
    if _is_table(source, label):
        options = {"reader": "table", "positive": positive, "group": group}
        return recall(source, options, lambda: read_table(source, name=label, positive=positive, group=group))
    if positive is not None:
        msg = "a positive class can be chosen for a CSV file with a class column only"
        raise DataError(msg, file=label)
    options = {"reader": "letor", "group": group}
    return recall(source, options, lambda: read_letor(source, name=label, group=group))


def convention_of(data: RankingData, file_name: str) -> Convention:
    """How a file's metrics are counted: as LETOR 3.0 or 4.0 where its name or content says so."""
    if has_letor3_name(Path(file_name)):
        return "letor3"
    known = recognise(data)
    return "standard" if known is None else known.convention


def _is_table(source: Path | bytes, file_name: str) -> bool:
    """Whether to read it as CSV; a file that is neither goes to the LETOR reader, which says why."""
    head = read_head(source, file_name)
    if _LETOR_LINE.search(head) or foreign_kind(head):
        return False
    if Path(file_name.lower().removesuffix(".gz")).suffix in _TABLE_SUFFIXES:
        return True
    first_line = head.lstrip().partition(b"\n")[0]
    return b":" not in first_line and any(delimiter in first_line for delimiter in (b",", b";", b"\t"))


def _dataset(
    data: RankingData, file_name: str, division: Division, name: str | None, provenance: str | None
) -> Dataset:
    return divided(
        data,
        division,
        name=name or Path(file_name.removesuffix(".gz")).stem,
        convention=convention_of(data, file_name),
        provenance=provenance or f"Read from the file {file_name}.",
    )
