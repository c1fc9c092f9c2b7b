"""What core answers to the steps of a lesson, computed once for all visitors."""

from __future__ import annotations

from collections.abc import Mapping

from core.data import DataError
from core.lessons import LessonResults
from core.lessons.answers import Opened
from core.lessons.declared import Facts, LessonData
from pages.shared.choice import access
from pages.shared.choice.source import Source
from pages.shared.lesson.place import Place
from pages.shared.work import stepwise
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job, wait_a_moment


def facts(place: Place) -> Mapping[str, Facts] | None:
    """The results that a step needs; None while a progress bar stands on the page.

    Raises
    ------
    DataError
        If the data cannot be opened.
    """
    needed = _needed(place)
    begun = board().find(needed.key, session_id())
    if begun is not None and begun.active:  # by `prepare`: most is done by now
        wait_a_moment(begun, stepwise.PATIENCE)
    return stepwise.made(needed, panel="lesson_steps")  # the page beneath may have a progress bar, too


def prepare(place: Place) -> None:
    """Compute the results beside the page while the reader thinks; other work goes first."""
    try:
        needed = _needed(place)
    except DataError:  # said where the result is asked for
        return
    board().ask(Job(needed.key, session_id(), needed.work, patient=True))


def opener(chosen: Source | None) -> Opened:
    """What opens the folds of a lesson; ``chosen`` is the visitor's data, where the lesson is taken on that."""

    def opened(dataset: str, fold: int) -> LessonData:
        source = chosen if chosen is not None and dataset == chosen.name else access.usual_source(dataset)
        return LessonData(access.fold(source, fold), access.dataset(source).convention)

    return opened


def _needed(place: Place) -> LessonResults:
    return LessonResults.of(place.lesson, place.step, open_fold=opener(place.source))
