"""The datasets at hand, and how a name or a path becomes one of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from core.data.dataset import Dataset
from core.data.description import read_description
from core.data.errors import DataError
from core.data.fold_files import fold_files, is_dataset_folder
from core.data.folders import open_folder
from core.data.known_sets import KNOWN_SETS
from core.data.scaling import check_scaling, scale_fold
from core.data.single_file import open_file, open_upload

__all__ = ["READY", "CatalogueEntry", "catalogue", "data_folder", "open_dataset", "open_upload"]

READY = "ready"
_REPOSITORY = Path(__file__).resolve().parents[2]
_DEPTH = 3


@dataclass(frozen=True)
class CatalogueEntry:
    """A dataset that can be opened by its name, or could be if it were here.

    ``state`` is "ready", or else one sentence: where to get it, or what is wrong with it. ``path`` is None
    and ``n_folds`` is 0 where it is absent. ``provenance`` says where it comes from; ``licence`` is None where
    the data does not say.
    """

    name: str
    title: str
    state: str
    n_folds: int
    path: Path | None
    provenance: str
    licence: str | None = None


def data_folder() -> Path:
    """Where people keep their own data: ``SPARSE_RANK_DATA``, else ``shared/data`` beside the repository."""
    chosen = os.environ.get("SPARSE_RANK_DATA")
    return Path(chosen) if chosen else _REPOSITORY.parent / "shared" / "data"


def catalogue() -> list[CatalogueEntry]:
    """All datasets by name: sample data, then people's own, then published sets that are not here.

    Where two have the same name, the first one keeps it and the other goes by its path.
    """
    entries: dict[str, CatalogueEntry] = {}
    for entry in (*_samples(), *_own()):
        taken = entry.name.lower() in entries
        kept = replace(entry, name=str(entry.path)) if taken else entry
        entries[kept.name.lower()] = kept
    for known in KNOWN_SETS:
        here = entries.get(known.name.lower())
        if here is None:
            absent = CatalogueEntry(known.name, known.title, known.where, 0, None, known.provenance)
            entries[known.name.lower()] = absent
        elif here.title == here.name:
            entries[known.name.lower()] = replace(here, title=known.title, provenance=known.provenance)
    return list(entries.values())


def open_dataset(
    name_or_path: str,
    *,
    positive: str | None = None,
    scale: str = "none",
    split: float | None = None,
    seed: int = 0,
    group: bool = False,
) -> Dataset:
    """Open a dataset by its name in the catalogue (in any case), or a folder, LETOR file or CSV by its path.

    Parameters
    ----------
    name_or_path : str
    positive : str, optional
        For a CSV file with a class column: the class to rank on top.
    scale : str
        An id of `core.data.scaling.SCALINGS`; constants are taken from each fold's training part.
    split : float, optional
        Training share of a single file; folders have folds already.
    seed : int
        For the split.
    group : bool
        Put the documents of a query together where they are apart.

    Raises
    ------
    DataError
        If there is no such dataset (with names that are close), or it or an option cannot be used.
    """
    check_scaling(scale)
    if not name_or_path.strip():
        msg = "name a dataset of the catalogue, a folder or a file"
        raise DataError(msg)
    entry = _find(name_or_path)
    if entry is None or entry.path is None:
        path, name, provenance = Path(name_or_path).expanduser(), None, None
    else:
        path, name, provenance = entry.path, entry.name, entry.provenance
    if path.is_file():
        return open_file(
            path,
            name=name,
            provenance=provenance,
            positive=positive,
            scale=scale,
            split=split,
            seed=seed,
            group=group,
        )
    if not path.is_dir():
        raise _unknown(name_or_path, entry)
    for option, given in (("split", split), ("positive", positive)):
        if given is not None:
            msg = f"{name_or_path} has folds with graded relevance already; {option!r} is for single files"
            raise DataError(msg)
    dataset = open_folder(path, name=name, group=group)
    return replace(
        dataset,
        provenance=provenance or dataset.provenance,
        load=lambda position: scale_fold(dataset.load(position), scale),
    )


def _find(name: str) -> CatalogueEntry | None:
    return next((entry for entry in catalogue() if entry.name.lower() == name.lower()), None)


def _unknown(name: str, absent: CatalogueEntry | None) -> DataError:
    if absent is not None:
        return DataError(f"{absent.name} is not here. {absent.state}")
    if os.sep in name or "." in name:
        return DataError("there is no such file or folder", file=name)
    known = {entry.name.lower(): entry.name for entry in catalogue()}
    close = [known[match] for match in get_close_matches(name.lower(), known, n=3)]
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known.values())}"
    return DataError(f"there is no dataset and no file {name!r}; {hint}")


def _samples() -> Iterator[CatalogueEntry]:
    folder = _REPOSITORY / "sample_data"
    if folder.is_dir():
        for child in sorted(folder.iterdir()):
            if (child / "dataset.json").is_file():
                yield _folder_entry(child)


def _own() -> Iterator[CatalogueEntry]:
    root = data_folder()
    if root.is_dir():
        for folder in _dataset_folders(root, _DEPTH):
            yield _folder_entry(folder)
        for path in sorted((root / "uci").glob("*.csv")):
            yield CatalogueEntry(path.stem, path.stem, READY, 1, path, f"Read from the file {path.name}.")


def _dataset_folders(folder: Path, depth: int) -> Iterator[Path]:
    """Folders with data, down to a depth; what is inside a dataset is no dataset of its own."""
    try:
        if is_dataset_folder(folder):
            yield folder
            return
        children = sorted(child for child in folder.iterdir() if child.is_dir())
    except OSError:
        # A folder that may not be looked into has nothing to offer.
        return
    if depth > 0:
        for child in children:
            yield from _dataset_folders(child, depth - 1)


def _folder_entry(folder: Path) -> CatalogueEntry:
    try:
        described = read_description(folder)
        n_folds = len(fold_files(folder, name=described.name))
    except DataError as error:
        return CatalogueEntry(folder.name, folder.name, str(error), 0, folder, folder.name)
    return CatalogueEntry(
        described.name, described.title, READY, n_folds, folder, described.provenance, described.licence
    )
