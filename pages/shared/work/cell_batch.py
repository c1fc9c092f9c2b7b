"""An experiment's table as a job: Start, progress, time left, Stop and Continue, and its picture as it grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.content import text_key
from core.experiments.run.cell_run import CellRun, CellType, OutcomeType
from pages.shared.button import button
from pages.shared.cache import Results
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.latest import make_latest
from pages.shared.work.panel import Panel, counted, draw_panel
from pages.shared.work.process.travel import Excerpt

TICK = 1.0


def cell_outcomes(name: str) -> Results:
    """Outcomes of one experiment that this server knows, by cell."""
    return Results(f"cells of {name}")


def experiment_table(
    name: str,
    cells: Sequence[CellType],
    work: Callable[[CellType, Mapping[CellType, OutcomeType]], OutcomeType],
    draw: Callable[[list[OutcomeType]], None],
    tools: DeltaGenerator | None = None,
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
    tools : DeltaGenerator, optional
        Where the button that starts it stands; by default above all that is known.
    """
    key = f"cells-{name}-{text_key(cells)}"
    job: Job[CellRun[Any, Any]] | None = board().find(key, session_id())
    make_latest(job, f"{name}_job")
    outcomes = cell_outcomes(name)
    if job is not None and job.state == "finished" and job.run is not None and not job.run.done:
        job = None  # outcomes were forgotten
    startable = job is None and any(cell not in outcomes for cell in cells)
    place = st.container() if tools is None else tools
    if startable and button("Start", place=place, type="primary", key=f"{name}_start", icon=":material/science:"):
        known = Excerpt(outcomes, cells)
        board().submit(Job(key=key, owner=session_id(), make=lambda: CellRun(cells, work, known)))
        st.rerun()
    jobs = [job] if job is not None else []
    panel = Panel(
        key=name,
        reached=lambda: counted(jobs, "fits"),
        way_out="Change the setting to try again.",
        tick=TICK,
        beneath=lambda: draw([found for cell in cells if (found := outcomes.get(cell)) is not None]),
    )
    draw_panel(panel, jobs, active=job is not None and job.active)
