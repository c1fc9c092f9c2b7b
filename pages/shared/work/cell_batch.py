"""An experiment's table as a job: Start, progress, time left, Stop and Continue, and its picture as it grows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.experiments.run.cell_run import Cell, CellRun, CellType, OutcomeType
from core.figures.look.style import seconds
from pages.shared.work.board import Job, board, session_id
from pages.shared.work.buttons import continue_button, stop_button

TICK = 1.0
MOST_KNOWN = 20_000  # outcomes of one experiment, a few numbers each


@st.cache_resource(show_spinner=False)
def known(name: str) -> dict[Any, Any]:
    """Everything worked out on this server for one experiment, by cell, for all sessions."""
    return {}


def work_out(
    name: str,
    cells: Sequence[CellType],
    work: Callable[[CellType, Mapping[CellType, OutcomeType]], OutcomeType],
    draw: Callable[[list[OutcomeType]], None],
) -> None:
    """Draw the controls of an experiment, and what is known of it so far.

    Call it from a page's script, not from a fragment.

    Parameters
    ----------
    name : str
        Of the experiment; keys of its buttons begin with it.
    cells : sequence of Cell
    work : callable
        As for `CellRun`.
    draw : callable
        Draws the outcomes known so far; called again as they come.
    """
    key = f"cells-{name}-{_digest(cells)}"
    job: Job[CellRun[Any, Any]] | None = board().find(key, session_id())
    _stop_previous(job, name)
    store = known(name)
    if job is not None and job.state == "finished" and job.run is not None and not job.run.done:
        job = None  # outcomes were forgotten
    startable = job is None and any(cell not in store for cell in cells)
    if startable and st.button("Start", type="primary", key=f"{name}_start", icon="🧪"):
        while len(store) > MOST_KNOWN:
            store.pop(next(iter(store)))
        board().submit(Job(key=key, owner=session_id(), make=lambda: CellRun(cells, work, store)))
        st.rerun()
    active = job is not None and job.active
    # A function of its own for each experiment: fragments are told apart by what they are called with and where.
    st.fragment(_live, run_every=TICK if active else None)(name, cells, job, draw)


def _digest(cells: Sequence[Cell]) -> str:
    return hashlib.sha256(repr(cells).encode()).hexdigest()


def _stop_previous(job: Job[Any] | None, name: str) -> None:
    """One table of an experiment at a time: what is known of the other is kept."""
    previous: Job[Any] | None = st.session_state.get(f"{name}_job")
    if previous is not None and previous is not job and previous.active:
        board().stop(previous)
    st.session_state[f"{name}_job"] = job


def _live(
    name: str, cells: Sequence[Cell], job: Job[CellRun[Any, Any]] | None, draw: Callable[[list[Any]], None]
) -> None:
    active = job is not None and job.active
    was_active = st.session_state.get(f"{name}_active")
    st.session_state[f"{name}_active"] = active
    if was_active and not active:
        st.rerun()
    if job is not None:
        _controls(name, job)
    store = known(name)
    draw([store[cell] for cell in cells if cell in store])


def _controls(name: str, job: Job[CellRun[Any, Any]]) -> None:
    if job.state == "failed":
        st.error(f"{job.problem} Change the setting to try again.")
    run = job.run
    if run is not None:
        for part, problem in run.problems.items():
            st.warning(f"{part} is left out: {problem}")
    if job.state in ("finished", "failed"):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(run.share if run is not None else 0.0, _words(job))
        if job.active:
            stop_button(f"{name}_stop", job)
        if job.state == "paused":
            continue_button(f"{name}_continue", job)


def _words(job: Job[CellRun[Any, Any]]) -> str:
    if job.state == "queued":
        return f"Waiting: number {board().place_in_line(job)} in line"
    run = job.run
    if run is None:
        return "Starting …"
    words = f"{run.now}: {len(run.cells) - len(run.waiting)} of {len(run.cells)} fits"
    if job.state == "paused":
        return f"{words}, stopped"
    left = run.seconds_left
    return words if left is None else f"{words}, about {seconds(left)} left"
