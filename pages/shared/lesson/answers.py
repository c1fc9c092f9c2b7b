"""What core answers to the steps of a lesson, computed once for all visitors."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.data import DataError
from core.export.saved.lesson import saved_lesson
from core.lessons import Lesson, LessonResults
from core.lessons.answers import Opened
from core.lessons.declared import Facts, LessonData
from pages.shared.choice import access
from pages.shared.choice.choice import Source
from pages.shared.lesson import progress
from pages.shared.lesson.place import Place
from pages.shared.work import stepwise
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import wait_a_moment


def facts(place: Place) -> Mapping[str, Facts] | None:
    """The results that a step needs; None while a progress bar stands on the page.

    Raises
    ------
    DataError
        If the data cannot be opened.
    """
    needed = _needed(place)
    begun = job_for(needed.key)
    if begun is not None and begun.active:  # by `prepare`: most is done by now
        wait_a_moment(begun, stepwise.PATIENCE)
    return stepwise.made(needed, panel="lesson_steps")  # the page beneath may have a progress bar, too


def prepare(place: Place) -> None:
    """Compute the results beside the page while the reader thinks; other work goes first."""
    try:
        needed = _needed(place)
    except DataError:  # said where the result is asked for
        return
    ask_for(needed.key, needed.work, patient=True)


def opener(chosen: Source | None) -> Opened:
    """What opens the folds of a lesson; ``chosen`` is the visitor's data, where the lesson is taken on that."""

    def opened(dataset: str, fold: int) -> LessonData:
        source = chosen if chosen is not None and dataset == chosen.name else access.usual_source(dataset)
        return LessonData(access.fold(source, fold), access.dataset(source).convention)

    return opened


def _needed(place: Place) -> LessonResults:
    return LessonResults.of(place.lesson, place.step, open_fold=opener(place.source))


def save_button(lesson: Lesson, chosen: Source | None = None) -> None:
    """Offer the page of a lesson, on the data that it is taken on, once every step has been seen.

    ``chosen`` is the visitor's data, where the lesson is taken on that.
    """
    known, opened = progress.of(lesson.name), opener(chosen)
    if not {step.number for step in lesson.steps} <= set(known.seen):
        return

    def page() -> str:
        facts: dict[str, Facts] = {}
        for step in lesson.steps:  # each has been made when its result was shown
            found: Mapping[str, Facts] = stepwise.at_once(LessonResults.of(lesson, step, open_fold=opened))
            facts |= found
        source = opened(lesson.dataset, lesson.fold) if lesson.dataset else None
        return saved_lesson(lesson, facts, known.guesses, source)

    st.download_button(
        "Save as a page", page, f"lesson-{lesson.name}.html", "text/html", on_click="ignore",
        key=f"html_lesson_{lesson.name}", icon=":material/download:",
        help="What was asked, your predictions, the results and the explanations in one file that needs no network.",
    )  # fmt: skip
