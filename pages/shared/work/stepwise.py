"""Numbers that may take long: worked out beside the page step by step, and shown once all are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from core.work import Steps
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.panel import Panel, counted, draw_panel

PATIENCE = 0.6  # seconds that a page waits before it shows progress instead: most work is done by then

Step = TypeVar("Step")


def all_steps(key: str, make: Callable[[], Steps[Step]], what: str, *, travels: bool = True) -> list[Step] | None:
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
    travels : bool
        As for `Task`.
    """
    job: Job[Steps[Step]] | None = board().find(key, session_id())
    if job is None:
        job = board().submit(Job(key=key, owner=session_id(), make=make, travels=travels))
        wait_a_moment(job, PATIENCE)
    active = job.active
    if job.state == "finished" and job.run is not None:
        return list(job.run.found)
    jobs = [job]
    panel = Panel(
        key="steps",
        what=what,
        starting="preparing",
        reached=lambda: counted(jobs, ""),
        stop_help="Stops and keeps the results so far; you can continue later",
    )
    draw_panel(panel, jobs, active=active)
    return None
