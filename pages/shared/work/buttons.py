"""Stop and Continue of work beside the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.shared.work.board import board
from pages.shared.work.jobs import Job, wait_a_moment

SOON = 0.2
"""Seconds: most steps are over by then."""
KEPT = "Stops and keeps the result so far. If others wait for it, it continues for them."
FROM_THERE = "Continue from there"
FIT_KEY, STOP_KEY, CONTINUE_KEY = "Ctrl+Enter", "F8", "F9"
"""No single letters: who dictates, or slips, would press them (WCAG 2.1.4)."""


def stop_button(
    key: str, *jobs: Job[Any], help: str = KEPT, shortcut: str | None = None, disabled: bool = False
) -> None:
    """Stop these jobs after the step under way, and draw the whole page again."""
    st.button("Stop", key=key, on_click=_stop, args=(jobs,), help=help, shortcut=shortcut, disabled=disabled)


def continue_button(
    key: str, *jobs: Job[Any], help: str = FROM_THERE, shortcut: str | None = None, disabled: bool = False
) -> None:
    """Let these jobs go on, and draw the whole page again: a fragment that has come to rest does not tick."""
    st.button("Continue", key=key, on_click=_go_on, args=(jobs,), help=help, shortcut=shortcut, disabled=disabled)


def _stop(jobs: Sequence[Job[Any]]) -> None:
    """Stop them, and wait a moment for it: the page that is drawn next then has the last step, and only it is drawn."""
    for job in jobs:
        board().stop(job)
    for job in jobs:
        wait_a_moment(job, SOON)
    st.rerun()


def _go_on(jobs: Sequence[Job[Any]]) -> None:
    for job in jobs:
        board().resume(job)
    st.rerun()
