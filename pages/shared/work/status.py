"""What is told of work beside the page's panels: that the solvers are being prepared, and aloud that work has ended."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.shared.lazy import dialog_is_open, fragment
from pages.shared.work.board import board
from pages.shared.work.jobs import Job

PREPARING = "Preparing the solvers: about 40 s, once. Whatever needs them waits."
WAITS = "waits for the solvers, which are being prepared"
TICK = 1.0  # seconds between looks
_UNDER_WAY = "work_under_way"
_SAID = "work_ended_said"


def preparing_line() -> None:
    """Say that the solvers are being compiled, once after an installation; the page is drawn at the end.

    Call it from a page's script, not from a fragment.
    """
    if board().fits.preparing:
        fragment(_line, run_every=TICK)()


def _line() -> None:
    if not board().fits.preparing and not dialog_is_open():
        st.rerun()
    st.html(f'<div class="preparing">{PREPARING}</div>')


def say_when_ended(jobs: Sequence[Job[Any]], words: Callable[[], str]) -> None:
    """Have a screen reader say these words once, when none of these jobs is active any more and one has finished.

    Parameters
    ----------
    jobs : sequence of Job
        Of which at least one is active.
    words : callable
        Called at the end, for one sentence.
    """
    under_way = st.session_state.setdefault(_UNDER_WAY, {})
    under_way[tuple(job.key for job in jobs)] = (tuple(jobs), words)


def ended_attributes() -> str:
    """Return the attributes of an element that tells `pages/shared/server/page.js` what has ended since the last run.

    What was stopped is left out, as a person did that.
    """
    under_way = st.session_state.get(_UNDER_WAY, {})
    rested = [key for key, (jobs, _) in under_way.items() if not any(job.active for job in jobs)]
    ends = [under_way.pop(key) for key in rested]
    words = [*filter(None, (told() for jobs, told in ends if any(job.state == "finished" for job in jobs)))]
    number, said = st.session_state.get(_SAID, (0, ""))
    if words:
        st.session_state[_SAID] = number, said = number + 1, " ".join(words)
    return f'data-ended="{number}" data-words="{html.escape(said)}"'
