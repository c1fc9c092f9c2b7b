"""A run of the protocol as a job: its store, its workers while it works, progress by line, Stop and Continue."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from core.experiments.results.comparison import Comparisons
from core.experiments.results.run import Run
from core.experiments.results.single_scores import SingleScores, training_scores
from core.experiments.run.cells import Cell, choice_titles
from core.experiments.run.plan import Plan
from core.experiments.run.protocol import CellResult
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import RunStore
from core.experiments.run.workers.workers import Workers
from pages.shared.cache import Results, kept
from pages.shared.lazy import lazy_expander
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, Reached, make_latest
from pages.shared.work.stepwise import at_once
from pages.views.reproduce.data import place_of

_REPRODUCE_SEEN = "reproduce_seen"
TICK = 1.0
STALE_SECONDS = 5.0  # the tables are drawn again so often while results come in, and whenever a line is complete


class ShownRun(ProtocolRun):
    """A run of which a panel says no problems: the results name all cells with the same reason together."""

    @property
    def problems(self) -> dict[str, str]:
        """Empty."""
        return {}


def job_of(plan: Plan, place: Path) -> Job[ShownRun] | None:
    """This session's job for a plan, or one whose own session has gone."""
    job: Job[ShownRun] | None = job_for(_key(plan, place))
    make_latest(job, "reproduce_job")  # what another has finished is in the store
    return job


def start(plan: Plan, place: Path, make_workers: Callable[[], Workers[Cell]]) -> None:
    """Begin, or go on from what the store has; for callbacks."""
    make = partial(ShownRun, plan, place, make_workers)
    ask_for(_key(plan, place), make, new=True, let_go=ShownRun.close, line="runs")


def progress_panel(job: Job[ShownRun], drawn: int) -> None:
    """How far it is, drawn again by itself; the whole page follows when there is more to see than ``drawn`` cells.

    Call it from a page's script, not from a fragment.
    """
    Panel(
        key="reproduce",
        reached=lambda: _reached(job),
        starting="starting the workers …",
        way_out="Run again to continue from the saved cells.",
        stop_help="Finished cells are saved; of unfinished ones, only the progress of a search for a best subset",
        continue_help="Continue from the saved cells",
        tick=TICK,
        more_to_see=lambda: _worth_a_look(job, drawn),
        beneath=lambda: _lines(job),
    ).draw([job], active=job.active)


def _reached(job: Job[ShownRun]) -> Reached | None:
    found = job.run.progress if job.run is not None else None
    return Reached(f"{found.done} of {found.total} cells", found.share, found.seconds_left) if found else None


def _worth_a_look(job: Job[ShownRun], drawn: int) -> bool:
    """Whether a line has been completed since the page was drawn, or it has been a while with anything new."""
    found = job.run.progress if job.run is not None else None
    if found is None:
        return False
    lines = sum(line.complete for line in found.lines)
    seen: tuple[int, int] = st.session_state.get(_REPRODUCE_SEEN, (0, 0))
    ticks = seen[1] + 1
    new = found.done > drawn and (lines > seen[0] or ticks * TICK >= STALE_SECONDS)
    st.session_state[_REPRODUCE_SEEN] = (lines, 0) if new else (seen[0], ticks)
    return new


def _lines(job: Job[ShownRun]) -> None:
    """Datasets down, methods across, finished cells in between, until the work is over."""
    if job.run is None or job.state in ("finished", "failed"):
        return
    titles, progress = choice_titles(job.run.plan.choices), job.run.progress

    def draw() -> None:
        rows: dict[str, dict[str, str]] = {}
        for line in progress.lines:
            failed = f", {line.failed} failed" if line.failed else ""
            words = "✓" if line.done == line.total else f"{line.done}/{line.total}{failed}"
            rows.setdefault(line.dataset, {})[titles[line.label]] = words
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "dataset"
        st.dataframe(table, key="reproduce_lines")

    lazy_expander("By dataset and method", draw, key="reproduce_lines_box")


def _key(plan: Plan, place: Path) -> str:
    return "protocol-" + hashlib.sha256(repr((str(place), [cell.key for cell in plan.cells])).encode()).hexdigest()


def compared(run: Run) -> Run:
    """The run with its comparisons, which take seconds: worked out once for all visitors."""
    of = (sorted((*_name(cell), cell.choice.label) for cell in run.results if not cell.draw), run.titles, run.reference)
    found = kept("comparisons", of, lambda: Comparisons.of(run.lines, run.reference), says="Resampling queries …")
    return replace(run, given=found)


def single_scores(plan: Plan) -> SingleScores:
    """What every feature can do alone on the training parts, shared by all visitors."""
    return at_once(training_scores(plan))


def known_results(plan: Plan) -> dict[Cell, CellResult]:
    """Everything finished of a plan, by whichever run.

    Raises
    ------
    DataError
        If the store cannot be used.
    """
    place = place_of(plan)
    if not place.is_file():
        return {}
    read = Results("cells of runs")
    known: dict[Cell, CellResult] = {}
    with RunStore(place) as store:
        finished = store.seconds(plan.cells)
        for cell in plan.cells:
            if cell.key not in finished:
                continue
            result = read.get(_name(cell))
            if result is None and (result := store.result(cell)) is not None:
                read[_name(cell)] = result
            if result is not None:
                known[cell] = result
    return known


def _name(cell: Cell) -> tuple[str, str, int]:
    return cell.key, cell.dataset, cell.fold
