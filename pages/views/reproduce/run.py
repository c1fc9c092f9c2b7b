"""A run of the protocol as a job: its store, workers, progress by line, Stop and Continue; its pictures and tables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.experiments.results.comparison import Comparisons
from core.experiments.results.printed_table import Table
from core.experiments.results.run import Run
from core.experiments.results.single_scores import SingleScores, training_scores
from core.experiments.run.cells import Cell, choice_titles
from core.experiments.run.plan import Plan
from core.experiments.run.progress import Progress
from core.experiments.run.protocol import CellResult
from core.experiments.run.runner import ProtocolRun
from core.experiments.run.store.store import RunStore
from core.experiments.run.workers.workers import Workers
from core.export import protocol_tables as tables
from core.export.scripts.description import ProtocolDescription
from core.export.table_formats import csv_text
from core.figures.protocol.features import ProtocolAgreement, ProtocolFeatures, has_pair
from core.figures.protocol.marks import RunPicture
from pages.shared.cache import Results, kept
from pages.shared.controls import download
from pages.shared.lazy import lazy_expander
from pages.shared.show import show
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, Reached, make_latest
from pages.shared.work.stepwise import at_once
from pages.views.reproduce.data import described, place_of

_REPRODUCE_SEEN = "reproduce_seen"
TICK = 1.0
STALE_SECONDS = 5.0  # the tables are drawn again so often while results come in, and whenever a line is complete


class ShownRun(ProtocolRun):
    """A run of which a panel says no problems: the results name all cells with the same reason together."""

    def __init__(self, plan: Plan, place: Path, make_workers: Callable[[], Workers[Cell]]) -> None:
        super().__init__(plan, place, make_workers)
        self._reached = super().progress

    def advance(self) -> None:
        """See `Run.advance`."""
        super().advance()
        self._reached = super().progress

    @property
    def progress(self) -> Progress:
        """As of the last step: pages ask while a worker's thread takes the next."""
        return self._reached

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


def features(run: Run) -> None:
    """Do the methods agree, and are they the known strong ones? (CORIA 2014, §4.1.3), dataset by dataset."""
    single = single_scores(run.plan)
    for dataset in dict.fromkeys(line.dataset for line in run.lines):
        show_picture(ProtocolFeatures(run, dataset), known={"single": single})
        if has_pair(run.lines_of(dataset)):
            show_picture(ProtocolAgreement(run, dataset))
        strong = tables.strong_table(run, dataset, single)
        if strong is not None:
            draw_table(strong)


def show_picture(picture: RunPicture[Any], **how: Any) -> None:
    """Render a picture; its script stands beside it once the run is complete."""
    plan = picture.run.plan
    ran = ProtocolDescription(
        tuple(described(dataset.source) for dataset in plan.datasets),
        tuple(choice.label for choice in plan.choices),
        {"points": plan.points, "measure": plan.measure, "choose": plan.rule},
    )
    show(picture, (), fits=lambda: {"run": ran}, scripted=picture.run.complete, **how)


def draw_table(table: Table) -> None:
    """As the report has it; the CSV with every digit."""
    st.markdown(f"**{table.title}**")
    st.caption(table.note)
    shown, formats = _sortable(pd.DataFrame(table.records()))
    st.dataframe(shown, hide_index=True, height="content", key=f"reproduce_table_{table.name}", column_config=formats)
    download(
        "CSV", lambda: csv_text(table.numbers), f"{table.name}.csv", key=f"reproduce_csv_{table.name}",
        icon=":material/save:", help="These numbers with all digits",
    )  # fmt: skip


def _sortable(printed: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Columns of numbers as numbers, with as many digits as are printed."""
    formats = {}
    for name in map(str, printed):
        numbers = pd.to_numeric(printed[name], errors="coerce")
        if numbers.notna().all():
            digits = max(len(text.partition(".")[2]) for text in printed[name])
            exponents = printed[name].str.contains("e").any()
            formats[name] = st.column_config.NumberColumn(format="%.2e" if exponents else f"%.{digits}f")
            printed = printed.assign(**{name: numbers})
    return printed, formats
