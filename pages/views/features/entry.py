"""Entry order: which feature comes first as lambda falls, under every method."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.fold_models import FoldPath
from core.figures.features.first_entry import EntryOrder
from pages.shared import scripts
from pages.shared.headline import Shown
from pages.shared.show import numbers, show
from pages.shared.work.paths import paths
from pages.views.features.beside import choose_methods


def entry(now: Shown, tools: DeltaGenerator) -> None:
    """Draw the section for the chosen method and those beside it."""
    choice = now.choice
    if not choice.method.sparse:
        st.info(f"{choice.title} keeps every feature from the start. Choose a sparse penalty in the sidebar.")
        return
    with tools:
        method_ids = choose_methods(choice)
    stage = st.container()
    known = {method_id: points for method_id, points in paths(choice, method_ids).items() if len(points) > 1}
    if choice.method_id not in known:
        return
    picture = EntryOrder(
        [FoldPath(points, choice.fold, choice.convention) for points in known.values()],
        where=choice.where,
        chosen=now.fit.lam / now.fit.lam_max,
    )
    found = numbers(picture)
    if found is None or not found[choice.method_id]:
        return
    with stage:
        show(
            picture,
            scripts.chosen_data(choice),
            choice.fold,
            found=found,
            fits=lambda: {"paths": [scripts.method_of(choice, method_id) for method_id in known]},
            main=True,
        )
    stage.caption(
        "A feature enters early if it explains most of what the features already in cannot: the strongest alone "
        "enters first, its near copies much later or never. Places are those of the path's grid of λ."
    )
