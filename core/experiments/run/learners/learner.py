"""What a cell of the protocol asks of whatever learns: a method of the registry, or a reference from outside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.analysis.choosing import ChoiceRule, ChoiceTable
from core.data import Convention, Fold, RankingData
from core.penalties import Parameter

FloatArray = NDArray[np.float64]
Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Question:
    """How a model is to be chosen; everything beside the fold that it depends on.

    Attributes
    ----------
    settings : dict of str to float
        Every parameter of the learner but those that are chosen on the validation part.
    points : int
        At most so many settings are tried, such as values of lambda.
    measure : str
        By which the validation part chooses among them.
    convention : {"standard", "letor3", "letor4"}
        Of that measure.
    rule : {"best", "one-se", "average"}
        How the validation part chooses; see `core.analysis.choosing`.
    """

    settings: Mapping[str, float]
    points: int
    measure: str
    convention: Convention
    rule: ChoiceRule = "best"


@dataclass(frozen=True, eq=False)
class Learned:
    """The chosen model.

    Attributes
    ----------
    record : dict
        What there is to say of it but its metrics, JSON-ready: ``model`` ("linear" or else), ``solver``,
        ``parameters``, ``lambda``, ``C``, ``certificate``, ``stop``, ``seconds``, ``nonzero``, ``features``, ``grid``
        and so on; what the learner does not have is None.
    score : callable
        From ranking data to the scores of its documents, shape (n_documents,).
    weights : ndarray, shape (n_features,)
        Of a linear model; of any other the importance of each feature, 0 where it is not used.
    trace : dict of str to ndarray
        How the chosen model came about: columns of equal length, one row a step.
    grid_seconds : float
        Learning time over all that was tried.
    table : ChoiceTable or None
        What the choice was made from, one row a model tried, as ``grid`` of the record has them; None where there was
        nothing to choose.
    tried : sequence of callable
        Every model tried, in the same order: from ranking data to the scores of its documents.
    text : str
        The model itself where weights do not tell it; empty for a linear one.
    """

    record: dict[str, Any]
    score: Callable[[RankingData], FloatArray]
    weights: FloatArray
    trace: Columns
    grid_seconds: float
    table: ChoiceTable | None = None
    tried: Sequence[Callable[[RankingData], FloatArray]] = ()
    text: str = ""


class Learner(Protocol):
    """A line of the protocol's table."""

    @property
    def id(self) -> str:
        """As on the command line."""
        ...

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def source(self) -> str:
        """Citation."""
        ...

    @property
    def linear(self) -> bool:
        """Whether its models are weights of features, which every page can open."""
        ...

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a person may set."""
        ...

    @property
    def missing(self) -> str | None:
        """One sentence what to install before it can be used; None where it can."""
        ...

    def settings(self, given: Mapping[str, float | str] | None = None) -> dict[str, float]:
        """Every parameter with its value, defaults where none is given.

        Raises
        ------
        ValueError
            If a name is unknown or a value out of range.
        """
        ...

    def learn(self, fold: Fold, question: Question) -> Learned:
        """Learn from the training part whatever is to be tried, and choose on the validation part.

        The test part is not looked at.

        Raises
        ------
        DataError
            If the data cannot be used, or the learner is missing.
        """
        ...
