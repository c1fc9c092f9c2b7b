"""Paths of several methods on several folds as one job, with progress, time left, Stop and Continue."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import streamlit as st

from core.analysis.evaluation import FoldJudge
from core.analysis.tradeoff.fold_paths import FoldPaths, FoldPlan, PathPlan
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.data import Dataset
from core.figures.look.style import seconds
from core.methods import get_method
from pages.shared.choice import access
from pages.shared.choice.choice import Choice
from pages.shared.choice.source import Source
from pages.shared.work.board import Job, board, session_id
from pages.shared.work.buttons import continue_button, stop_button
from pages.shared.work.paths import settings_of

TICK = 0.5
MOST_KNOWN = 800  # results, some 60 kB each
GRIDS = {"quick": 17, "full": 50}  # models a path


@st.cache_resource(show_spinner=False)
def known() -> dict[str, tuple[TradeoffPoint, ...]]:
    """Everything worked out on this server, by key, for all sessions."""
    return {}


def _key(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def plans_of_folds(choice: Choice, method_ids: Sequence[str], points: int) -> list[FoldPlan]:
    """Every fold of the chosen dataset, with the chosen parameters."""
    dataset = access.dataset(choice.source)
    return [
        FoldPlan(
            name=f"{dataset.name}, {name}",
            open=_opener(dataset, number),
            paths=_path_plans(choice.source, number, {m: settings_of(choice, m) for m in method_ids}, points),
            single=_key("single", choice.source, number),
        )
        for number, name in enumerate(dataset.fold_names, start=1)
    ]


def plans_of_datasets(method_ids: Sequence[str], points: int, most_folds: int) -> dict[str, list[FoldPlan]]:
    """The first folds of every dataset that is ready, with default parameters, by the dataset's name."""
    plans = {}
    for name, entry in access.ready_datasets().items():
        source = access.usual_source(name)
        plans[name] = [
            FoldPlan(
                name=f"{name}, fold {number}",
                open=_catalogue_opener(source, number),
                paths=_path_plans(source, number, {m: get_method(m).settings() for m in method_ids}, points),
                single=_key("single", source, number),
            )
            for number in range(1, min(source.reading.repeats or entry.n_folds, most_folds) + 1)
        ]
    return plans


def _path_plans(
    source: Source, number: int, settings: dict[str, dict[str, float]], points: int
) -> tuple[PathPlan, ...]:
    return tuple(
        PathPlan(_key("path", source, number, method, sorted(values.items()), points), method, values)
        for method, values in settings.items()
    )


def _opener(dataset: Dataset, number: int):  # type: ignore[no-untyped-def]
    # The reader of core has a cache of its own.
    return lambda: FoldJudge(dataset.fold(number), dataset.convention)


def _catalogue_opener(source: Source, number: int):  # type: ignore[no-untyped-def]
    def open_fold() -> FoldJudge:
        dataset = source.reading.open(source.name)
        return FoldJudge(dataset.fold(number), dataset.convention)

    return open_fold


def complete(plans: Sequence[FoldPlan]) -> list[FoldPlan]:
    """The folds of which everything is known."""
    return [plan for plan in plans if all(key in known() for key in plan.keys)]


def work_out(plans: Sequence[FoldPlan], points: int, name: str) -> None:
    """Start what is not known yet, and draw how far it is; the page is drawn again whenever a fold is complete.

    Call it from a page's script, not from a fragment. ``name`` tells the batches of a page apart.
    """
    if len(complete(plans)) == len(plans):
        return
    key = "folds-" + _key(points, [plan.keys for plan in plans])
    job: Job[FoldPaths] | None = board().find(key, session_id())
    forgotten = job is not None and job.state == "finished" and job.run is not None and not job.run.problems
    if job is None or forgotten:
        store = known()
        while len(store) > MOST_KNOWN:
            store.pop(next(iter(store)))
        job = board().submit(
            Job(key=key, owner=session_id(), make=lambda: FoldPaths(plans, store, points)),
        )
    _stop_previous(job, name)
    # A function of its own for each batch: fragments are told apart by what they are called with and where.
    st.fragment(_progress, run_every=TICK if job.active else None)(job, name, len(complete(plans)))


def _stop_previous(job: Job[FoldPaths], name: str) -> None:
    """One batch of a kind at a time: what is complete of the other is kept."""
    previous: Job[FoldPaths] | None = st.session_state.get(f"{name}_job")
    if previous is not None and previous is not job and previous.active:
        board().stop(previous)
    st.session_state[f"{name}_job"] = job


def _progress(job: Job[FoldPaths], name: str, drawn: int) -> None:
    run = job.run
    if job.active or st.session_state.get(f"{name}_active"):
        st.session_state[f"{name}_active"] = job.active
        if not job.active or (run is not None and len(complete(run.plans)) > drawn):
            st.rerun()
    if job.state == "failed":
        st.error(f"{job.problem} Change a control to try again.")
    if run is not None:
        for fold, problem in run.problems.items():
            st.warning(f"{fold} is left out: {problem}")
    if job.state in ("finished", "failed"):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(run.share if run is not None else 0.0, _words(job))
        if job.active:
            stop_button(f"{name}_stop", job)
        if job.state == "paused":
            continue_button(f"{name}_continue", job)


def _words(job: Job[FoldPaths]) -> str:
    if job.state == "queued":
        return f"Waiting: number {board().place_in_line(job)} in line"
    run = job.run
    if run is None:
        return "Stopped before it began" if job.state == "paused" else "Starting …"
    left = run.seconds_left
    ending = "stopped" if job.state == "paused" else f"about {seconds(left)} left" if left is not None else ""
    return f"{run.now}: {run.fitted} of {run.total} models, {ending}".rstrip(", ")
