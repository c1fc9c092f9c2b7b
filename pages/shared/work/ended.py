"""What a screen reader says when work has ended, each end once; `pages/shared/server/ended.js` has the line for it."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.shared.work.jobs import Job

_UNDER_WAY = "work_under_way"
_SAID = "work_ended_said"


def say_when_ended(jobs: Sequence[Job[Any]], words: Callable[[], str]) -> None:
    """Say these words once, when none of these jobs is active any more and one of them has finished.

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
    """Return the attributes of an element that tells what has ended since the last run.

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
