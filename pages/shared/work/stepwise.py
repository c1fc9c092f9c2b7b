"""Numbers that may take long: worked out beside the page step by step, with progress, time left and Stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import streamlit as st

from core.figures.look.style import seconds
from pages.shared.work.board import Job, board, session_id
from pages.shared.work.buttons import continue_button, stop_button

TICK = 0.4
PATIENCE = 0.6  # seconds that a page waits before it shows progress instead: most work is done by then

Step = TypeVar("Step")


class Steps(Generic[Step]):
    """Work whose number of steps is known.

    Parameters
    ----------
    coming : iterator
        Does a step each time it is asked for the next result.
    total : int
        How many there will be.
    """

    def __init__(self, coming: Iterator[Step], total: int) -> None:
        self.found: list[Step] = []
        self.total = total
        self._coming = coming
        self._spent = 0.0

    @property
    def done(self) -> bool:
        return len(self.found) >= self.total

    @property
    def seconds_left(self) -> float | None:
        """None before the first step is done."""
        return self._spent / len(self.found) * (self.total - len(self.found)) if self.found else None

    def advance(self) -> None:
        """Do the next step."""
        begun = time.monotonic()
        self.found.append(next(self._coming))
        self._spent += time.monotonic() - begun

    def extend(self) -> None:
        """There is no limit to raise."""


def worked_out(key: str, make: Callable[[], Steps[Step]], what: str) -> list[Step] | None:
    """All results, or None while a progress bar with Stop stands on the page, which is drawn again at the end.

    Call it from a page's script, not from a fragment.

    Parameters
    ----------
    key : str
        The same for the same work; it is not done twice in a session.
    make : callable
        Prepares the work; runs beside the page.
    what : str
        What is being worked out, in words, to stand before "12 of 46".
    """
    job: Job[Steps[Step]] | None = board().find(key, session_id())
    if job is None:
        job = board().submit(Job(key=key, owner=session_id(), make=make))
        _wait(job)
    if job.state == "finished" and job.run is not None:
        return list(job.run.found)
    st.fragment(_progress, run_every=TICK if job.active else None)(job, what)
    return None


def _wait(job: Job[Steps[Step]]) -> None:
    deadline = time.monotonic() + PATIENCE
    while job.active and time.monotonic() < deadline:
        time.sleep(0.005)


def _progress(job: Job[Steps[Step]], what: str) -> None:
    if job.state == "finished":
        st.rerun()
    if job.state == "failed":
        st.error(job.problem)
        return
    run = job.run
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.state == "queued":
            st.progress(0.0, f"{what}: waiting, number {board().place_in_line(job)} in line")
        elif run is None:
            st.progress(0.0, f"{what}: preparing")
        else:
            left = f", about {seconds(run.seconds_left)} left" if run.seconds_left is not None else ""
            ending = left if job.active else ", stopped"
            st.progress(len(run.found) / run.total, f"{what}: {len(run.found)} of {run.total}{ending}")
        if job.active:
            stop_button("steps_stop", job, help="Keep what has been worked out so far; it can go on later")
        else:
            continue_button("steps_continue", job)
