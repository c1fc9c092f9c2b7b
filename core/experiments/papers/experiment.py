"""One figure or table of a paper as an experiment: its pieces, what they come to, and the tables made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from core.data import Convention
from core.experiments.run.cell_run import CellType, OutcomeType
from core.experiments.run.plan import DatasetSource

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    """What somebody asks of an experiment.

    Attributes
    ----------
    sources : tuple of DatasetSource
        How its datasets are opened.
    convention : {"standard", "letor3", "letor4"}, optional
        Of the metrics; by default each dataset's own.
    quick : bool
        Few sizes and trials instead of the paper's, where the experiment has so many.
    """

    sources: tuple[DatasetSource, ...] = ()
    convention: Convention | None = None
    quick: bool = False


@dataclass(frozen=True)
class ResultTable:
    """A table of an experiment.

    Attributes
    ----------
    name : str
        Stem of its file; unique in the experiment.
    title : str
        What its rows are, and how they are to be read.
    rows : tuple of dict
        Plain values; all rows have the same keys.
    """

    name: str
    title: str
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True, kw_only=True)
class PaperExperiment(Generic[CellType, OutcomeType]):
    """A row of the registry.

    Attributes
    ----------
    name : str
        As on the command line, such as ``"fsmrank-fig1-3"``.
    title : str
        What it shows.
    source : str
        Paper, and figure or table.
    data : str
        Which datasets it needs, in a few words; empty where it draws its own data.
    help : str
        What is worked out and what the paper leaves open, a short paragraph.
    cells : callable
        From a request to the pieces of the experiment, in the order in which they are worked out. Reads what it must
        of the datasets. May raise `DataError`.
    work : callable
        From a cell, and what is known so far, to its outcome; as for `core.experiments.run.cell_run.CellRun`.
    depends : callable
        From a cell to everything that its outcome depends on but the code, as plain values: fingerprints and settings.
    pack, unpack : callable
        From an outcome to plain values, every digit kept, and back (given its cell).
    tables : callable
        From the outcomes that are known, in the order of the cells, to tables.
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
    depends: Callable[[CellType], Json]
    pack: Callable[[OutcomeType], Json]
    unpack: Callable[[CellType, Json], OutcomeType]
    tables: Callable[[Sequence[OutcomeType]], Sequence[ResultTable]]
    has_quick: bool = True
