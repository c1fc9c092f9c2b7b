"""The page of all lessons: what each is about, how long it takes, and how far this visitor has come."""

from __future__ import annotations

import html

import streamlit as st

from core.lessons import broken_lessons, lessons
from core.names.plain import in_markdown
from pages.shared import frame
from pages.shared.lesson import progress
from pages.shared.lesson.panel import first_address, save_button
from pages.shared.lesson.place import link
from pages.shared.live_chart import main_picture


def render() -> None:
    """Draw the page."""
    st.header("Lessons: predict first, then see", anchor=False)
    st.markdown(
        "Each step asks what you expect, shows the result beside it, and explains the gap. Nothing is graded, and only "
        "this browser keeps how far you have come."
    )
    for error in broken_lessons():
        st.warning(in_markdown(str(error)))
    with main_picture():
        for lesson in lessons():
            known, steps = progress.of(lesson.name), len(lesson.steps)
            done = len(known.seen)
            told = f"{steps} steps" if not done else "done" if done == steps else f"{done} of {steps} steps done"
            with st.container(key=f"lesson_{lesson.name}", border=True):
                st.html(f'<h3 class="lesson-title">{html.escape(lesson.title)}</h3>')
                st.markdown(lesson.about)
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.caption(f"{lesson.minutes} minutes · {told}", width="content")
                    next_step = next((step.number for step in lesson.steps if step.number not in known.seen), 1)
                    words = (
                        "Start" if not done else "Take it again" if done == steps else f"Continue with step {next_step}"
                    )
                    link(words, first_address(lesson.name, next_step), primary=True)
                    choice = frame.last_choice()
                    if lesson.any_data and choice is not None and choice.source.name != lesson.dataset:
                        link(f"On {choice.source.name}", first_address(lesson.name, own=True))
                    save_button(lesson)
                    if known != progress.Progress():
                        st.button(
                            "Start again", key=f"again_{lesson.name}", type="tertiary", on_click=progress.start_again,
                            args=(lesson.name,), help="Forgets your predictions of this lesson",
                        )  # fmt: skip
    progress.keep()
