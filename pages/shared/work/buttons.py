"""Stop and Continue of work beside the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.shared.work.board import board
from pages.shared.work.jobs import Job, wait_a_moment

SOON = 0.2
"""Seconds: most steps are over by then."""
KEPT = "Keep what has been reached. If others wait for it, it goes on for them."
FROM_THERE = "Go on from there"


def stop_button(
    key: str, *jobs: Job[Any], help: str = KEPT, shortcut: str | None = None, disabled: bool = False
) -> None:
    """Stop these jobs after the step under way.

    A callback does it: the page may be drawn anew, and without this button, before the click is looked at.
    """
    if st.button("Stop", key=key, on_click=_stop, args=(jobs,), help=help, shortcut=shortcut, disabled=disabled):
        st.rerun()


def continue_button(
    key: str, *jobs: Job[Any], help: str = FROM_THERE, shortcut: str | None = None, disabled: bool = False
) -> None:
    """Let these jobs go on, and draw the whole page again.

    No callback: after it this button would not be drawn, and the fragment that it stands in, which has come to rest,
    would never tick again. What rests is not drawn anew either, so the click is not lost.
    """
    if st.button("Continue", key=key, help=help, shortcut=shortcut, disabled=disabled):
        for job in jobs:
            board().resume(job)
        st.rerun()


def _stop(jobs: Sequence[Job[Any]]) -> None:
    """Stop them, and wait a moment for it: the page that is drawn next then has the last step, and only it is drawn."""
    for job in jobs:
        board().stop(job)
    for job in jobs:
        wait_a_moment(job, SOON)
