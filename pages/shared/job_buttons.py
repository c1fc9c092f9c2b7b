"""Stop and Continue, which are never lost: whatever else changes on the page at the moment of the click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.shared.jobs import Job, board

KEPT = "Keep what has been reached"
FROM_THERE = "Go on from there"


def stop_button(
    key: str, *jobs: Job[Any], help: str = KEPT, shortcut: str | None = None, disabled: bool = False
) -> None:
    """Stop these jobs after the step under way, and draw the page again.

    A callback does it, as the page may be drawn anew before a button further down is looked at.
    """
    if st.button("Stop", key=key, on_click=_stop, args=(jobs,), help=help, shortcut=shortcut, disabled=disabled):
        st.rerun()


def continue_button(
    key: str, *jobs: Job[Any], help: str = FROM_THERE, shortcut: str | None = None, disabled: bool = False
) -> None:
    """Let these jobs go on, and draw the page again: a fragment that has come to rest ticks no more by itself."""
    if st.button("Continue", key=key, on_click=_resume, args=(jobs,), help=help, shortcut=shortcut, disabled=disabled):
        st.rerun()


def _stop(jobs: Sequence[Job[Any]]) -> None:
    for job in jobs:
        board().stop(job)


def _resume(jobs: Sequence[Job[Any]]) -> None:
    for job in jobs:
        board().resume(job)
