"""The chosen methods as one job: what is known of them, progress, time left, Stop and Continue."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.analysis.tuning.method_bench import BenchPlan, BenchRow, HowToSetC, MethodBench
from core.figures.look.style import seconds
from core.methods import get_method
from core.solvers import Stop
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title, tol_key
from pages.shared.work.board import Job, board, session_id
from pages.shared.work.buttons import continue_button, stop_button
from pages.shared.work.paths import given_to

_BENCH_ACTIVE = "bench_active"
_BENCH_JOB = "bench_job"
TICK = 0.4
MOST_KNOWN = 2000  # rows, a few kB each


@st.cache_resource(show_spinner=False)
def known() -> dict[str, BenchRow]:
    """Every row worked out on this server, for all sessions."""
    return {}


@dataclass(frozen=True)
class Wanted:
    """What the page's controls ask for."""

    methods: tuple[str, ...]
    budget: float
    how: HowToSetC


def plans_of(choice: Loaded, wanted: Wanted) -> list[BenchPlan]:
    """The chosen method with the sidebar's solver, parameters and accuracy, the others with their own."""
    return [_plan(choice, method_id, wanted) for method_id in wanted.methods]


def _plan(choice: Loaded, method_id: str, wanted: Wanted) -> BenchPlan:
    method = get_method(method_id)
    chosen = method_id == choice.method_id
    solver = method.solver(choice.solver_id if chosen else None).id
    given = given_to(choice, method_id)
    stop = replace(choice.stop if chosen else _stop(method_id), max_seconds=wanted.budget)
    parts = (choice.fingerprint, choice.where, choice.convention, method_id, solver, sorted(given.items()), stop)
    key = hashlib.sha256(repr((*parts, wanted.how)).encode()).hexdigest()
    return BenchPlan(key, method_id, solver, given, stop, wanted.budget)


def _stop(method_id: str) -> Stop:
    """As accurate as the sidebar would have it."""
    method = get_method(method_id)
    tol = st.session_state.get(tol_key(method), method.stop.tol)
    return method.stop_at(None if tol == method.stop.tol else tol)


def rows_of(plans: Sequence[BenchPlan]) -> list[BenchRow]:
    """What is known of these, in their order."""
    store = known()
    return [store[plan.key] for plan in plans if plan.key in store]


def work_out(choice: Loaded, plans: Sequence[BenchPlan], how: HowToSetC) -> bool:
    """Run, Run again and, while it works, how far it is; the page is drawn again whenever a row is complete.

    Returns whether it works.

    Call it from a page's script, not from a fragment.
    """
    key = "bench-" + hashlib.sha256(repr([plan.key for plan in plans]).encode()).hexdigest()
    job: Job[MethodBench] | None = board().find(key, session_id())
    _stop_previous(job)
    missing = [plan for plan in plans if plan.key not in known()]
    if (job is None or not (job.active or job.state == "paused")) and _run_button(plans, len(missing)):
        store, judge = known(), choice.judge
        while len(store) > MOST_KNOWN:
            store.pop(next(iter(store)))
        board().submit(Job(key=key, owner=session_id(), make=lambda: MethodBench(plans, store, judge, how)))
        st.rerun()
    if job is not None:
        # A function of its own for each batch: fragments are told apart by what they are called with and where.
        st.fragment(_progress, run_every=TICK if job.active else None)(job, len(plans) - len(missing))
    return job is not None and job.active


def _run_button(plans: Sequence[BenchPlan], missing: int) -> bool:
    """Run, or Run again where everything is known, which is then forgotten."""
    if missing or not plans:
        help = "One after the other; Stop keeps what is done."
        words = f"Run {_methods(missing)}"
        return st.button(words, type="primary", key="bench_run", icon="🏁", disabled=not plans, help=help)
    again = st.button("Run again", key="bench_again", icon="🔁", help="Forgets these rows and measures anew.")
    for plan in plans if again else ():
        known().pop(plan.key, None)
    return again


def _methods(count: int) -> str:
    return f"{count} method{'' if count == 1 else 's'}"


def _stop_previous(job: Job[MethodBench] | None) -> None:
    """One batch at a time: rows that are complete are kept."""
    previous: Job[MethodBench] | None = st.session_state.get(_BENCH_JOB)
    if previous is not None and previous is not job and previous.active:
        board().stop(previous)
    st.session_state[_BENCH_JOB] = job


def _progress(job: Job[MethodBench], drawn: int) -> None:
    run = job.run
    if job.active or st.session_state.get(_BENCH_ACTIVE):
        st.session_state[_BENCH_ACTIVE] = job.active
        if not job.active or (run is not None and len(run.plans) - len(run.waiting) > drawn):
            st.rerun()
    if job.state == "failed":
        st.error(f"{job.problem} Run again, or leave that method out.")
    if job.state in ("finished", "failed"):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(run.share if run is not None else 0.0, _words(job))
        if job.active:
            stop_button("bench_stop", job)
        if job.state == "paused":
            continue_button("bench_continue", job)


def _words(job: Job[MethodBench]) -> str:
    if job.state == "queued":
        return f"Waiting: number {board().place_in_line(job)} in line"
    run = job.run
    if run is None or not run.now:
        return "Starting …"
    done = f"{menu_title(run.now)}: {len(run.plans) - len(run.waiting)} of {_methods(len(run.plans))}"
    ending = "stopped" if job.state == "paused" else f"about {seconds(run.seconds_left)} left"
    return f"{done}, {ending}"
