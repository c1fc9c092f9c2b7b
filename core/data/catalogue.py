"""The datasets at hand, and which of them a name or a path means."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from core.data.built_in import CLASS_SETS, N_DRAWS, TOY_PROVENANCE, ClassSet
from core.data.errors import DataError, refuse
from core.data.files.packed import is_zip
from core.data.letor.folders import dataset_folders, fold_files, open_zip, read_description
from core.data.parquet.parts import is_parquet
from core.data.single_file import read_classes
from core.data.tables.class_layout import ClassColumn
from core.data.tables.table_format import ClassTable
from core.data.tables.table_options import USUAL, TableOptions

READY = "ready"
_REPOSITORY = Path(__file__).resolve().parents[2]
_LETOR = "https://www.microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval/"
_MSLR = "https://www.microsoft.com/en-us/research/project/mslr/"
_UCI = "https://archive.ics.uci.edu"


@dataclass(frozen=True)
class KnownSet:
    """A published dataset: name, title, the page that offers it, and where to put its folder or file."""

    name: str
    title: str
    page: str
    place: str = "put its folder {name} under $SPARSE_RANK_DATA/letor"

    @property
    def provenance(self) -> str:
        """Title and page in one sentence."""
        return f"{self.title}; {self.page}"

    @property
    def where(self) -> str:
        """One sentence that says where to get the dataset and where to put it."""
        return f"Get it from {self.page} and {self.place.format(name=self.name)}."


_AS_FILE = "save it as $SPARSE_RANK_DATA/uci/{name}.csv, with the class in the last column"
_AS_IT_IS = "save it as $SPARSE_RANK_DATA/uci/{name}.csv, with its columns unchanged"

KNOWN_SETS: tuple[KnownSet, ...] = (
    KnownSet("MQ2007", "LETOR 4.0: Million Query track 2007", _LETOR),
    KnownSet("MQ2008", "LETOR 4.0: Million Query track 2008", _LETOR),
    KnownSet("OHSUMED", "LETOR 3.0: medical publications", _LETOR),
    KnownSet("TD2003", "LETOR 3.0: topic distillation 2003 (.Gov)", _LETOR),
    KnownSet("TD2004", "LETOR 3.0: topic distillation 2004 (.Gov)", _LETOR),
    KnownSet("HP2003", "LETOR 3.0: homepage finding 2003 (.Gov)", _LETOR),
    KnownSet("HP2004", "LETOR 3.0: homepage finding 2004 (.Gov)", _LETOR),
    KnownSet("NP2003", "LETOR 3.0: named page finding 2003 (.Gov)", _LETOR),
    KnownSet("NP2004", "LETOR 3.0: named page finding 2004 (.Gov)", _LETOR),
    KnownSet("MSLR-WEB10K", "Microsoft Bing: 10 000 queries", _MSLR),
    KnownSet("ionosphere", "UCI: radar returns, bad (b) or good (g)", _UCI, _AS_FILE),
    KnownSet("sonar", "UCI: sonar returns of rocks (R) and mines (M)", _UCI, _AS_FILE),
    KnownSet("wpbc", "UCI: breast cancer that recurs (R) or not (N)", _UCI, _AS_IT_IS),
    KnownSet("spectf", "UCI: hearts, normal (0) or abnormal (1); training and test file in one", _UCI, _AS_IT_IS),
)
"""Published datasets that people bring themselves; not all may be redistributed."""


@dataclass(frozen=True)
class CatalogueEntry:
    """A dataset of the catalogue: one that can be opened, or a published one that is not on this computer.

    ``state`` is "ready", or one sentence that says where to get the dataset or why it cannot be opened. ``n_folds`` is
    0 in that case. ``path`` is None for a dataset that is absent, and for one that comes with the program: then either
    ``class_set`` holds it or it is generated. ``provenance`` says where the data comes from; ``licence`` is None where
    the data does not state one.
    """

    name: str
    title: str
    state: str
    n_folds: int
    path: Path | None
    provenance: str
    licence: str | None = None
    class_set: ClassSet | None = None

    @property
    def here(self) -> bool:
        """Whether there is a file, folder or built-in set to open, even a broken one."""
        return self.path is not None or self.n_folds > 0

    @property
    def undivided(self) -> bool:
        """Whether the dataset is one set of documents without folds, which can be split."""
        if self.path is None:
            return self.class_set is not None
        return is_parquet(self.path) if self.path.is_dir() else self.path.is_file() and not is_zip(self.path)

    def table(self, options: TableOptions = USUAL) -> ClassTable | None:
        """The columns of the entry's file; None where it has no file, or a file with graded relevance."""
        undivided_file = self.class_set is None and self.undivided and self.path is not None
        return read_classes(self.path, self.path.name, options) if undivided_file and self.path is not None else None

    def classes(self, options: TableOptions = USUAL) -> ClassColumn | None:
        """The class of every document; None where relevance is graded or the dataset has folds."""
        if self.class_set is not None:
            return self.class_set.classes()
        table = self.table(options)
        return None if table is None else table.classes(complete=True)


def data_folder() -> Path:
    """Return the folder with people's own data: ``SPARSE_RANK_DATA``, else ``shared/data`` beside the repository."""
    chosen = os.environ.get("SPARSE_RANK_DATA")
    return Path(chosen) if chosen else _REPOSITORY.parent / "shared" / "data"


def catalogue() -> list[CatalogueEntry]:
    """List all datasets: those that come with the program, people's own, then published ones that are not here.

    Where two have the same name, the first one keeps it and the other is listed by its path.
    """
    entries: dict[str, CatalogueEntry] = {}
    for entry in (*_samples(), *_built_in(), *_own()):
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


def find_entry(name_or_path: str) -> CatalogueEntry:
    """The dataset of this name in the catalogue (in any case), or the folder, archive or file at this path.

    Raises a `DataError` if there is no such dataset, with names that are close.
    """
    if not name_or_path.strip():
        refuse("name a dataset of the catalogue, a folder or a file")
    entry = _find(name_or_path)
    if entry is not None and entry.here:
        return entry
    return _at(Path(name_or_path).expanduser()) or _refuse(name_or_path, entry)


def clash_note(name: str, entry: CatalogueEntry) -> tuple[str, ...]:
    """Say that the name of this entry is also that of a file or folder here, and which one is opened."""
    beside = Path(name)
    if entry.name.lower() != name.lower() or beside.name != name or not beside.exists():
        return ()
    if entry.path is not None and beside.resolve() == entry.path.resolve():
        return ()
    place = os.path.join(os.curdir, name)
    return (f"This is the dataset {entry.name} of the catalogue; what is called {name} in this folder is {place}.",)


def is_shipped(name: str) -> bool:
    """Whether the program brings the dataset of this name, so that anyone may see its queries."""
    return any(entry.name == name for entry in (*_samples(), *_built_in()))


def _find(name: str) -> CatalogueEntry | None:
    return next((entry for entry in catalogue() if entry.name.lower() == name.lower()), None)


def _at(path: Path) -> CatalogueEntry | None:
    """Return the entry of the file or folder at a path; None where there is none."""
    if path.is_file() or (path.is_dir() and is_parquet(path)):
        return _file_entry(path)
    return _folder_entry(Path(os.path.abspath(path))) if path.is_dir() else None


def _refuse(name: str, absent: CatalogueEntry | None) -> NoReturn:
    if absent is not None:
        refuse(f"{absent.name} is not here. {absent.state}")
    if os.sep in name or "." in name:
        refuse("there is no such file or folder", file=name)
    known = {entry.name.lower(): entry.name for entry in catalogue()}
    close = [known[match] for match in get_close_matches(name.lower(), known, n=3)]
    hint = f"did you mean {' or '.join(close)}?" if close else f"choose one of {', '.join(known.values())}"
    refuse(f"no dataset or file is called {name!r}; {hint}")


def _samples() -> Iterator[CatalogueEntry]:
    folder = _REPOSITORY / "sample_data"
    if folder.is_dir():
        for child in sorted(folder.iterdir()):
            if (child / "dataset.json").is_file():
                yield _folder_entry(child)


def _own() -> Iterator[CatalogueEntry]:
    root = data_folder()
    if root.is_dir():
        for folder in dataset_folders(root):
            yield _folder_entry(folder)
        for path in sorted((root / "uci").glob("*.csv")):
            yield _file_entry(path)


def _built_in() -> Iterator[CatalogueEntry]:
    for found in CLASS_SETS:
        yield CatalogueEntry(found.name, found.title, READY, 1, None, found.provenance, found.licence, found)
    yield CatalogueEntry("toy", "Infinite push: toy problem", READY, N_DRAWS, None, TOY_PROVENANCE, "CC0-1.0")


def _file_entry(path: Path) -> CatalogueEntry:
    name = Path(path.name.removesuffix(".gz")).stem
    state, n_folds = READY, 1
    if is_zip(path):
        try:
            n_folds = open_zip(path, path.name).n_folds
        except DataError as error:
            state, n_folds = str(error), 0
    return CatalogueEntry(name, name, state, n_folds, path, f"Read from the file {path.name}.")


def _folder_entry(folder: Path) -> CatalogueEntry:
    try:
        described = read_description(folder)
        n_folds = len(fold_files(folder, name=described.name))
    except DataError as error:
        return CatalogueEntry(folder.name, folder.name, str(error), 0, folder, folder.name)
    return CatalogueEntry(
        described.name, described.title, READY, n_folds, folder, described.provenance, described.licence
    )
