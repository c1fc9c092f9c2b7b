"""The Reproduce page: the papers' protocol on any datasets and methods, and its tables beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.data import DataError
from core.experiments.results.run import Run
from core.experiments.run.cells import choice_titles
from core.experiments.run.plan import Plan, PlannedFold, plan_of
from core.experiments.run.store.file import default_store_path
from core.figures.protocol.tradeoff import protocol_tradeoff_sentence
from core.names.counted import counted
from core.names.plain import in_markdown
from pages.shared import frame, keys
from pages.shared.choice.choice import Source
from pages.shared.work.jobs import Job
from pages.views.reproduce import pictures
from pages.views.reproduce.controls import ProtocolOptions, controls, datasets_control, reference
from pages.views.reproduce.data import OnPage, Unusable, absent_panel, folds_of, on_page, place_of
from pages.views.reproduce.results import results_sections
from pages.views.reproduce.run import RestingRun, job_of, known_results, progress_panel, start

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
    _protocol(source, wanted, heading, tools, more, progress, stage)
    absent_panel()


def _protocol(
    source: Source | None,
    wanted: ProtocolOptions,
    heading: DeltaGenerator,
    tools: DeltaGenerator,
    more: DeltaGenerator,
    progress: DeltaGenerator,
    stage: DeltaGenerator,
) -> None:
    """Draw a run of the protocol; until it has results, the ``stage`` shows an example."""
    plan = _plan(source, wanted)
    if plan is None:
        heading.header(QUESTION, anchor=False)
        with stage:
            pictures.example(wanted.measure)
        return
    try:
        results = known_results(plan)
    except DataError as error:
        heading.header("The store of finished work cannot be used", anchor=False)
        with stage:
            pictures.example(wanted.measure)
        st.error(f"{in_markdown(str(error))[:1].upper()}{in_markdown(str(error))[1:]}")
        return
    job = job_of(plan, place_of(plan))
    _run(plan, wanted, job, len(results), tools, progress)
    failures = job.run.failures if job is not None and job.run is not None else {}
    shown = Run(plan, results, failures, reference(plan.choices), margin=wanted.margin)
    if any(line.complete for line in shown.lines):
        said = protocol_tradeoff_sentence(shown.lines, plan.measure, shown.titles)
        heading.header(f"{in_markdown(shown.where)}: {in_markdown(said)}", anchor=False)
    else:
        heading.header(f"{in_markdown(shown.where)}: {QUESTION[0].lower()}{QUESTION[1:]}", anchor=False)
    if shown.lines:
        with more:
            measure, bars = pictures.tradeoff_controls(shown)
        with stage:
            pictures.tradeoff(shown, measure, bars)
    else:
        with stage:
            pictures.example(wanted.measure)
    results_sections(shown, wanted)


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
    return _planned(folds, wanted) if folds else None


def _planned(folds: Sequence[PlannedFold], wanted: ProtocolOptions) -> Plan | None:
    try:
        return plan_of(folds, wanted.choices, wanted)
    except DataError as error:
        st.error(in_markdown(str(error)))
        return None


def _left_out(name: str, why: str) -> None:
    st.warning(f"{in_markdown(name)} is left out: {in_markdown(why)}")


def _run(
    plan: Plan,
    wanted: ProtocolOptions,
    job: Job[RestingRun] | None,
    finished: int,
    tools: DeltaGenerator,
    progress: DeltaGenerator,
) -> None:
    """Draw the button that begins the run among the ``tools``, and the progress with Stop above the picture."""
    missing = len(plan.cells) - finished
    idle = job is None or job.state in ("finished", "failed")
    if idle and missing:
        with tools:
            st.button(
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


def _account(plan: Plan, finished: int) -> str:
    folds = sum(dataset.n_folds for dataset in plan.datasets)
    size = f"{counted(folds, 'fold')} × {counted(len(plan.choices), 'method')}"
    if plan.draws:
        size += f" × {plan.draws + 1} (as they are, and {counted(plan.draws, 'draw')} of the training queries)"
    own = any(not dataset.source.keep for dataset in plan.datasets)
    kept = "saved for as long as your file is here" if own else f"saved in {_short(default_store_path())}"
    if finished == len(plan.cells):
        return f"{size}: all cells are finished and {kept}."
    known = f", {finished} of them finished" if finished else ""
    return f"{size} = {counted(len(plan.cells), 'cell')}{known}. Finished cells are {kept}."


def _short(path: Path) -> str:
    """Write the path with ~ for the home folder."""
    try:
        return f"`~/{path.relative_to(Path.home()).as_posix()}`"
    except ValueError:
        return f"`{path}`"
