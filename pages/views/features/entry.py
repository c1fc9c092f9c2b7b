"""Entry order: which feature comes first as lambda falls, under every method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.first_entry import Entry, entry_order
from core.api.tables import entry_table
from core.export.scripts.features import entry_script
from core.figures.features.first_entry import entry_figure
from core.methods import get_method
from pages.shared import scripts
from pages.shared.headline import Shown
from pages.shared.live_chart import live_chart
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
    entries = {method_id: entry_order(points) for method_id, points in known.items()}
    if not entries.get(choice.method_id):
        return
    names = now.fit.feature_names
    titles = {method_id: get_method(method_id).title for method_id in entries}
    title = _entry_title(entries, titles, names)
    figure = entry_figure(
        entries,
        titles,
        names,
        chosen=now.fit.lam / now.fit.lam_max,
        title=title,
        subtitle=f"{choice.where} · as λ falls, the model grows to the right · hollow: removed again later",
    )
    with stage:
        live_chart(
            figure,
            "entry",
            alt=title,
            table=lambda: entry_table(entries, titles, names),
            script=lambda: entry_script(
                scripts.chosen_data(choice), [scripts.method_of(choice, method_id) for method_id in entries]
            ),
            main=True,
        )
    stage.caption(
        "A feature enters early if it explains most of what the features already in cannot: the strongest alone "
        "enters first, its near copies much later or never. Places are those of the path's grid of λ."
    )


def _entry_title(entries: Mapping[str, Sequence[Entry]], titles: Mapping[str, str], names: Sequence[str]) -> str:
    first = {method_id: found[0].feature for method_id, found in entries.items() if found}
    opening = next(iter(first.values()))
    agree = [titles[method_id] for method_id, feature in first.items() if feature == opening]
    if len(agree) == len(first):
        under = "every method" if len(agree) > 1 else agree[0]
        return f"{names[opening]} enters first under {under}"
    others = "; ".join(
        f"{names[feature]} under {titles[method_id]}" for method_id, feature in first.items() if feature != opening
    )
    return f"{names[opening]} enters first under {', '.join(agree)}, {others}"
