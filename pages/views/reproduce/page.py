"""The Reproduce page: the papers' protocol on any datasets and methods, and its tables beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.data import DataError
from core.experiments.results.example import DATASET, EXAMPLE_WORDS, example_lines
from core.experiments.results.run import Run
from core.experiments.run.cells import Cell, choice_titles
from core.experiments.run.plan import Plan, PlannedFold, plan_of
from core.experiments.run.protocol import TESTED, CellResult
from core.experiments.run.store.file import default_store_path
from core.figures.picture import Words
from core.figures.protocol.tradeoff import (
    BARS,
    Bars,
    ProtocolTradeoff,
    protocol_tradeoff_figure,
    protocol_tradeoff_rows,
    protocol_tradeoff_sentence,
)
from core.names.counted import counted
from core.names.plain import in_markdown
from pages.shared import frame, keys
from pages.shared.choice import address
from pages.shared.choice.choice import Source
from pages.shared.live_chart import live_chart
from pages.views.reproduce.controls import ProtocolOptions, controls, datasets_control, reference
from pages.views.reproduce.data import OnPage, Unusable, absent_panel, folds_of, on_page, place_of
from pages.views.reproduce.results import results_sections
from pages.views.reproduce.run import job_of, known_results, progress_panel, show_picture, start

QUESTION = "Half the features at the same MAP?"


def render() -> None:
    """Draw the page; it begins with the sidebar's dataset, read as the sidebar says."""
    choice = frame.choice()
    source = None if choice is None else choice.source
    heading = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS)
    progress, stage = st.container(), st.container()
    with tools:
        wanted, more = controls(datasets_control(source))
    plan, results, title = _plan(source, wanted), None, QUESTION
    try:
        results = None if plan is None else known_results(plan)
    except DataError as error:
        title = "The store of finished work cannot be used"
        st.error(f"{in_markdown(str(error))[:1].upper()}{in_markdown(str(error))[1:]}")
    run = None if plan is None or results is None else _run(plan, results, wanted, tools, progress)
    if run is not None:
        said = f"{QUESTION[0].lower()}{QUESTION[1:]}"
        if any(line.complete for line in run.lines):
            said = in_markdown(protocol_tradeoff_sentence(run.lines, run.plan.measure, run.titles))
        title = f"{in_markdown(run.where)}: {said}"
    heading.header(title, anchor=False)
    if run is not None and run.lines:
        with more:
            measure, bars = tradeoff_controls(run)
        with stage:
            tradeoff(run, measure, bars)
    else:
        with stage:
            example(wanted.measure)
    if run is not None:
        results_sections(run, wanted)
    absent_panel()


def _plan(chosen: Source | None, wanted: ProtocolOptions) -> Plan | None:
    """Make the plan; None while folds are read, or after a hint where nothing is picked."""
    if not wanted.datasets or not wanted.choices:
        what = "dataset" if not wanted.datasets else "method"
        st.info(f"Pick at least one {what}.")
        return None
    datasets: list[OnPage] = []
    for name in wanted.datasets:
        try:
            datasets.append(on_page(name, chosen))
        except DataError as error:
            _left_out(name, in_markdown(str(error)))
    found = folds_of(datasets) if datasets else []
    if found is None:
        return None
    for one in found:
        if isinstance(one, Unusable):
            _left_out(one.name, one.sentence)
    broken = {one.name for one in found if isinstance(one, Unusable)}
    folds = [one for one in found if isinstance(one, PlannedFold) and one.dataset.name not in broken]
    try:
        return plan_of(folds, wanted.choices, wanted) if folds else None
    except DataError as error:
        st.error(in_markdown(str(error)))
        return None


def _left_out(name: str, why: str) -> None:
    st.warning(f"{in_markdown(name)} is left out: {in_markdown(why)}")


def _run(
    plan: Plan,
    results: Mapping[Cell, CellResult],
    wanted: ProtocolOptions,
    tools: DeltaGenerator,
    progress: DeltaGenerator,
) -> Run:
    """The run as far as it is; draws the button that begins it among the ``tools``, and how far it is, with Stop."""
    job, finished = job_of(plan, place_of(plan)), len(results)
    missing = len(plan.cells) - finished
    if missing and (job is None or job.state in ("finished", "failed")):
        tools.button(
            f"{'Continue' if finished else 'Run'}: {counted(missing, 'cell')}",
            type="primary",
            key="reproduce_run",
            icon=":material/biotech:",
            on_click=start,
            args=(plan, place_of(plan), wanted.make_workers(plan)),
            help="Fits a grid of C on the training part, chooses on the validation part and measures on the test "
            "part. Finished cells are saved on this machine; those of your own file last as long as the file.",
        )
    st.caption(f"{_account(plan, finished)} Methods: {', '.join(choice_titles(wanted.choices).values())}.")
    if job is not None:
        with progress:
            progress_panel(job, finished)
    failures = dict(job.run.failures) if job is not None and job.run is not None else {}
    return Run(plan, results, failures, reference(plan.choices), margin=wanted.margin)


def _account(plan: Plan, finished: int) -> str:
    folds = sum(dataset.n_folds for dataset in plan.datasets)
    size = f"{counted(folds, 'fold')} × {counted(len(plan.choices), 'method')}"
    if plan.draws:
        size += f" × {plan.draws + 1} (as they are, and {counted(plan.draws, 'draw')} of the training queries)"
    own = any(not dataset.source.keep for dataset in plan.datasets)
    if own:
        kept = "saved for as long as your file is here"
    else:
        place, home = default_store_path(), Path.home()
        kept = f"saved in `{f'~/{place.relative_to(home).as_posix()}' if place.is_relative_to(home) else place}`"
    if finished == len(plan.cells):
        return f"{size}: all cells are finished and {kept}."
    known = f", {finished} of them finished" if finished else ""
    return f"{size} = {counted(len(plan.cells), 'cell')}{known}. Finished cells are {kept}."


def tradeoff_controls(run: Run) -> tuple[str, Bars]:
    """What the picture of the page draws: measure and bars."""
    chosen_by = run.plan.measure if run.plan.measure in TESTED else TESTED[0]
    how: dict[str, Any] = {"persist_state": "session", "label_visibility": "visible"}
    measure = address.one_of("Quality drawn", TESTED, begins=chosen_by, key="reproduce_measure", bind=None, **how)
    help = "Folds differ in difficulty more than methods differ. The first kind of bar leaves that part out."
    return measure, address.one_of("Bars upwards", BARS, key="reproduce_bars", bind=None, help=help, **how)


def tradeoff(run: Run, measure: str, bars: Bars) -> None:
    """The picture of the page, below the sentence of the measure that chooses C."""
    headline = protocol_tradeoff_sentence(run.lines, run.plan.measure, run.titles)
    show_picture(ProtocolTradeoff(run, measure=measure, bars=bars, headline=headline), main=True)


def example(measure: str) -> None:
    """The same of a run that comes with the program, as long as there is none of one's own."""
    measure = measure if measure in TESTED else TESTED[0]
    lines = example_lines()
    titles = choice_titles([line.choice for line in lines])
    said = protocol_tradeoff_sentence(lines, measure, titles)
    title = f"An example: {said}"
    about = f"{DATASET}, {lines[0].n_folds} folds, {EXAMPLE_WORDS} · press Run to see your own here"
    figure = protocol_tradeoff_figure(lines, measure, titles, words=Words(title, about))
    rows = protocol_tradeoff_rows(lines, measure, titles)
    live_chart(figure, "reproduce_example", alt=title, table=pd.DataFrame(list(rows)), main=True)
