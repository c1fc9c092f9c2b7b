"""A lesson as plain data: steps in which a reader predicts a result before the app shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from core.data import Convention, Fold

Fact = int | float | str | tuple[Any, ...] | Mapping[str, float]
Facts = Mapping[str, Fact]
SLACK = 1e-9


@dataclass(frozen=True)
class Choice:
    """One of several options.

    A guess, and the value of the answer, is the position of an option, from 0.
    """

    question: str
    options: tuple[str, ...]  # as they are shown
    keys: tuple[str, ...]  # the name of each option in the expression of the answer


@dataclass(frozen=True)
class Number:
    """A number on a scale; a guess is the number."""

    question: str
    # low, high, step: ends of the scale, and the distance of two guesses; on a logarithmic scale ``step`` is a factor
    # above 1
    low: float
    high: float
    step: float
    unit: str = ""  # after the number, such as "features"; may be empty
    log: bool = False  # whether the scale is logarithmic


@dataclass(frozen=True)
class Order:
    """Some items, to be put in order.

    A guess, and the value of the answer, has the positions of the items, from 0, the first of the order first.
    """

    question: str
    items: tuple[str, ...]  # as they are shown at first
    keys: tuple[str, ...]  # the name of each item in the expression of the answer
    # first, last: what is at the beginning and at the end of the order, such as "fewest steps" and "most steps"
    first: str
    last: str


@dataclass(frozen=True)
class Curve:
    """A curve over some places of a horizontal axis.

    A guess has a height for each of the places. The value of the answer has the points (x, y) of the true curve, which
    may be more, by rising x.

    Attributes
    ----------
    question : str
    x_label, y_label : str
    x : tuple of float
        Places where the reader sets a height; rising.
    low, high : float
        Ends of the vertical axis.
    x_log, y_log : bool
        Whether an axis is logarithmic.
    """

    question: str
    x_label: str
    x: tuple[float, ...]
    y_label: str
    low: float
    high: float
    x_log: bool = False
    y_log: bool = False


Prediction = Choice | Number | Order | Curve


@dataclass(frozen=True)
class Result:
    """A named result that a lesson declares and core computes."""

    name: str  # by which expressions call it
    kind: str  # what is computed: a name of `core.lessons.results.KINDS`
    options: Mapping[str, Any]  # of the kind: texts, numbers, tuples of numbers, and parameters by name
    dataset: str = ""  # name of the dataset; empty for a kind that needs none
    fold: int = 1  # counted from 1


@dataclass(frozen=True)
class LessonData:
    """The data that results are computed from: a fold, and the convention of its measures."""

    fold: Fold
    convention: Convention


@dataclass(frozen=True)
class Step:
    """One step of a lesson."""

    number: int  # counted from 1
    title: str
    text: str  # Markdown: what is seen and what is asked
    show: str  # address of the app while the reader predicts, as in a link: ``path?dataset=planted&method=l1``
    hide: tuple[str, ...] = ()  # controls and parts of the page that are not shown before the result is
    predict: Prediction | None = None  # None for a step that only shows something
    answer: str = ""  # expression over results; empty where nothing is predicted
    reveal: str = ""  # address of the app that shows the result; ``show`` where the file names none
    explain: str = ""  # Markdown with placeholders: why the answer is what it is
    line: int = 1  # of the file, where the step begins


@dataclass(frozen=True)
class Lesson:
    """A lesson."""

    name: str  # name of its file without the ending; in addresses ``lesson=NAME``
    title: str
    minutes: int  # how long it takes
    about: str  # what a reader knows afterwards, in one sentence
    steps: tuple[Step, ...]
    path: Path = field(compare=False)  # the file
    dataset: str = "python-docs"  # which the lesson uses
    fold: int = 1  # counted from 1
    any_data: bool = False  # whether it works on any other dataset with training, validation and test part, too
    results: tuple[Result, ...] = ()
    notes: str = ""  # Markdown below the front matter, for teachers; may be empty

    def step(self, number: int) -> Step:
        """Return a step by its number; of a number that is too small or too large, the first or the last one."""
        return self.steps[min(max(number, 1), len(self.steps)) - 1]

    def on(self, dataset: str, fold: int, fold_name: str = "") -> Lesson:
        """Return the lesson on another dataset: what is of the lesson's own one is then of that one.

        Parameters
        ----------
        dataset : str
            Name in an address.
        fold : int
            Counted from 1.
        fold_name : str
            Name in an address, by default ``Fold`` with the number.

        Raises
        ------
        ValueError
            If the lesson works on its own data only.
        """
        if not self.any_data:
            msg = f"the lesson {self.name} works on {self.dataset} only"
            raise ValueError(msg)

        def moved(address: str) -> str:
            return with_data(address, dataset, fold_name or f"Fold{fold}", instead_of=self.dataset)

        results = tuple(
            replace(one, dataset=dataset, fold=fold) if one.dataset == self.dataset else one for one in self.results
        )
        steps = tuple(replace(one, show=moved(one.show), reveal=moved(one.reveal)) for one in self.steps)
        return replace(self, dataset=dataset, fold=fold, results=results, steps=steps)


def with_data(address: str, dataset: str, fold: str, instead_of: str = "") -> str:
    """Return an address with dataset and fold, where it names no dataset or the one that is to be replaced."""
    page, _, query = address.partition("?")
    keys = dict(parse_qsl(query, keep_blank_values=True))
    if keys.get("dataset", instead_of) != instead_of:
        return address
    others = {key: value for key, value in keys.items() if key not in ("dataset", "fold")}
    return f"{page}?{urlencode({'dataset': dataset, 'fold': fold} | others)}"


def can_be_guessed(predict: Prediction, value: Any) -> bool:
    """Tell whether an answer lies on the scale of its question; a curve has to run over all places of a guess."""
    if isinstance(predict, Number):
        return bool(predict.low <= value <= predict.high)
    if isinstance(predict, Curve):
        reaches = len(value) > 1 and value[0][0] <= predict.x[0] + SLACK and value[-1][0] >= predict.x[-1] - SLACK
        return reaches and all(predict.low <= y <= predict.high for _, y in value)
    return True
