"""The objective against the number of features: the certified line, and how far every method is from it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.choosing import choosing_part
from core.analysis.fold_models import FoldPath
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.figures.best_subset.objective_picture import HOW_FAR, LINE, BestSubsetsPicture
from pages.shared import scripts
from pages.shared.choice.choice import Loaded
from pages.shared.show import show
from pages.shared.work.paths import known_points
from pages.shared.work.yardstick import why_not
from pages.views.tradeoff import certified_words as words
from pages.views.tradeoff.certified import Certified, certified
from pages.views.tradeoff.controls import TITLES, TradeoffOptions


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
    drawn = [method for method in methods if method in found.sets]
    picture = BestSubsetsPicture(
        choice.fold,
        ridge=found.ridge.ratio,
        most=found.rows[-1].k,
        paths=[FoldPath(known_points(choice, method), choice.fold, choice.convention) for method in drawn],
        view=HOW_FAR if shown == HOW_FAR else LINE,
        convention=choice.convention,
        where=choice.where,
    )
    show(
        picture,
        scripts.chosen_data(choice),
        choice.fold,
        fits=lambda: {"paths": [scripts.method_of(choice, method) for method in drawn]},
        known={"best": found.rows, "sets": found.sets},
        main=True,
    )
