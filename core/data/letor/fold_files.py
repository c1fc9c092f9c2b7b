"""The files of each fold in a folder: LETOR 4.0's ``Fold1`` to ``Fold5``, LETOR 3.0's file names, or partitions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.data.errors import DataError

PART_NAMES = {
    "train": ("train", "trainingset"),
    "vali": ("vali", "valid", "validation", "validationset"),
    "test": ("test", "testset"),
}
_LETOR3_NAMES = {"trainingset", "validationset", "testset"}
_ENDINGS = (".txt", ".txt.gz")
_FOLD = re.compile(r"fold[ _-]?([0-9]{1,9})", re.IGNORECASE)
_PARTITION = re.compile(r"s([0-9]{1,9})\.txt(\.gz)?", re.IGNORECASE)


@dataclass(frozen=True)
class FoldFiles:
    """The files of one fold. Several files of a part are read one after the other."""

    name: str
    train: tuple[Path, ...]
    vali: tuple[Path, ...]
    test: tuple[Path, ...]


def is_dataset_folder(folder: Path) -> bool:
    """Tell whether the folder itself is laid out as a dataset, complete or not."""
    return bool(_numbered(folder, _FOLD) or _part_file(folder, "train") or _partitions(folder))


def has_letor3_name(path: Path) -> bool:
    """Tell whether the file is named like a part of LETOR 3.0, e.g. ``trainingset.txt``."""
    return path.name.lower().partition(".")[0] in _LETOR3_NAMES


def fold_files(folder: Path, *, name: str) -> tuple[FoldFiles, ...]:
    """Find the files of all folds of a folder.

    There are three layouts: subfolders ``Fold1``, ``Fold2``, ... with train, vali and test files; these files in the
    folder itself; or ``partitions/S1..Sn``, rotated as in LETOR: fold k starts at S_k, trains on all partitions but
    two, validates on the next one and tests on the last.

    Parameters
    ----------
    folder : Path
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
    msg = "this folder has no data: it needs Fold1, Fold2, ... or train.txt, vali.txt and test.txt"
    raise DataError(msg, file=name)


def _numbered(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """Return the children whose names match the pattern, sorted by the number in their name."""
    found = [(pattern.fullmatch(child.name), child) for child in folder.iterdir()]
    return [child for _, child in sorted((int(match[1]), child) for match, child in found if match)]


def _partitions(folder: Path) -> list[Path]:
    inside = folder / "partitions"
    return _numbered(inside, _PARTITION) if inside.is_dir() else []


def _part_file(folder: Path, part: str) -> Path | None:
    by_name = {child.name.lower(): child for child in folder.iterdir()} if folder.is_dir() else {}
    spellings = [stem + ending for stem in PART_NAMES[part] for ending in _ENDINGS]
    return next((by_name[spelling] for spelling in spellings if spelling in by_name), None)


def _three_parts(folder: Path, shown: str) -> FoldFiles:
    found = {part: path for part in PART_NAMES if (path := _part_file(folder, part)) is not None}
    as_letor3 = any(map(has_letor3_name, found.values()))
    for part, spellings in PART_NAMES.items():
        if part not in found:
            missing = spellings[-1] if as_letor3 else spellings[0]
            msg = f"{missing}.txt is missing; a fold needs a training, a validation and a test file"
            raise DataError(msg, file=shown)
    return FoldFiles(folder.name, (found["train"],), (found["vali"],), (found["test"],))


def _rotated(partitions: Sequence[Path], shown: str) -> tuple[FoldFiles, ...]:
    n = len(partitions)
    stems = [path.name.partition(".")[0].upper() for path in partitions]
    if n < 3 or stems != [f"S{k}" for k in range(1, n + 1)]:
        msg = f"at least three partitions S1, S2, ... are needed, none missing; found {', '.join(stems)}"
        raise DataError(msg, file=f"{shown}/partitions")
    turns = [(*partitions[k:], *partitions[:k]) for k in range(n)]
    return tuple(FoldFiles(f"Fold{k}", turn[:-2], turn[-2:-1], turn[-1:]) for k, turn in enumerate(turns, 1))
