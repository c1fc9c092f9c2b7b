"""One job of a kind at a time: who asks for another stops the one before, which keeps what it has reached."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.shared.work.board import board
from pages.shared.work.jobs import Job


def make_latest(job: Job[Any] | None, key: str) -> None:
    """Stop the job of the same kind that this session had under way before, and remember this one in its place.

    Parameters
    ----------
    job : Job or None
        None where nothing of the kind has been asked for as the controls stand now.
    key : str
        Under which the session remembers the latest job of the kind.
    """
    previous: Job[Any] | None = st.session_state.get(key)
    if previous is not None and previous is not job and previous.active:
        board().stop(previous)
    st.session_state[key] = job
