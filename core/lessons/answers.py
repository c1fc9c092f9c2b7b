"""Answers of a lesson: its results as one work in steps, and each step's answer from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.analysis.ingredient import Ingredient
from core.data import open_dataset
from core.data.errors import refuse
from core.lessons.expressions import Expression
from core.lessons.lesson import Choice, Curve, Facts, Lesson, LessonData, Number, Order, Result, Step
from core.lessons.placeholders import filled, results_in, said
from core.lessons.results import KINDS
from core.work import Steps

Opened = Callable[[str, int], LessonData]
"""Opens a fold of a dataset by the dataset's name and the fold's number, from 1."""


def opened(dataset: str, fold: int) -> LessonData:
    """Open a fold of the catalogue.

    Raises a `DataError` if there is none.
    """
    found = open_dataset(dataset)
    return LessonData(found.fold(fold), found.convention)


@dataclass(frozen=True)
class LessonResults(Ingredient[Mapping[str, Facts]]):
    """All results of a lesson by their names, or those that some of its steps need."""

    results: tuple[Result, ...]
    sources: Mapping[tuple[str, int], LessonData]  # the fold of each (dataset, fold) that they name

    what = "Computing the answers"

    @classmethod
    def of(cls, lesson: Lesson, *steps: Step, open_fold: Opened = opened) -> LessonResults:
        """Return the results of a lesson, or of some of its steps.

        Raises a `DataError` if a fold cannot be opened.
        """
        wanted = frozenset().union(*map(names_in, steps)) if steps else None
        results = tuple(one for one in lesson.results if wanted is None or one.name in wanted)
        places = dict.fromkeys((one.dataset, one.fold) for one in results if one.dataset)
        return cls(results, {place: open_fold(*place) for place in places})

    def work(self) -> Steps[tuple[str, Facts | None]]:
        """Prepare the work: a step is a model, or a result that needs none."""
        return Steps(self._coming(), sum(KINDS[one.kind].steps(one) for one in self.results))

    def _coming(self) -> Iterator[tuple[str, Facts | None]]:
        for one in self.results:
            source = self.sources[one.dataset, one.fold] if one.dataset else None
            for facts in KINDS[one.kind].work(one, source):
                yield one.name, facts

    def result(self, run: Steps[tuple[str, Facts | None]]) -> Mapping[str, Facts]:
        """The facts of each result that is done."""
        return {name: facts for name, facts in run.found if facts is not None}


def names_in(step: Step) -> frozenset[str]:
    """Return the names of the results that a step needs."""
    answer = Expression(step.answer).results if step.answer else frozenset()
    return answer | results_in(step.explain)


@dataclass(frozen=True)
class Answer:
    """What core says to the question of a step."""

    # Of a choice the position of the option (from 0), of a number the number, of an order the positions of the items,
    # of a curve its points (x, y) by rising x.
    value: Any
    words: str  # the same in words, for Markdown; empty for a curve


def answer(step: Step, facts: Mapping[str, Facts]) -> Answer:
    """Compute the answer of a step that predicts something.

    Parameters
    ----------
    step : Step
    facts : mapping
        What `LessonResults` has made; it may have more results than the step needs.

    Raises
    ------
    DataError
        If there is no answer on this data, such as a quotient by 0.
    """
    assert step.predict is not None, "the step asks nothing"
    try:
        found = Expression(step.answer).value(facts)
        match step.predict:
            case Choice(keys=keys):
                value: Any = keys.index(found)
            case Order(keys=keys):
                value = tuple(keys.index(name) for name in found)
            case Curve(x_log=x_log, y_log=y_log):
                value = tuple((x, y) for x, y in found if _drawn(x, log=x_log) and _drawn(y, log=y_log))
            case Number():
                value = float(found)
                if not math.isfinite(value):
                    refuse(f"{step.answer!r} is not finite here")
    except (TypeError, ValueError) as error:
        refuse(f"step {step.number}: {error}")
    return Answer(value, said(step.predict, value))


def _drawn(value: float, *, log: bool) -> bool:
    """Tell whether an axis has a place for a value."""
    return math.isfinite(value) and (value > 0.0 or not log)


def explanation(step: Step, facts: Mapping[str, Facts], guess: Any = None) -> str:
    """Return the Markdown that explains the result of a step, with its numbers.

    Parameters
    ----------
    step : Step
    facts : mapping
        As for `answer`.
    guess
        What the reader has predicted, as `core.lessons.lesson` describes it for each prediction; None if nothing.

    Raises
    ------
    DataError
        If a number does not exist on this data.
    """
    words = answer(step, facts).words if step.predict is not None else ""
    guessed = "" if step.predict is None else said(step.predict, guess)
    try:
        return filled(step.explain, facts, words, guessed or "nothing")
    except ValueError as error:
        refuse(f"step {step.number}: {error}")
