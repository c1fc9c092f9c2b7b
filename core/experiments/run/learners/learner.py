"""The interface of a learner in a cell of the protocol: a method of the registry, or a reference outside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import ChoiceRule, ChoiceTable
from core.analysis.penalties.several_starts import Minimum
from core.data import Convention, Fold, RankingData
from core.penalties import Parameter
from core.solvers import Certificate, TracePoint

FloatArray = NDArray[np.float64]
Columns = Mapping[str, NDArray[Any]]
Parameters = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Question:
    """How a learner chooses its model; everything that the choice depends on, except the fold.

    Attributes
    ----------
    settings : tuple of (str, float)
        Every parameter of the learner, so that a new default makes another question, except those that validation
        chooses among the program's values.
    points : int
        Largest number of settings to try, such as values of lambda.
    measure : str
        Measure by which the validation part chooses among them.
    convention : {"standard", "letor3", "letor4"}
        Convention of that measure.
    rule : {"best", "one-se", "average"}
        Rule of the choice; see `core.analysis.choosing`.
    starts : int
        From how many starts the problem of the chosen model is fitted; 1 for a learner of which no start changes it.
    widen : bool
        Whether the grid of lambda widens until the choice lies inside.
    """

    settings: Parameters
    points: int
    measure: str
    convention: Convention
    rule: ChoiceRule = "best"
    starts: int = 1
    widen: bool = False


@dataclass(frozen=True, eq=False)
class Learned:
    """The chosen model.

    Attributes
    ----------
    record : dict
        Its description without metrics, JSON-ready: ``model`` ("linear" or else), ``solver``,
        ``parameters``, ``lambda``, ``C``, ``certificate``, ``stop``, ``seconds``, ``nonzero``, ``features``, ``grid``
        and so on; what the learner does not have is None.
    score : callable
        Takes ranking data, returns the scores of its documents, shape (n_documents,).
    weights : ndarray, shape (n_features,)
        Weights of a linear model; for any other the importance of each feature, 0 if it is not used.
    trace : dict of str to ndarray
        Trace of the chosen model: columns of equal length, one row a step.
    grid_seconds : float
        Learning time over all settings tried.
    table : ChoiceTable or None
        The table of the choice, one row a model tried, in the order of ``grid`` in the record; None if there was
        nothing to choose.
    tried : sequence of callable
        Every model tried, in the same order, as a function from ranking data to scores.
    text : str
        The model as text if weights do not describe it; empty for a linear model.
    minima : sequence of Minimum
        Those that several starts lead to, lowest first, where that was asked for.
    """

    record: dict[str, Any]
    score: Callable[[RankingData], FloatArray]
    weights: FloatArray
    trace: Columns
    grid_seconds: float
    table: ChoiceTable | None = None
    tried: Sequence[Callable[[RankingData], FloatArray]] = ()
    text: str = ""
    minima: Sequence[Minimum] = ()


class Learner(ABC):
    """A line of the protocol's table.

    Attributes
    ----------
    id, title, source : str
        Name on the command line, name for people, and citation.
    parameters : tuple of Parameter
        That a person may set.
    linear : bool
        Whether its models are weights of features, which every page can open.
    """

    id: str
    title: str
    source: str
    parameters: tuple[Parameter, ...]
    linear: bool

    @property
    def depends_on_start(self) -> bool:
        """Whether another start may give another model."""
        return False

    @property
    def missing(self) -> str | None:
        """One sentence that says what to install before it can be used; None if nothing is missing."""
        return None

    @abstractmethod
    def settings(self, given: Mapping[str, float | str] | None = None) -> dict[str, float]:
        """Return every parameter with its value: the given one, else the default.

        Raises
        ------
        ValueError
            If a name is unknown or a value out of range.
        """

    @abstractmethod
    def learn(self, fold: Fold, question: Question, searches: Path | None = None) -> Learned:
        """Fit all settings on the training part, and choose on the validation part; the test part is not used.

        Parameters
        ----------
        fold : Fold
        question : Question
        searches : Path, optional
            Folder for what long searches have reached, so that the next call goes on from there if this one is killed.
            The model does not depend on it.

        Raises
        ------
        DataError
            If the data cannot be used, or the learner is missing.
        """


_COLUMNS: Mapping[str, Callable[[TracePoint], Any]] = {
    **{name: attrgetter(name) for name in ("step", "objective")},
    "certificate": attrgetter("certificate.value"),
    **{name: attrgetter(f"certificate.{name}") for name in ("relative", "kind", "unit", "among")},
    **{name: attrgetter(name) for name in ("seconds", "passes", "nonzero", "provisional")},
}
_FLOATS = ("objective", "certificate", "relative", "seconds", "passes")


def trace_columns(trace: Sequence[TracePoint]) -> dict[str, NDArray[Any]]:
    """Make columns with one row an iterate.

    They are step, objective, certificate (its value), relative, seconds, passes, nonzero and provisional. The
    certificate's kind, unit and among are columns too, because they may change during a fit.
    """
    return {
        name: np.array([read(point) for point in trace], dtype=np.float64 if name in _FLOATS else None)
        for name, read in _COLUMNS.items()
    }


def trace_points(columns: Mapping[str, NDArray[Any]]) -> tuple[TracePoint, ...]:
    """Rebuild the trace that `trace_columns` made; empty if the columns are not those of a solver."""
    if not columns.keys() >= _COLUMNS.keys():
        return ()
    rows = zip(*(columns[name].tolist() for name in _COLUMNS), strict=True)
    return tuple(
        TracePoint(
            step, objective, Certificate(kind, value, relative, unit, among=among), seconds, passes, nonzero, inner
        )
        for step, objective, value, relative, kind, unit, among, seconds, passes, nonzero, inner in rows
    )
