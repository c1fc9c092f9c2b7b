"""The objective against the number of features: the certified line, and how far every method is from it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.choosing import choosing_part
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.api.best_subset_tables import excess_table, line_table
from core.export.scripts.best_subset import best_subset_script
from core.figures.best_subset.excess import excess_figure
from core.figures.best_subset.line import line_figure
from pages.shared import scripts
from pages.shared.choice.choice import Loaded
from pages.shared.live_chart import live_chart
from pages.shared.work.yardstick import why_not
from pages.views.tradeoff import certified_words as words
from pages.views.tradeoff.certified import Certified, certified
from pages.views.tradeoff.controls import HOW_FAR, TITLES, TradeoffOptions


def objective_picture(
    choice: Loaded,
    wanted: TradeoffOptions,
    dense: Sequence[TradeoffPoint],
    heading: DeltaGenerator,
    stage: DeltaGenerator,
) -> None:
    """Draw the line, or the table of excesses, as far as it is known; what is under way stands beneath it."""
    methods, limit, part, measure = wanted.methods, wanted.limit, wanted.view.part, wanted.view.measure
    found = certified(choice, methods, dense, every=True)
    row = None if found is None else found.row(limit)
    if found is None or row is None:
        heading.header(words.UNFINISHED, anchor=False)
        if why_not(choice):
            stage.info(why_not(choice))
    else:
        on_paths = [one for one in found.compared if one.method in methods]
        heading.header(words.line_title(row, on_paths if found.finished else (), TITLES), anchor=False)
        with stage:
            _draw(choice, found, wanted.objective, methods)
            st.markdown(words.ranking_words(found.beside(choice, limit, part, measure), part, measure, TITLES))
            st.caption(words.caption(found.ridge, found.rows, choosing_part(choice.fold.parts())))
    if found is not None:
        found.panel()


def _draw(choice: Loaded, found: Certified, shown: str, methods: Sequence[str]) -> None:
    names = choice.fold.train.feature_names
    script = best_subset_script(
        scripts.chosen_data(choice),
        [scripts.method_of(choice, method) for method in methods if method in found.sets],
        ridge=found.ridge.ratio,
        most=found.rows[-1].k,
        show=shown,
    )
    if shown == HOW_FAR:
        title = "How far the objective is above that of the best set, in per cent; below it, features in common"
        live_chart(
            excess_figure(found.compared, TITLES, title=title, subtitle=f"{choice.where} · the nearest on top"),
            "excess",
            alt=title,
            table=lambda: excess_table(found.rows, found.compared, TITLES, names),
            script=script,
            main=True,
        )
        return
    drawn = {method: own for method, own in found.sets.items() if method in methods}
    title = "Objective of the best sets and of the methods' sets, all with the same ridge"
    figure = line_figure(
        found.rows,
        [one for one in found.compared if one.method in drawn],
        drawn,
        TITLES,
        names,
        title=title,
        subtitle=f"{choice.where} · band: not yet excluded · faint: every set of a path",
    )
    live_chart(
        figure,
        "certified",
        alt=title,
        table=lambda: line_table(found.rows, found.compared, TITLES, names),
        script=script,
        main=True,
    )
