"""The Methods page: any set of methods side by side on the chosen fold, and a card for each."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.tuning.method_bench import BenchRow, OnValidation
from core.figures.look.style import seconds, short
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.method_bench import bench_figure, bench_sentence, time_sentence
from core.methods import METHODS, EmptyOptimumError
from core.metrics import describe_convention
from pages.shared import frame, keys, panels
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.choice.menu import IDS, menu_title
from pages.shared.live_chart import live_chart
from pages.views.methods.bench_batch import GLANCE_SECONDS, Wanted, first_look, plans_of, rows_of, run_methods
from pages.views.methods.bench_controls import controls
from pages.views.methods.bench_table import bench_table, draw_table
from pages.views.methods.cards import cards

TITLES = {method_id: menu_title(method_id) for method_id in IDS}


def render() -> None:
    """Draw the page for the sidebar's choice; the cards need none."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        cards(st.session_state.get(keys.METHOD))
        return
    _side_by_side(choice)
    cards(choice.method_id)


def _side_by_side(choice: Loaded) -> None:
    heading = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS)
    stage = st.container()
    with tools:
        wanted, measure = controls(choice)
    plans = plans_of(choice, wanted)
    working = run_methods(choice, plans, wanted.how, tools)
    rows = rows_of(plans)
    part = list(choice.fold.parts())[-1]
    usable = int(choice.judge.usable_features.sum())
    if not rows:
        heading.header(f"{len(METHODS)} methods: which serves best here?", anchor=False)
        with stage:
            _first_look(choice, measure, part, usable)
        if working:
            st.caption("The first method is on its way.")
        elif plans:
            st.info(f"Press Run: they are fitted to {choice.where}, one after the other.", icon="☝️")
        else:
            st.info("Pick at least one method.", icon="☝️")
        return
    heading.header(bench_sentence(rows, TITLES, part, measure, usable), anchor=False)
    table = bench_table(rows, part, measures_of(choice)[:2])
    with stage:
        _picture(choice, rows, measure, part, usable, time_sentence(rows, TITLES), _settings(choice, wanted), table)
    draw_table(rows, table)
    _refusals(rows)
    st.caption(_words(choice, wanted, rows))


def _first_look(choice: Loaded, measure: str, part: str, usable: int) -> None:
    """A few methods at the sidebar's share of lambda_max, where that takes a moment only: the page opens with it."""
    rows = first_look(choice)
    if not rows:
        return
    table = bench_table(rows, part, measures_of(choice)[:2])
    title = f"A first look: {bench_sentence(rows, TITLES, part, measure, usable)}"
    ratio = short(choice.lam / choice.training.lam_max)
    settings = f"before any run: {len(rows)} methods at λ/λ_max = {ratio}, {seconds(GLANCE_SECONDS)} each at most"
    _picture(choice, rows, measure, part, usable, title, settings, table)


def _picture(
    choice: Loaded,
    rows: Sequence[BenchRow],
    measure: str,
    part: str,
    usable: int,
    title: str,
    settings: str,
    table: pd.DataFrame,
) -> None:
    figure = bench_figure(
        rows,
        TITLES,
        part=part,
        measure=measure,
        up=f"{measure} ({PART_TITLES[part]}, {choice.convention})",
        usable=usable,
        title=title,
        subtitle=f"{choice.where} · {settings} · the larger the mark, the longer it took",
    )
    live_chart(figure, "methods", alt=f"{title}. {measure} against features kept.", table=table, main=True)


def _settings(choice: Choice, wanted: Wanted) -> str:
    budget = f"{seconds(wanted.budget)} of solver time at most"
    if isinstance(wanted.how, OnValidation):
        return f"each method's C by validation {wanted.how.measure}, {budget}"
    return f"λ/λ_max = {short(wanted.how.ratio)}, {budget}"


def _words(choice: Choice, wanted: Wanted, rows: Sequence[BenchRow]) -> str:
    """How to read it, and what is not there."""
    on_validation = isinstance(wanted.how, OnValidation)
    said = [
        "Seconds and passes are those of the whole grid."
        if on_validation
        else "At one λ/λ_max methods differ in how many features they keep: see Trade-off for every C.",
        _names("Out of time before the end", [row for row in rows if row.fit is not None and row.fitted < row.wanted]),
        _names("Not drawn, as they have no model or an empty one", [row for row in rows if not row.ranks]),
        "The method of the sidebar has its solver, parameters and accuracy from there, the others their defaults.",
        describe_convention(choice.convention),
    ]
    return " ".join(filter(None, said))


def _names(what: str, rows: Sequence[BenchRow]) -> str:
    return f"{what}: {', '.join(TITLES[row.method] for row in rows)}." if rows else ""


def _refusals(rows: Sequence[BenchRow]) -> None:
    """Why a method has no model, with the way out where one is known; methods with the same loss say it once."""
    said = set()
    for row in rows:
        if row.refusal and row.refusal not in said:
            said.add(row.refusal)
            panels.empty_answer(EmptyOptimumError(row.refusal, row.way_out), row.method, TITLES[row.method])
