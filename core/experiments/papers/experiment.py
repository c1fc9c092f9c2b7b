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
    """The data and settings with which an experiment is asked for."""

    sources: tuple[DatasetSource, ...] = ()  # the datasets
    convention: Convention | None = None  # convention of the metrics; by default each dataset's own
    quick: bool = False  # use few sizes and trials instead of the paper's, in experiments that offer it


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
        folds = read_folds(source, parts, most)
        first = next(folds)
        check_names([*{fold.dataset.name for fold in found}, first.dataset.name])
        found += [first, *folds]
    if request.convention is None:
        return tuple(found)
    return tuple(replace(fold, dataset=replace(fold.dataset, convention=request.convention)) for fold in found)


@dataclass(frozen=True)
class ResultTable:
    """A table of an experiment."""

    name: str  # stem of its file; unique in the experiment
    title: str  # meaning of its rows, and how to read them
    rows: tuple[dict[str, Any], ...]  # plain values; all rows have the same keys


@dataclass(frozen=True, kw_only=True)
class PaperExperiment(Generic[CellType, OutcomeType]):
    """A row of the registry: an experiment with everything needed to run it."""

    name: str  # name on the command line, such as ``"fsmrank-fig1-3"``
    title: str  # what it shows
    source: str  # paper, and figure or table
    data: str  # the datasets it needs, in a few words; empty if it draws its own data
    help: str  # a short paragraph: what is computed, and what the paper leaves open
    # Takes a request, returns the cells of the experiment in the order of computation. Reads as much of the datasets as
    # needed. May raise `DataError`.
    cells: Callable[[Request], Sequence[CellType]]
    # Takes a cell and the outcomes known so far by cell, returns its outcome. May raise `DataError`.
    work: Callable[[CellType, Mapping[CellType, OutcomeType]], OutcomeType]
    outcome: type[OutcomeType]  # type of the outcomes; see `core.experiments.run.store.store.Piece`
    # Takes the known outcomes in the order of the cells, returns tables.
    tables: Callable[[Sequence[OutcomeType]], Sequence[ResultTable]]
    has_quick: bool = True  # whether a quick request differs from the paper's
