"""The description of an experiment, one figure or table of a paper: its cells, their outcomes, and its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from core.data import Convention
from core.experiments.run.plan import DatasetSource, PlannedFold, check_names, read_folds
from core.experiments.run.store.store import CellType, OutcomeType


@dataclass(frozen=True)
class Request:
    """The data and settings with which an experiment is asked for.

    Attributes
    ----------
    sources : tuple of DatasetSource
        The datasets.
    convention : {"standard", "letor3", "letor4"}, optional
        Convention of the metrics; by default each dataset's own.
    quick : bool
        Use few sizes and trials instead of the paper's, in experiments that offer it.
    """

    sources: tuple[DatasetSource, ...] = ()
    convention: Convention | None = None
    quick: bool = False


def requested_folds(
    request: Request, *, parts: Sequence[str] = ("train",), most: int | None = None
) -> tuple[PlannedFold, ...]:
    """List every fold of every dataset, dataset by dataset, each with the request's convention; see `read_folds`.

    Raises
    ------
    DataError
        If a dataset cannot be used, lacks such a part, or has the name of another.
    """
    found: list[PlannedFold] = []
    for source in dict.fromkeys(request.sources):
        folds = list(read_folds(source, parts, most))
        check_names([*{fold.dataset.name for fold in found}, folds[0].dataset.name])
        found += folds
    if request.convention is None:
        return tuple(found)
    return tuple(replace(fold, dataset=replace(fold.dataset, convention=request.convention)) for fold in found)


@dataclass(frozen=True)
class ResultTable:
    """A table of an experiment.

    Attributes
    ----------
    name : str
        Stem of its file; unique in the experiment.
    title : str
        Meaning of its rows, and how to read them.
    rows : tuple of dict
        Plain values; all rows have the same keys.
    """

    name: str
    title: str
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True, kw_only=True)
class PaperExperiment(Generic[CellType, OutcomeType]):
    """A row of the registry: an experiment with everything needed to run it.

    Attributes
    ----------
    name : str
        Name on the command line, such as ``"fsmrank-fig1-3"``.
    title : str
        What it shows.
    source : str
        Paper, and figure or table.
    data : str
        The datasets it needs, in a few words; empty if it draws its own data.
    help : str
        A short paragraph: what is computed, and what the paper leaves open.
    cells : callable
        Takes a request, returns the cells of the experiment in the order of computation. Reads as much of the datasets
        as needed. May raise `DataError`.
    work : callable
        Takes a cell and the outcomes known so far by cell, returns its outcome. May raise `DataError`.
    outcome : type
        Type of the outcomes; see `core.experiments.run.store.store.Piece`.
    tables : callable
        Takes the known outcomes in the order of the cells, returns tables.
    has_quick : bool
        Whether a quick request differs from the paper's.
    """

    name: str
    title: str
    source: str
    data: str
    help: str
    cells: Callable[[Request], Sequence[CellType]]
    work: Callable[[CellType, Mapping[CellType, OutcomeType]], OutcomeType]
    outcome: type[OutcomeType]
    tables: Callable[[Sequence[OutcomeType]], Sequence[ResultTable]]
    has_quick: bool = True
