"""A finished cell of the protocol as a link: the address under which the other pages fit that very model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from core.data import Convention, DataError, Dataset, Reading
from core.data.scaling import SCALINGS
from core.experiments.run.cells import Cell
from core.experiments.run.learners.registry import get_learner
from core.experiments.run.plan import DatasetSource
from core.experiments.run.protocol import CellResult
from core.methods import get_method
from pages.shared import keys
from pages.shared.choice.access import REPEATS
from pages.shared.choice.data import TEN_SPLITS
from pages.shared.choice.menu import parameter_key


@dataclass(frozen=True)
class CellLink:
    """Where a cell's model is.

    Attributes
    ----------
    query : mapping of str to str
        Parameters of the address. C has every digit, so that lambda comes back to its last bit or the one before; a
        converged fit then gives the same features and the same measures to every digit that pages show.
    note : str
        What will differ from the cell's numbers all the same, for people; empty where nothing does.
    """

    query: Mapping[str, str]
    note: str

    def address(self, page: str) -> str:
        """Of a page by its name, relative to the app."""
        return f"{page}?{urlencode(self.query)}"


def cell_link(
    cell: Cell,
    result: CellResult,
    source: DatasetSource,
    dataset: Dataset,
    *,
    name: str,
    has_classes: bool,
) -> CellLink:
    """The link to a cell's model.

    Parameters
    ----------
    cell, result
        Finished.
    source : DatasetSource
        How the run opened the dataset.
    dataset : Dataset
        What it opened.
    name : str
        The dataset's in the sidebar.
    has_classes : bool
        Whether it is one set of documents with a class each, which the sidebar splits at random.

    Raises
    ------
    DataError
        If the other pages have no such model; why, in one sentence.
    """
    _check(cell, result, source.reading, has_classes)
    record = result.record
    query = {
        keys.DATASET: name,
        keys.FOLD: dataset.fold_names[cell.fold - 1],
        keys.METHOD: cell.choice.method,
        keys.SOLVER: str(record["solver"]),
        **_how_read(source.reading, has_classes),
        **_parameters(cell.choice.method, record["parameters"]),
        keys.C: repr(float(record["C"])),
    }
    if record.get("lambda_ratio"):
        query[keys.RATIO] = f"{record['lambda_ratio']:.4g}"
    return CellLink(query, _note(cell, record, dataset.convention))


def _check(cell: Cell, result: CellResult, reading: Reading, has_classes: bool) -> None:
    if not result.linear:
        title = get_learner(cell.choice.method).title
        msg = f"{title} is not a linear model, so the other pages cannot show it"
        raise DataError(msg)
    if not result.record["C"]:
        msg = "the empty model is optimal at every λ here, so there is no C to open"
        raise DataError(msg)
    if reading.repeats is not None and not has_classes:
        msg = "the other pages split such a file only once, so they do not have this fold"
        raise DataError(msg)
    if reading.repeats is not None and (reading.seed != 0 or reading.split is not None or cell.fold > REPEATS):
        msg = (
            f"the other pages have only the first {REPEATS} splits with the usual seeds and shares, and this one "
            "is different"
        )
        raise DataError(msg)


def _how_read(reading: Reading, has_classes: bool) -> dict[str, str]:
    """How the sidebar is to read the data, in its own words; classes have controls of their own."""
    scaling = next(scaling.title for scaling in SCALINGS if scaling.id == reading.scale)
    said = {name: "true" if value is True else value for name, value in keys.in_session(reading).items() if value}
    if not has_classes:
        return {keys.SCALE: scaling} | said
    return said | {keys.CLASS_SCALE: scaling, keys.DIVISION: TEN_SPLITS}


def _parameters(method_id: str, values: Mapping[str, float]) -> dict[str, str]:
    """Those that differ from their defaults, which a new visitor gets anyway."""
    return {
        parameter_key(method_id, parameter.name): parameter.text(values[parameter.name])
        if parameter.choices
        else repr(values[parameter.name])
        for parameter in get_method(method_id).parameters
        if values[parameter.name] != parameter.default
    }


def _note(cell: Cell, record: Mapping[str, Any], convention: Convention) -> str:
    notes = []
    if cell.convention != convention:
        notes.append(f"The cell uses the {cell.convention} convention; the other pages use {convention}.")
    if record["stop"] != "converged" and get_method(cell.choice.method).path_start != "zero":
        notes.append(
            f"The cell's fit ended with “{record['stop']}”, so a fit from another start ends at a slightly "
            "different model."
        )
    return " ".join(notes)
