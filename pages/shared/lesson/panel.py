"""The panel of a lesson over the picture: it asks, locks the prediction, shows the result beside it, and leads on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from core.data import DataError
from core.export.saved.lesson import saved_lesson
from core.figures.lessons.guess import gap_figure, gap_rows, gap_sentence
from core.lessons import Lesson, LessonError, LessonResults, answer, explanation, lessons
from core.lessons.answers import Opened
from core.lessons.lesson import Facts, LessonData
from core.names.plain import in_markdown
from pages.shared.choice import access
from pages.shared.choice.choice import Source
from pages.shared.controls import download
from pages.shared.lazy import fragment
from pages.shared.lesson import progress
from pages.shared.lesson.place import Place, leave, link, link_html, with_place
from pages.shared.live_chart import live_chart
from pages.shared.room import poll
from pages.shared.work import stepwise
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import wait_a_moment

KEY = "lesson"
LIST = "lessons"
"""The page that lists the lessons."""


def draw(now: Place | str | None, page: str) -> None:
    """Draw the panel where the address is in a lesson: where the visitor is ``now``, or why that cannot be.

    ``page`` is the one that is drawn, by its name in the address.
    """
    if now is None or page == LIST:
        return
    with st.container(key=KEY, border=True):
        if isinstance(now, str):
            st.warning(in_markdown(now))
            rows = [link_html(one.title, first_address(one.name)) for one in lessons()]
            st.html(f"Lessons: {' · '.join(rows)}")
            _close()
        elif now.is_here(page):
            _step(now)
        else:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(
                    f"You are looking around, in the lesson **{in_markdown(now.lesson.title)}**, {_of(now)}.",
                    width="content",
                )
                link("Back to the lesson", now.address)
                _close()


def hides(now: Place | str | None, page: str) -> tuple[str, ...]:
    """What the step hides of its page until its result is shown."""
    return now.step.hide if isinstance(now, Place) and now.is_here(page) and not now.revealed else ()


def first_address(name: str, number: int = 1, *, own: bool = False) -> str:
    """The address at which a lesson begins or goes on."""
    found = {one.name: one for one in lessons()}[name]
    return with_place(found.step(number).show, name, number, own=own)


def _step(now: Place) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_head"):
        st.markdown(f"**{in_markdown(now.step.title)}** · {in_markdown(now.lesson.title)}, {_of(now)}", width="content")
        if now.strayed:
            link("Back to what the step shows", now.address)
        _close()
    if now.step.predict is None:
        st.markdown(now.step.text)
        progress.see(now.lesson.name, now.step.number)
        _explained(now)
        _onwards(now)
        progress.keep()
    elif now.revealed:
        _reveal(now)
        progress.keep()
    else:
        text, asked = st.columns([1, 1], gap="medium")
        with text:
            st.markdown(now.step.text)
        with asked:
            predicting(now)
        with suppress(DataError):  # said where the result is asked for
            needed = _needed(now)  # computed beside the page while the reader thinks; other work goes first
            ask_for(needed.key, needed.work, patient=True)


@fragment
def predicting(now: Place) -> None:
    """The prediction of one person, until it is locked, and the vote of a class, in which what is locked counts."""
    predict, name, number = now.predict, now.lesson.name, now.step.number
    known = progress.of(name)
    locked, seen = known.guesses.get(number), number in known.seen
    if locked is None and seen:
        st.markdown(predict.question)
        st.markdown("You have seen the result: a prediction comes too late.")
        link("Show the result", now.at(number, reveal=True), primary=True)
    elif locked is None:
        told = progress.ask(predict, f"guess_{name}_{number}")
        st.button(
            "Lock my prediction", key="lesson_lock", type="primary", icon=":material/lock:", disabled=told is None,
            on_click=_lock, args=(name, number, told),
        )  # fmt: skip
        if poll.presenting():  # who asks a class need not predict
            link("Show the result", now.at(number, reveal=True))
    else:
        st.markdown(predict.question)
        st.markdown(f"Locked. {in_markdown(gap_sentence(predict, locked, None))}")
        with st.container(horizontal=True, vertical_alignment="center"):
            link("Show the result", now.at(number, reveal=True), primary=True)
            if seen:
                st.markdown("You have seen the result: your prediction stays.", width="content")
            else:
                st.button("Change it", key="lesson_unlock", type="tertiary", on_click=_lock, args=(name, number, None))
    poll.draw(name, number, predict, locked)
    progress.keep()


def _lock(name: str, number: int, guess: Any) -> None:
    if progress.lock(name, number, guess):
        poll.vote(name, number, guess)


def _reveal(now: Place) -> None:
    try:
        facts = _facts(now)
        if facts is None:
            return
        found = answer(now.step, facts)
    except (DataError, LessonError) as error:
        st.warning(in_markdown(f"There is no answer on this data: {error}"))
        _onwards(now)
        return
    predict, number = now.predict, now.step.number
    progress.see(now.lesson.name, number)
    told = progress.of(now.lesson.name).guesses.get(number)

    def rows() -> Any:
        import pandas as pd  # heavy to import, and a lesson does without it

        return pd.DataFrame(gap_rows(predict, told, found.value))

    beside, words = st.columns([1, 1], gap="medium")
    with beside, st.container(key="lesson_gap"):
        st.markdown(predict.question)
        sentence = gap_sentence(predict, told, found.value)
        st.markdown(f"**{in_markdown(sentence)}**")
        if (figure := gap_figure(predict, told, found.value)) is not None:
            live_chart(figure, "lesson_gap", alt=sentence, table=rows)
        poll.draw(now.lesson.name, number, predict, told, found.value)
    with words:
        st.markdown("Why is it so? Explain it in your own words first." if told is not None else "Why is it so?")
        _explained(now, facts, told)
        _onwards(now)


def _explained(now: Place, facts: Mapping[str, Facts] | None = None, told: Any = None) -> None:
    """Why the result is what it is, for readers who have thought about it."""
    step = now.step
    if not step.explain:
        return
    try:
        known = _facts(now) if facts is None else facts
        why = None if known is None else explanation(step, known, told)
    except DataError as error:
        why = in_markdown(f"There is no explanation on this data: {error}.")
    if why is not None:
        title = "Explain the gap" if step.predict is not None else "More"
        with st.expander(title, key=f"explain_{now.lesson.name}_{step.number}"):
            st.markdown(why)


def _onwards(now: Place) -> None:
    last = len(now.lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_onwards"):
        if now.step.number < last:
            link(f"Next: {now.lesson.step(now.step.number + 1).title}", now.at(now.step.number + 1), primary=True)
        else:
            link("All lessons", LIST, primary=True)
            save_button(now.lesson, now.source)
        if now.step.number > 1:
            link("Step before", now.at(now.step.number - 1))


def _of(now: Place) -> str:
    return f"step {now.step.number} of {len(now.lesson.steps)}"


def _close() -> None:
    st.button("End the lesson", key="lesson_end", type="tertiary", icon=":material/close:", on_click=leave)


def _facts(now: Place) -> Mapping[str, Facts] | None:
    """The results that a step needs, of data that may raise an error; None while a progress bar stands on the page."""
    needed = _needed(now)
    begun = job_for(needed.key)
    if begun is not None and begun.active:  # while the reader thought: most is done by now
        wait_a_moment(begun, stepwise.PATIENCE)
    return stepwise.made(needed, panel="lesson_steps")  # the page beneath may have a progress bar, too


def _opener(chosen: Source | None) -> Opened:
    """What opens the folds of a lesson; ``chosen`` is the visitor's data, where the lesson is taken on that."""

    def opened(dataset: str, fold: int) -> LessonData:
        source = chosen if chosen is not None and dataset == chosen.name else access.usual_source(dataset)
        return LessonData(access.fold(source, fold), access.dataset(source).convention)

    return opened


def _needed(now: Place) -> LessonResults:
    return LessonResults.of(now.lesson, now.step, open_fold=_opener(now.source))


def save_button(lesson: Lesson, chosen: Source | None = None) -> None:
    """Offer the page of a lesson, on the data that it is taken on, once every step has been seen.

    ``chosen`` is the visitor's data, where the lesson is taken on that.
    """
    known, opened = progress.of(lesson.name), _opener(chosen)
    if not {step.number for step in lesson.steps} <= set(known.seen):
        return

    def page() -> str:
        facts: dict[str, Facts] = {}
        for step in lesson.steps:  # each has been made when its result was shown
            found: Mapping[str, Facts] = stepwise.at_once(LessonResults.of(lesson, step, open_fold=opened))
            facts |= found
        source = opened(lesson.dataset, lesson.fold) if lesson.dataset else None
        return saved_lesson(lesson, facts, known.guesses, source)

    download(
        "Save as a page", page, f"lesson-{lesson.name}.html",
        key=f"html_lesson_{lesson.name}", icon=":material/download:",
        help="What was asked, your predictions, the results and the explanations in one file that needs no network.",
    )  # fmt: skip
