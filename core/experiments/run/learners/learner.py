"""The interface of a learner in a cell of the protocol: a method of the registry, or a reference outside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import ChoiceRule, ChoiceTable
from core.analysis.penalties.several_starts import Minimum
from core.data import Convention, Fold, RankingData
from core.methods.base import settings_of
from core.penalties import Parameter
from core.solvers import TracePoint

FloatArray = NDArray[np.float64]
Parameters = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Question:
    """How a learner chooses its model; everything that the choice depends on, except the fold."""

    # Every parameter of the learner, so that a new default makes another question, except those that validation chooses
    # among the program's values.
    settings: Parameters
    points: int  # largest number of settings to try, such as values of lambda
    measure: str  # measure by which the validation part chooses among them
    convention: Convention  # convention of that measure
    rule: ChoiceRule = "best"  # rule of the choice; see `core.analysis.choosing`
    # From how many starts the problem of the chosen model is fitted; 1 for a learner of which no start changes it.
    starts: int = 1
    widen: bool = False  # whether the grid of lambda widens until the choice lies inside


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
    trace : tuple of TracePoint
        That of the chosen model's solver; empty where it has none.
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
    trace: tuple[TracePoint, ...]
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

    def settings(self, given: Mapping[str, float | str] | None = None) -> dict[str, float]:
        """Return every parameter with its value; see `core.methods.base.Method.settings`."""
        return settings_of(f"method {self.id}" if self.linear else self.id, self.parameters, given)

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
