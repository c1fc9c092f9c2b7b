"""A folder with folds as a `Dataset`, and its description: Fold1 to Fold5, LETOR 3.0's names, or partitions.

A part is a text file, a Parquet file, or a folder of part files of one. Files are read when their fold is requested.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, get_args

import numpy as np

from core.data.dataset import Convention, Dataset, Fold, LastFolds
from core.data.errors import DataError, refuse
from core.data.files.cache import Kept, recall
from core.data.files.file_content import (
    AnyPath,
    Archive,
    PathT,
    ZippedPath,
    content_of,
    read_content,
    read_head,
    read_json_file,
)
from core.data.letor.letor_format import read_letor, widened
from core.data.naming import PART_NAMES, convention_of, feature_names_for, is_letor3_name, names_file_beside
from core.data.parquet.parts import ENDING, is_parquet
from core.data.ranking_data import RankingData

FILE_NAME = "dataset.json"


@dataclass(frozen=True)
class Description:
    """The keys of ``dataset.json`` that the program reads; other keys are ignored.

    ``query_texts`` and ``document_names`` name files in the same folder with ``id<TAB>text`` lines.
    """

    name: str
    title: str
    provenance: str
    licence: str | None = None
    convention: Convention | None = None
    query_texts: str | None = None
    document_names: str | None = None


def read_description(folder: AnyPath) -> Description:
    """Read a folder's description; a folder without ``dataset.json`` is described by its name.

    Raises a `DataError` if that is not a JSON object of strings, or names an unknown convention.
    """
    path = folder / FILE_NAME
    shown = f"{folder.name}/{FILE_NAME}"
    called = Path(os.path.abspath(folder)).name if isinstance(folder, Path) else folder.name
    known = read_json_file(content_of(path), _known_keys, name=shown) if path.is_file() else {}
    name = known.get("name", called)
    return Description(**{"name": name, "title": name, "provenance": f"Read from the folder {name}.", **known})


def _known_keys(told: Any) -> dict[str, Any]:
    """Return the keys that the program reads; raise a `DataError` if one of them cannot be used."""
    if not isinstance(told, dict):
        refuse("the file must be a JSON object with name, title and provenance")
    known = {key: told[key] for key in Description.__dataclass_fields__ if told.get(key) is not None}
    for key, value in known.items():
        if not isinstance(value, str):
            refuse(f"{key!r} must be a string")
    if known.get("convention") not in (None, *get_args(Convention)):
        refuse(f"the convention {known['convention']!r} is not one of {', '.join(get_args(Convention))}")
    return known


def read_texts(folder: AnyPath, file_name: str | None) -> dict[str, str]:
    """Read a file of ``id<TAB>text`` lines in the folder into a mapping by id; empty where no file is named.

    Raises a `DataError` if the file is missing or a line has no tab.
    """
    if file_name is None:
        return {}
    shown = f"{folder.name}/{file_name}"
    text = read_content(content_of(folder / file_name), shown).decode("utf-8", errors="replace")
    texts = {}
    for line, content in enumerate(text.rstrip("\r\n").split("\n"), 1):
        key, tab, value = content.rstrip("\r").partition("\t")
        if not tab:
            refuse("a tab between id and text is missing", file=shown, line=line)
        texts[key] = value
    return texts


_ENDINGS = (".txt", ".txt.gz", ENDING)
_FOLD = re.compile(r"fold[ _-]?([0-9]{1,9})", re.IGNORECASE)
_PARTITION = re.compile(r"s([0-9]{1,9})\.(txt(\.gz)?|parquet)", re.IGNORECASE)


@dataclass(frozen=True)
class FoldFiles(Generic[PathT]):
    """The files of one fold. Several files of a part are read one after the other."""

    name: str
    train: tuple[PathT, ...]
    vali: tuple[PathT, ...]
    test: tuple[PathT, ...]


def dataset_folders(folder: PathT, depth: int = 3) -> Iterator[PathT]:
    """Find the folders that are laid out as datasets, complete or not, so many folders down.

    Folders inside a dataset are not searched.
    """
    try:
        if _numbered(folder, _FOLD) or _part_file(folder, "train") or _partitions(folder):
            yield folder
            return
        children = sorted((child for child in folder.iterdir() if child.is_dir()), key=lambda child: child.name)
    except OSError:
        # A folder that may not be looked into has nothing to offer.
        return
    if depth > 0:
        for child in children:
            yield from dataset_folders(child, depth - 1)


def fold_files(folder: PathT, *, name: str) -> tuple[FoldFiles[PathT], ...]:
    """Find the files of all folds of a folder, whose name stands in messages.

    There are three layouts: subfolders ``Fold1``, ``Fold2``, ... with train, vali and test files; these files in the
    folder itself; or ``partitions/S1..Sn``, rotated as in LETOR: fold k starts at S_k, trains on all partitions but
    two, validates on the next one and tests on the last. Raises a `DataError` if it is none, or a part is missing.
    """
    if not folder.is_dir():
        refuse("there is no such folder", file=name)
    fold_folders = _numbered(folder, _FOLD)
    if fold_folders:
        return tuple(_three_parts(fold, f"{name}/{fold.name}") for fold in fold_folders)
    if _part_file(folder, "train"):
        return (replace(_three_parts(folder, name), name="Fold1"),)
    partitions = _partitions(folder)
    if partitions:
        return _rotated(partitions, name)
    msg = "this folder has no data: it needs Fold1, Fold2, ... or train.txt, vali.txt and test.txt (or .parquet)"
    raise DataError(msg, file=name)


def _numbered(folder: PathT, pattern: re.Pattern[str]) -> list[PathT]:
    """Return the children whose names match the pattern, sorted by the number in their name."""
    found = [(pattern.fullmatch(child.name), child) for child in folder.iterdir()]
    numbered = [(int(match[1]), child.name, child) for match, child in found if match]
    return [child for _, _, child in sorted(numbered, key=lambda found: found[:2])]


def _partitions(folder: PathT) -> list[PathT]:
    inside = folder / "partitions"
    return _numbered(inside, _PARTITION) if inside.is_dir() else []


def _part_file(folder: PathT, part: str) -> PathT | None:
    by_name = {child.name.lower(): child for child in folder.iterdir()} if folder.is_dir() else {}
    for called in PART_NAMES[part]:
        found = next((by_name[called + ending] for ending in _ENDINGS if called + ending in by_name), None)
        if found is not None:
            return found
        if called in by_name and by_name[called].is_dir() and is_parquet(by_name[called]):
            return by_name[called]
    return None


def _three_parts(folder: PathT, shown: str) -> FoldFiles[PathT]:
    found = {part: path for part in PART_NAMES if (path := _part_file(folder, part)) is not None}
    as_letor3 = any(is_letor3_name(path.name) for path in found.values())
    for part, spellings in PART_NAMES.items():
        if part not in found:
            missing = spellings[-1 if as_letor3 else 0]
            refuse(f"{missing}.txt is missing; a fold needs a training, a validation and a test file", file=shown)
    return FoldFiles(folder.name, (found["train"],), (found["vali"],), (found["test"],))


def _rotated(partitions: Sequence[PathT], shown: str) -> tuple[FoldFiles[PathT], ...]:
    n = len(partitions)
    stems = [path.name.partition(".")[0].upper() for path in partitions]
    if n < 3 or stems != [f"S{k}" for k in range(1, n + 1)]:
        msg = f"at least three partitions S1, S2, ... are needed, none missing; found {', '.join(stems)}"
        raise DataError(msg, file=f"{shown}/partitions")
    turns = (tuple(partitions[k:]) + tuple(partitions[:k]) for k in range(n))
    return tuple(FoldFiles(f"Fold{k}", turn[:-2], turn[-2:-1], turn[-1:]) for k, turn in enumerate(turns, 1))


Read = Callable[[PathT, str, RankingData | None], RankingData]
"""Takes a file, its name in messages, and data whose features it must have in any order; returns what is in it."""


def open_folder(
    folder: PathT, *, name: str | None = None, group: bool = False, read: Read[PathT] | None = None
) -> Dataset:
    """Open a folder that has one of the layouts of `fold_files`.

    It may hold a ``dataset.json`` that describes it, whose name, else the folder's, is the default, and a names file
    for its features. With ``group``, documents of a query are put together if the file has them apart; ``read`` reads a
    file in place of what reads it into memory. Raises a `DataError` if the folder has no known layout, a part of a fold
    is missing, or its description is broken.
    """
    described = read_description(folder)
    called = name or described.name
    layout = fold_files(folder, name=called)

    first = layout[0].train[0]
    said = described.convention
    if said is None and is_parquet(first):
        from core.data.parquet.table import described_by  # pyarrow is heavy to import

        said = described_by(first, first.name).convention
    convention, why = (said, ()) if said else convention_of(_place(first), partial(_first, first))
    return Dataset(
        name=called,
        fold_names=tuple(files.name for files in layout),
        convention=convention,
        notes=why,
        provenance=described.provenance,
        load=LastFolds(partial(_fold, folder, layout, called, read or partial(_read, group))),
        query_texts=read_texts(folder, described.query_texts),
        document_names=read_texts(folder, described.document_names),
    )


def _fold(folder: PathT, layout: Sequence[FoldFiles[PathT]], called: str, read_one: Read[PathT], position: int) -> Fold:
    """Read the fold at a position, from 0."""

    def part(files: Sequence[PathT], like: RankingData | None = None) -> RankingData:
        read: list[RankingData] = []
        for path in files:
            shown = f"{called}/{path.relative_to(folder).as_posix()}"
            read.append(read_one(path, shown, like or (read[0] if read else None)))
        return joined(read)

    files = layout[position]
    training = part(files.train)
    parts = equally_wide([training, part(files.vali, training), part(files.test, training)])
    train, vali, test = (
        replace(data, feature_names=feature_names_for(data, names_file_beside(paths[0], folder), _place(paths[0])))
        for data, paths in zip(parts, (files.train, files.vali, files.test), strict=True)
    )
    return Fold(files.name, train, vali, test)


def open_zip(source: Path | bytes, name: str, *, group: bool = False) -> Dataset:
    """Open a zip archive that holds one folder with folds, as `open_folder` does.

    What is in it is read in memory, and nothing is kept on the disk. Its file name names the dataset. Raises a
    `DataError` if it cannot be read, or holds no or several such folders.
    """
    found = list(dataset_folders(ZippedPath(Archive(source, name))))
    if len(found) != 1:
        msg = (
            "this zip archive has no folds: it needs Fold1, Fold2, ... or train.txt, vali.txt and test.txt; with other "
            "data in it, unpack it and open the files inside"
        )
        if found:
            several = ", ".join(str(folder.at) for folder in found)
            msg = f"there are several datasets in this zip archive: {several}; zip one of them alone"
        raise DataError(msg, file=name)
    return open_folder(found[0], name=Path(name).stem, group=group)


def equally_wide(parts: Sequence[RankingData]) -> list[RankingData]:
    """Widen all parts to the number of features of the widest; features that a file never lists are 0."""
    width = max(part.n_features for part in parts)
    return [widened(part, width) for part in parts]


def joined(parts: Sequence[RankingData]) -> RankingData:
    """Join several parts into one, their queries one part after the other."""
    if len(parts) == 1:
        return parts[0]
    parts = equally_wide(parts)
    ids = [text for part in parts for text in part.document_ids or ("",) * part.n_documents]
    sizes = np.concatenate([np.diff(part.query_offsets) for part in parts])
    return RankingData.build(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.relevance for part in parts]),
        np.concatenate([[0], np.cumsum(sizes)]),
        query_ids=[query for part in parts for query in part.query_ids],
        feature_names=parts[0].feature_names,
        document_ids=ids if any(ids) else None,
        dtype=parts[0].features.dtype.type,
    )


def _read(group: bool, path: AnyPath, name: str, like: RankingData | None) -> RankingData:
    """Read a file; a Parquet file must have the features of the data that it is to be like, in any order."""
    if is_parquet(path):
        from core.data.parquet.parquet_format import read_parquet

        return read_parquet(path, name=name, group=group, features=None if like is None else like.feature_names).data
    if isinstance(path, ZippedPath):
        return read_letor(path.read_bytes(), name=name, group=group)
    options = {"reader": "letor", "group": group}
    return recall(path, options, lambda: Kept(read_letor(path, name=name, group=group))).data


def _first(train: AnyPath) -> RankingData:
    """Read the first documents of a training file; the rest is not read yet."""
    if is_parquet(train):
        from core.data.parquet.parquet_format import first_documents

        return first_documents(train, train.name)
    head = read_head(content_of(train), train.name)
    return read_letor(head[: head.rfind(b"\n") + 1] or head, group=True)


def _place(path: AnyPath) -> str:
    return str(path.absolute()) if isinstance(path, Path) else f"{path.archive.name}/{path.at}"
