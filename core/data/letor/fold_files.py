"""The files of each fold in a folder: LETOR 4.0's ``Fold1`` to ``Fold5``, LETOR 3.0's file names, or partitions.

A part is a text file, a Parquet file, or a folder of part files of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from core.data.errors import DataError
from core.data.parquet.parts import ENDING, is_parquet
from core.data.part_names import PART_NAMES, is_letor3_name
from core.data.zipped import PathT

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
    """Find the files of all folds of a folder.

    There are three layouts: subfolders ``Fold1``, ``Fold2``, ... with train, vali and test files; these files in the
    folder itself; or ``partitions/S1..Sn``, rotated as in LETOR: fold k starts at S_k, trains on all partitions but
    two, validates on the next one and tests on the last.

    Parameters
    ----------
    folder : Path or ZippedPath
    name : str
        Name of the folder in messages.

    Raises
    ------
    DataError
        If the folder has none of these layouts, or a part of a fold is missing.
    """
    if not folder.is_dir():
        msg = "there is no such folder"
        raise DataError(msg, file=name)
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
            missing = spellings[-1] if as_letor3 else spellings[0]
            msg = f"{missing}.txt is missing; a fold needs a training, a validation and a test file"
            raise DataError(msg, file=shown)
    return FoldFiles(folder.name, (found["train"],), (found["vali"],), (found["test"],))


def _rotated(partitions: Sequence[PathT], shown: str) -> tuple[FoldFiles[PathT], ...]:
    n = len(partitions)
    stems = [path.name.partition(".")[0].upper() for path in partitions]
    if n < 3 or stems != [f"S{k}" for k in range(1, n + 1)]:
        msg = f"at least three partitions S1, S2, ... are needed, none missing; found {', '.join(stems)}"
        raise DataError(msg, file=f"{shown}/partitions")
    return tuple(_beginning_at(first, partitions) for first in range(n))


def _beginning_at(first: int, partitions: Sequence[PathT]) -> FoldFiles[PathT]:
    turn = tuple(partitions[first:]) + tuple(partitions[:first])
    return FoldFiles(f"Fold{first + 1}", turn[:-2], turn[-2:-1], turn[-1:])
