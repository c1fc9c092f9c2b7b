"""The chosen methods as one job: what is known of them, progress, time left, Stop and Continue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import AtRatio
from core.analysis.tuning.method_bench import BenchPlan, BenchRow, HowToSetC, MethodBench
from core.content import text_key
from core.methods import Method, get_method
from pages.shared.cache import Results, cached
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import in_menu_order, menu_title, tol_key
from pages.shared.controls import button
from pages.shared.work.board import ask_for, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, make_latest
from pages.shared.work.paths import given_to

GLANCE = ("l1", "log", "l2")
GLANCE_ENTRIES = 2_000_000  # of the feature matrix
GLANCE_SECONDS = 0.5


def bench_rows() -> Results:
    """Every row that this server knows, by key."""
    return Results("methods side by side")


@dataclass(frozen=True)
class ComparisonSettings:
    """What the page's controls ask for."""

    methods: tuple[str, ...]
    budget: float
    how: HowToSetC


def plans_of(choice: Loaded, wanted: ComparisonSettings) -> list[BenchPlan]:
    """The chosen method with the sidebar's solver, parameters and accuracy, the others with their own."""
    return [_plan(choice, get_method(method_id), wanted) for method_id in wanted.methods]


def _plan(choice: Loaded, method: Method, wanted: ComparisonSettings) -> BenchPlan:
    method_id = method.id
    chosen = method_id == choice.method_id
    solver = method.solver(choice.solver_id if chosen else None).id
    given = given_to(choice, method_id)
    tol = st.session_state.get(tol_key(method), method.stop.tol)  # as accurate as the sidebar would have it
    as_set = choice.stop if chosen else method.stop_at(None if tol == method.stop.tol else tol)
    stop = replace(as_set, max_seconds=wanted.budget)
    rules = choice.rules_for(method_id)
    key = text_key(choice.judge, choice.where, method_id, solver, sorted(given.items()), stop, wanted.how, rules)
    return BenchPlan(key, method_id, solver, given, stop, wanted.budget)


def rows_of(plans: Sequence[BenchPlan]) -> list[BenchRow]:
    """What is known of these, in their order."""
    known = bench_rows()
    return [row for plan in plans if (row := known.get(plan.key)) is not None]


def first_look(choice: Loaded) -> tuple[list[BenchRow], list[BenchPlan], HowToSetC]:
    """The chosen method and two known ones at the same share of lambda_max, with their plans; large data: no rows."""
    data = choice.fold.train
    how: HowToSetC = AtRatio(choice.ratio)
    plans = plans_of(choice, ComparisonSettings(tuple(in_menu_order({choice.method_id, *GLANCE})), GLANCE_SECONDS, how))
    if data.n_documents * data.n_features > GLANCE_ENTRIES:
        return [], plans, how
    return _first_rows(plans, choice.judge, how), plans, how


@cached(says="A first look …")
def _first_rows(plans: Sequence[BenchPlan], judge: FoldJudge, how: HowToSetC) -> list[BenchRow]:
    return MethodBench(plans, {}, judge, how).finish()


def run_methods(choice: Loaded, plans: Sequence[BenchPlan], how: HowToSetC, tools: DeltaGenerator) -> bool:
    """Run, Run again and, while it works, how far it is; the page is drawn again whenever a row is complete.

    The button stands among the ``tools``.

    Returns whether it works.

    Call it from a page's script, not from a fragment.
    """
    key = f"bench-{text_key([plan.key for plan in plans])}"
    job: Job[MethodBench] | None = job_for(key)
    make_latest(job, "bench_job")
    missing = [plan for plan in plans if plan.key not in bench_rows()]
    idle = job is None or not (job.active or job.state == "paused")
    with tools:
        pressed = idle and _run_button(plans, len(missing))
    if pressed:
        rows = bench_rows()
        known = {plan.key: row for plan in plans if (row := rows.get(plan.key)) is not None}
        make = partial(MethodBench, plans, known, choice.judge, how)
        ask_for(key, make, new=True, publish=partial(rows.take, known))
        st.rerun()
    if job is not None:
        drawn = len(plans) - len(missing)
        Panel(
            key="bench",
            reached=lambda: counted([job], "methods", name=menu_title),
            way_out="Run again, or leave that method out.",
            more_to_see=lambda: job.run is not None and job.run.count > drawn,
        ).draw([job], active=job.active)
    return job is not None and job.active


def _run_button(plans: Sequence[BenchPlan], missing: int) -> bool:
    """Run, or Run again where everything is known, which is then forgotten."""
    if missing or not plans:
        help = "One after another; Stop keeps those that are finished."
        words = f"Run {missing} method{'s' * (missing != 1)}"
        return button(
            words, type="primary", key="bench_run", icon=":material/sports_score:", disabled=not plans, help=help
        )
    again = button(
        "Run again", key="bench_again", icon=":material/repeat:", help="Discards these rows and measures again."
    )
    for plan in plans if again else ():
        bench_rows().drop(plan.key)
    return again
