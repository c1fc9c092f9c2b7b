"""A finished lesson as a page that needs no server: homework for the train."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.export.saved.lesson import saved_lesson
from core.lessons import Lesson, LessonResults
from core.lessons.declared import Facts
from pages.shared.choice.source import Source
from pages.shared.lesson import progress
from pages.shared.lesson.answers import opener
from pages.shared.work.stepwise import at_once


def save_button(lesson: Lesson, chosen: Source | None = None) -> None:
    """Offer the page once every step has been seen.

    Parameters
    ----------
    lesson : Lesson
        On the data that it is taken on.
    chosen : Source, optional
        The visitor's data, where the lesson is taken on that.
    """
    known = progress.of(lesson.name)
    if not {step.number for step in lesson.steps} <= set(known.seen):
        return

    opened = opener(chosen)

    def page() -> str:
        facts: dict[str, Facts] = {}
        for step in lesson.steps:  # each has been made when its result was shown
            found: Mapping[str, Facts] = at_once(LessonResults.of(lesson, step, open_fold=opened))
            facts |= found
        source = opened(lesson.dataset, lesson.fold) if lesson.dataset else None
        return saved_lesson(lesson, facts, known.guesses, source)

    st.download_button(
        "Save as a page", page, f"lesson-{lesson.name}.html", "text/html", on_click="ignore",
        key=f"html_lesson_{lesson.name}", icon=":material/download:",
        help="What was asked, your predictions, the results and the explanations in one file that needs no network.",
    )  # fmt: skip
