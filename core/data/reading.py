"""How data is read, as one value: scaling, division, classes, columns, grouping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from core.data.catalogue import CatalogueEntry, clash_note, find_entry
from core.data.copies import without_copies, without_features
from core.data.dataset import Dataset, Fold
from core.data.division import Division, divided
from core.data.errors import refuse
from core.data.letor.folders import open_folder, open_zip
from core.data.missing import fill_fold
from core.data.scaling import scale_fold
from core.data.single_file import has_columns, open_file, open_upload
from core.data.tables.class_sets import ClassSet
from core.data.tables.table_options import TableOptions
from core.data.toy import open_toy
from core.data.zipped import is_zip

LARGEST_SEED = 10**9
_ROLES = ("query_column", "relevance_column", "document_column")


@dataclass(frozen=True)
class Reading:
    """Everything that decides how a dataset is read, beside its name.

    The fields are the options of the command line; `core.cli.reading` prints and parses them.

    Attributes
    ----------
    scale : str
        An id of `core.data.scaling.SCALINGS`; constants are taken from each fold's training part.
    split : float, optional
        Training share of a single file, between 0 and 1; folders have folds already.
    seed : int
        Seed of the split, or of the first of the repeated splits.
    repeats : int, optional
        This many random splits of a single file into training, validation and test part, as folds; see `Division`.
    positive : str, optional
        The class to rank on top, where documents have classes.
    class_column : str, optional
        The column of classes of a table; see `TableOptions`.
    missing : {"drop", "median", "zero"}, optional
        How missing values are treated: leave out their rows, or fill in 0 or the column's median over the training part
        of each fold.
    query_column, relevance_column, document_column : str, optional
        The columns of a table that name the query of a row, have its relevance and name its document; see
        `TableOptions`.
    drop_copies : bool
        Leave out features and queries that repeat an earlier one exactly; see `without_copies`.
    drop_columns : tuple of str
        Columns of a CSV or Parquet file, or features of any other data, to leave out, by name or number; see
        `TableOptions` and `without_features`. Blanks around a name do not count.
    group : bool
        Put the documents of a query together where they are apart.
    folds : int, optional
        Make so many folds of a single file, each with training, validation and test part; see `Division`.

    Raises
    ------
    DataError
        If there is no such scaling, way with missing values, number of repeats, folds or seed.
    """

    scale: str = "none"
    split: float | None = None
    seed: int = 0
    repeats: int | None = None
    positive: str | None = None
    class_column: str | None = None
    drop_columns: tuple[str, ...] = ()
    missing: str | None = None
    group: bool = False
    folds: int | None = None
    query_column: str | None = None
    relevance_column: str | None = None
    drop_copies: bool = False
    document_column: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "drop_columns", tuple(name.strip() for name in self.drop_columns))
        if not 0 <= self.seed <= LARGEST_SEED:
            refuse(f"the seed is {self.seed}; give a number from 0 to {LARGEST_SEED:g}")
        _ = self.division, self.classes  # which refuse what they cannot use

    @property
    def division(self) -> Division:
        """How one set of documents is divided into folds and scaled."""
        return Division(self.split, self.seed, self.repeats, self.scale, self.folds, self.missing)

    @property
    def classes(self) -> TableOptions:
        """How a table with classes is read."""
        roles = {role: getattr(self, role) for role in _ROLES}
        return TableOptions(self.positive, self.class_column, self.drop_columns, self.missing, **roles)

    def open(self, name_or_path: str, content: bytes | None = None, *, keep: bool = True) -> Dataset:
        """Open a dataset in this way.

        Parameters
        ----------
        name_or_path : str
            A name of the catalogue (in any case), or the path of a folder, zip archive with folds, LETOR file, CSV or
            Parquet file.
        content : bytes, optional
            The bytes of an uploaded file; ``name_or_path`` is then its name, and nothing is kept on the disk.
        keep : bool
            Whether the cache on the disk may keep what a single file holds.

        Raises
        ------
        DataError
            If there is no such dataset (with names that are close), or it cannot be read in this way.
        """
        dataset = self._opened(name_or_path, content, keep=keep)
        notes = clash_note(name_or_path) if content is None else ()
        return replace(dataset, notes=(*notes, *dataset.notes)) if notes else dataset

    def _opened(self, name_or_path: str, content: bytes | None, *, keep: bool) -> Dataset:
        if self.drop_copies:
            return without_copies(replace(self, drop_copies=False)._opened(name_or_path, content, keep=keep))
        if self.drop_columns and not is_table_of_columns(name_or_path, content):
            whole = replace(self, drop_columns=())._opened(name_or_path, content, keep=keep)
            return without_features(whole, self.classes.named_columns)
        if content is not None:
            if is_zip(content):
                return self._open_folds(content, name_or_path, f"Uploaded as {name_or_path}.")
            return open_upload(content, name_or_path, options=self.classes, group=self.group, division=self.division)
        entry = find_entry(name_or_path)
        if entry.class_set is not None:
            return self._open_classes(entry, entry.class_set)
        if entry.path is None or not entry.undivided:
            return self._open_folds(entry, name_or_path, entry.provenance)
        return open_file(
            entry.path,
            name=entry.name,
            provenance=entry.provenance,
            options=self.classes,
            group=self.group,
            division=self.division,
            keep=keep,
        )

    def _open_classes(self, entry: CatalogueEntry, found: ClassSet) -> Dataset:
        if self.class_column or any(getattr(self, role) for role in _ROLES):
            refuse(f"{entry.name} comes with a class for every document; columns are chosen in a CSV file only")
        data = found.read(self.positive)
        return divided(data, self.division, name=entry.name, convention="standard", provenance=entry.provenance)

    def _open_folds(self, source: CatalogueEntry | bytes, called: str, provenance: str) -> Dataset:
        for option in ("split", "repeats", "folds", "positive", "class_column", *_ROLES):
            if getattr(self, option) not in (None, ()):
                refuse(f"{called} already has folds and relevance; {option!r} is for single files")
        if isinstance(source, bytes):
            dataset = open_zip(source, called, group=self.group)
        elif source.path is None:
            dataset = open_toy(source.name, provenance)
        elif source.path.is_dir():
            dataset = open_folder(source.path, name=source.name, group=self.group)
        else:
            dataset = open_zip(source.path, source.path.name, group=self.group)
        load = partial(_filled_and_scaled, dataset.load, self.missing, self.scale)
        return replace(dataset, provenance=provenance, load=load)


def _filled_and_scaled(load: Callable[[int], Fold], missing: str | None, scale: str, position: int) -> Fold:
    return scale_fold(fill_fold(load(position), missing), scale)


def is_table_of_columns(name_or_path: str, content: bytes | None = None) -> bool:
    """Whether the data is a CSV or Parquet file, which lists every value: LETOR text leaves zeros out."""
    if content is not None:
        return has_columns(content, name_or_path)
    entry = find_entry(name_or_path)
    return entry.path is not None and entry.undivided and has_columns(entry.path, entry.path.name)


AS_IT_STANDS = Reading()


def open_dataset(name_or_path: str) -> Dataset:
    """Open a dataset with the default options of `Reading`.

    Raises
    ------
    DataError
        As `Reading.open`.
    """
    return AS_IT_STANDS.open(name_or_path)
