"""The description of an experiment, one figure or table of a paper: its cells, their outcomes, and its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from core.data import Convention, DataError, Fold
from core.data.errors import refuse
from core.experiments.run.plan import DatasetSource, check_names, opened_fold
from core.experiments.run.store.store import CellType, OutcomeType

Identity = tuple[tuple[str, str], ...]


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


@dataclass(frozen=True)
class FoldRef:
    """A reference to a fold, which is opened when it is needed. What is made of it depends on its content only.

    Attributes
    ----------
    dataset : str
        Its name.
    number : int
        Counting from 1.
    identity : tuple of (str, str)
        Part and fingerprint of every part, which identify the fold.
    convention : {"standard", "letor3", "letor4"}
        Convention of its metrics.
    n_features : int
    source : DatasetSource
    """

    dataset: str
    number: int
    identity: Identity
    convention: Convention
    n_features: int
    source: DatasetSource = field(repr=False, compare=False)

    @property
    def where(self) -> str:
        """Dataset and fold, for people."""
        return f"{self.dataset} fold {self.number}"

    @property
    def fingerprint(self) -> tuple[Identity, str]:
        """What identifies it, whatever the dataset is called."""
        return self.identity, self.convention

    def open(self) -> Fold:
        """Read the fold.

        Raises
        ------
        DataError
            If it cannot be used any more, or has changed.
        """
        fold = opened_fold(self.source, self.number)
        if _fingerprints(fold) != self.identity:
            refuse(f"fold {self.number} of {self.dataset} has changed since the work began; start it again")
        return fold


def requested_folds(request: Request, *, parts: tuple[str, ...] = ("train",), most: int = 0) -> tuple[FoldRef, ...]:
    """Reference every fold of every dataset, dataset by dataset; each is read once.

    Parameters
    ----------
    request : Request
    parts : tuple of {"train", "vali", "test"}
        The parts that a fold must have.
    most : int
        Largest number of folds of a dataset; 0 for all.

    Raises
    ------
    DataError
        If a dataset cannot be used, lacks such a part, or has the name of another.
    """
    refs: list[FoldRef] = []
    for source in dict.fromkeys(request.sources):
        dataset = source.open()
        check_names([*{ref.dataset for ref in refs}, dataset.name])
        for number in range(1, min(dataset.n_folds, most or dataset.n_folds) + 1):
            fold = dataset.fold(number)
            lacking = [part for part in parts if part not in fold.parts()]
            if lacking:
                msg = (
                    f"{dataset.name} has no {lacking[0]} part, which this experiment needs; use a dataset with train, "
                    "vali and test, or split a single file with --repeats 5"
                )
                raise DataError(msg)
            convention = request.convention or dataset.convention
            refs.append(FoldRef(dataset.name, number, _fingerprints(fold), convention, fold.train.n_features, source))
    return tuple(refs)


def _fingerprints(fold: Fold) -> Identity:
    return tuple((part, data.fingerprint) for part, data in fold.parts().items())


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
