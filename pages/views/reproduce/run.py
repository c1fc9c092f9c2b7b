"""A run of the protocol as a job: its store, its workers while it works, progress by line, Stop and Continue."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd
import streamlit as st

from core.experiments.run.cells import Cell
from core.experiments.run.plan import Plan
from core.experiments.run.progress import Progress, duration
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import RunStore
from core.experiments.run.titles import choice_titles
from core.experiments.run.workers.workers import Failure, Workers
from pages.shared.work.board import Job, board, session_id
from pages.shared.work.buttons import continue_button, stop_button

_REPRODUCE_ACTIVE = "reproduce_active"
_REPRODUCE_JOB = "reproduce_job"
_REPRODUCE_SEEN = "reproduce_seen"
TICK = 1.0
STALE_SECONDS = 5.0  # the tables are drawn again so often while results come in, and whenever a line is complete


class RestingRun:
    """A `ProtocolRun` that can rest: it holds a store and worker processes only while it works.

    Parameters
    ----------
    plan : Plan
    place : Path
        Of the store.
    make_workers : callable
        Called whenever the work begins or goes on.

    Attributes
    ----------
    progress : Progress or None
        As of the last step.
    problems : dict of Cell to Failure
        What could not be worked out.
    """

    def __init__(self, plan: Plan, place: Path, make_workers: Callable[[], Workers]) -> None:
        self.plan = plan
        self.progress: Progress | None = None
        self.problems: dict[Cell, Failure] = {}
        self.done = False
        self._place, self._make_workers = place, make_workers
        self._working: tuple[RunStore, ProtocolRun] | None = None

    def advance(self) -> None:
        """Take a step, which waits a moment for results."""
        if self._working is None:
            store = RunStore(self._place)
            try:
                self._working = store, ProtocolRun(self.plan, store, self._make_workers())
            except BaseException:
                store.close()
                raise
        _, run = self._working
        run.advance()
        self.problems, self.progress, self.done = dict(run.problems), run.progress, run.done

    def extend(self) -> None:
        """There is no limit to raise."""

    def rest(self) -> None:
        """End the workers and close the store; cells in flight are given back."""
        if self._working is not None:
            store, run = self._working
            self._working = None
            try:
                run.close()
            finally:
                store.close()


def job_of(plan: Plan, place: Path) -> Job[RestingRun] | None:
    """This session's job for a plan, or one whose own session has gone."""
    job: Job[RestingRun] | None = board().find(_key(plan, place), session_id())
    previous: Job[RestingRun] | None = st.session_state.get(_REPRODUCE_JOB)
    if previous is not None and previous is not job and previous.active:
        board().stop(previous)  # one run at a time: what is finished is in the store
    st.session_state[_REPRODUCE_JOB] = job
    return job


def start(plan: Plan, place: Path, make_workers: Callable[[], Workers]) -> None:
    """Begin, or go on from what the store has; for callbacks."""
    job = Job(
        key=_key(plan, place),
        owner=session_id(),
        make=lambda: RestingRun(plan, place, make_workers),
        let_go=RestingRun.rest,
    )
    board().submit(job)


def progress_panel(job: Job[RestingRun], drawn: int) -> None:
    """How far it is, drawn again by itself; the whole page follows when there is more to see than ``drawn`` cells.

    Call it from a page's script, not from a fragment.
    """
    st.fragment(_progress, run_every=TICK if job.active else None)(job, drawn)


def _progress(job: Job[RestingRun], drawn: int) -> None:
    run = job.run
    found = run.progress if run is not None else None
    if job.active or st.session_state.get(_REPRODUCE_ACTIVE):
        st.session_state[_REPRODUCE_ACTIVE] = job.active
        if not job.active or (found is not None and _worth_a_look(found, drawn)):
            st.rerun()
    if job.state == "failed":
        st.error(job.problem, icon="🗄️")
        return
    if job.state == "finished":
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(found.done / max(found.total, 1) if found is not None else 0.0, _words(job, found))
        if job.active:
            stop_button("reproduce_stop", job, help="Finished cells are kept, those under way are given up")
        else:
            continue_button("reproduce_continue", job, help="Go on from what is in the store")
    if found is not None:
        _lines(found, choice_titles(run.plan.choices) if run is not None else {})


def _worth_a_look(found: Progress, drawn: int) -> bool:
    """Whether a line has been completed since the page was drawn, or it has been a while with anything new."""
    lines = sum(line.complete for line in found.lines)
    seen: tuple[int, int] = st.session_state.get(_REPRODUCE_SEEN, (0, 0))
    ticks = seen[1] + 1
    new = found.done > drawn and (lines > seen[0] or ticks * TICK >= STALE_SECONDS)
    st.session_state[_REPRODUCE_SEEN] = (lines, 0) if new else (seen[0], ticks)
    return new


def _lines(found: Progress, titles: Mapping[str, str]) -> None:
    """Datasets down, methods across, finished cells in between."""
    with st.expander("By dataset and method", expanded=True):
        rows: dict[str, dict[str, str]] = {}
        for line in found.lines:
            failed = f", {line.failed} failed" if line.failed else ""
            words = "✓" if line.done == line.total else f"{line.done}/{line.total}{failed}"
            rows.setdefault(line.dataset, {})[titles[line.label]] = words
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "dataset"
        st.dataframe(table, key="reproduce_lines")


def _words(job: Job[RestingRun], found: Progress | None) -> str:
    if job.state == "queued":
        return f"Waiting: number {board().place_in_line(job)} in line"
    if found is None:
        return "Starting the workers …"
    done = f"{found.done} of {found.total} cells"
    if job.state == "paused":
        return f"{done}, stopped"
    return done if found.seconds_left is None else f"{done}, {duration(found.seconds_left)} left"


def _key(plan: Plan, place: Path) -> str:
    return "protocol-" + hashlib.sha256(repr((str(place), [cell.key for cell in plan.cells])).encode()).hexdigest()
