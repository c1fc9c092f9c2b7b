"""Choosing C on the validation part: a path with progress, the curve it leaves, one click to take its best point."""

from __future__ import annotations

import hashlib

import streamlit as st

from core.analysis.path import PathPoint, PathRun, regularization_path
from core.analysis.tuning import best_on_validation
from core.figures.style import short
from core.figures.tuning import metric_path_figure
from pages.shared import panels
from pages.shared.c_choice import set_c
from pages.shared.choice import Choice
from pages.shared.jobs import Job, board, session_id, time_left

MEASURES = ("MAP", "NDCG@10", "Top")
TICK = 0.4


def tuning_panel(choice: Choice) -> None:
    """Draw the panel for the sidebar's choice; everything but C counts."""
    key = _key(choice)
    job: Job[PathRun] | None = board().find(key, session_id())
    # As all of the panel shows it: a path that ends while it is drawn must be noticed like one that ends later.
    st.session_state["seen_tuning"] = job.key if job is not None and job.active else None
    with st.expander("Choose C on the validation part", icon="🎯", key="tuning", expanded=job is not None):
        if choice.fold.vali is None:
            st.markdown(
                "This data has no validation part. Use a dataset with train, vali and test to choose C here, or set C "
                "by hand."
            )
            return
        _controls(choice, key, job)
        if job is not None:
            st.fragment(_progress, run_every=TICK if job.active else None)(choice, job)


def _key(choice: Choice) -> str:
    parts = (choice.fingerprint, choice.method_id, choice.solver_id, choice.parameters, choice.tol, choice.where)
    return "path-" + hashlib.sha256(repr(parts).encode()).hexdigest()


def _controls(choice: Choice, key: str, job: Job[PathRun] | None) -> None:
    active = job is not None and job.active
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "By",
            MEASURES,
            default="MAP",
            required=True,
            key="tune_by",
            bind="query-params",
            help="Laporte et al. choose C by MAP on the validation part, FenchelRank by NDCG@10; Top is the share of "
            "relevant documents above every irrelevant one, what the infinite push is after.",
        )
        if st.button("Try all C", key="tune", disabled=active, help="Fits the whole path, from the empty model on."):
            _start(choice, key)
            st.rerun()
        if st.button("Stop", key="tune_stop", disabled=not active) and job is not None:
            board().stop(job)
            st.rerun()
        if job is not None and job.state == "paused" and st.button("Continue", key="tune_continue"):
            board().resume(job)
            st.rerun()


def _start(choice: Choice, key: str) -> None:
    training, judge, method = choice.training, choice.judge, choice.method

    def make() -> PathRun:
        lams = method.grid(training)
        points = regularization_path(
            method,
            training,
            lams,
            judge,
            solver=choice.solver_id,
            parameters=dict(choice.parameters),
            stop=choice.stop,
        )
        return PathRun(points, len(lams))

    board().submit(Job(key=key, owner=session_id(), make=make))


def _progress(choice: Choice, job: Job[PathRun]) -> None:
    if st.session_state["seen_tuning"] == job.key and not job.active:
        st.rerun()
    if job.state == "failed":
        st.error(job.problem)
        return
    points = list(job.run.points) if job.run is not None else []
    total = job.run.total if job.run is not None else len(choice.method.ratios)
    if job.active:
        words = f"{len(points)} of {total} values of C{time_left([job], len(points), total)}"
        if job.state == "queued":
            words = f"waiting, number {board().place_in_line(job)} in line"
        st.progress(len(points) / total, words)
    if len(points) > 1:
        _curve(choice, points)


def _curve(choice: Choice, points: list[PathPoint]) -> None:
    measure = st.session_state.get("tune_by") or "MAP"
    best = best_on_validation(points, measure)
    fit = best.fit
    title = f"Validation {measure} is best, {best.metrics['vali'][measure]:.4f}, with {fit.result.nonzero} features"
    figure = metric_path_figure(
        points,
        measure,
        best=best,
        title=title,
        subtitle=f"{choice.where} · {choice.method.title} · C = {short(fit.c)}, {short(fit.lam / fit.lam_max)} λ_max",
        convention=choice.convention,
    )
    panels.chart(figure, "tuning", alt=title)
    words = "Puts it into Exact C in the sidebar; fitted at once if that is on."
    if st.button(f"Use C = {short(fit.c)}", key="use_c", on_click=set_c, args=(fit.c,), help=words):
        st.rerun()  # of the whole page: this panel is a fragment
