"""How data is read, as one value: scaling, division, classes, columns, grouping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeVar

from core.data.built_in import ClassSet, open_toy
from core.data.catalogue import CatalogueEntry, clash_note, find_entry
from core.data.copies import without_copies, without_features
from core.data.dataset import Dataset, Fold
from core.data.division import Division, divided
from core.data.files.packed import is_zip
from core.data.letor.folders import open_folder, open_zip
from core.data.missing import fill_fold
from core.data.scaling import scale_fold
from core.data.single_file import kind_of, open_file
from core.data.tables.table_options import Kind, TableOptions, option, refuse_unfit

Part = TypeVar("Part", Division, TableOptions)
Source = CatalogueEntry | bytes
"""What is opened: an entry of the catalogue, or the content of an upload."""


@dataclass(frozen=True)
class Reading(TableOptions, Division):
    """Everything that decides how a dataset is read, beside its name.

    The fields are the options of the command line, each declared once. `TableOptions` explains those of a table, and
    `Division` those of the division of a single file and of the scaling; folders have folds already. Blanks around the
    names of columns to leave out do not count.

    Attributes
    ----------
    drop_copies : bool
        Leave out features and queries that repeat an earlier one exactly; see `without_copies`.
    group : bool
        Put the documents of a query together where they are apart.

    Raises
    ------
    DataError
        If there is no such scaling, way with missing values, number of repeats, folds or seed.
    """

    drop_copies: bool = option(
        False,
        "leave out features (which are then 0) and queries that exactly repeat an earlier one",
        label="Leave out copies",
        brief="copies left out",
        tip="Features and queries that repeat another one exactly.",
    )
    group: bool = option(
        False,
        "bring together the documents of a query that are scattered in the file",
        label="Put documents of a query together",
        brief="grouping",
        tip="Switch this on if the lines of a query are not consecutive in the file.",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "drop_columns", tuple(name.strip() for name in self.drop_columns))
        Division.__post_init__(self)
        TableOptions.__post_init__(self)

    def said(self) -> dict[str, Any]:
        """The options that are not as by default, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}

    @property
    def division(self) -> Division:
        """How one set of documents is divided into folds and scaled."""
        return self._part(Division)

    @property
    def table(self) -> TableOptions:
        """How a table is read."""
        return self._part(TableOptions)

    def _part(self, kind: type[Part]) -> Part:
        return kind(**{field.name: getattr(self, field.name) for field in fields(kind)})

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
        source = find_entry(name_or_path) if content is None else content
        dataset = self._opened(source, name_or_path, keep=keep)
        notes = () if isinstance(source, bytes) else clash_note(name_or_path, source)
        return replace(dataset, notes=(*notes, *dataset.notes)) if notes else dataset

    def kind(self, name_or_path: str, content: bytes | None = None) -> Kind:
        """What data is, as far as its format tells; of a CSV file or workbook not whether it has queries or classes.

        Raises a `DataError` if there is none.
        """
        return self._kind(find_entry(name_or_path) if content is None else content, name_or_path)

    def _kind(self, source: Source, called: str) -> Kind:
        if isinstance(source, bytes):
            return Kind.FOLDS if is_zip(source) else kind_of(source, called, self.table)
        if source.class_set is not None or source.path is None or not source.undivided:
            return Kind.FOLDS if source.class_set is None else Kind.SET
        return kind_of(source.path, source.path.name, self.table)

    def _opened(self, source: Source, called: str, *, keep: bool) -> Dataset:
        if self.drop_copies:
            return without_copies(replace(self, drop_copies=False)._opened(source, called, keep=keep))
        if self.drop_columns and not self._kind(source, called) & Kind.TABLE:
            whole = replace(self, drop_columns=())._opened(source, called, keep=keep)
            return without_features(whole, self.table.named_columns)
        how: dict[str, Any] = {"options": self.table, "group": self.group, "division": self.division}
        if isinstance(source, bytes):
            if is_zip(source):
                return self._open_folds(source, called, f"Uploaded as {called}.")
            return open_file(source, called, **how)
        if source.class_set is not None:
            return self._open_classes(source, source.class_set)
        if source.path is None or not source.undivided:
            return self._open_folds(source, called, source.provenance)
        return open_file(source.path, name=source.name, provenance=source.provenance, keep=keep, **how)

    def _open_classes(self, entry: CatalogueEntry, found: ClassSet) -> Dataset:
        refuse_unfit(self, Kind.SET, entry.name)
        data = found.read(self.positive)
        return divided(
            data, self.division, self.missing, name=entry.name, convention="standard", provenance=entry.provenance
        )

    def _open_folds(self, source: Source, called: str, provenance: str) -> Dataset:
        refuse_unfit(self, Kind.FOLDS, called)
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


OF_A_FILE = tuple(one for one in fields(Reading) if one.name not in {each.name for each in fields(Division)})
"""The options beside scaling and division."""


def _filled_and_scaled(load: Callable[[int], Fold], missing: str | None, scale: str, position: int) -> Fold:
    return scale_fold(fill_fold(load(position), missing), scale)


AS_IT_STANDS = Reading()


def open_dataset(name_or_path: str) -> Dataset:
    """Open a dataset with the default options of `Reading`.

    Raises
    ------
    DataError
        As `Reading.open`.
    """
    return AS_IT_STANDS.open(name_or_path)
