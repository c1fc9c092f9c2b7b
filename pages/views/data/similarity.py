"""The Data page's similarity section: which features say the same."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.similarity import Kind, Similarity, kendall_similarity, refuse_too_many
from core.api.tables import similarity_table
from core.data import DataError
from core.export.scripts.data import similarity_script
from core.figures.features.similarity import FITTING, KIND_TITLES, similarity_figure
from core.metrics.kendall import LARGEST_SAMPLE, kendall_rows, sample_documents
from core.work import Steps
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.of_data import correlations
from pages.shared.work.stepwise import all_steps
from pages.views.data.part import Part

KINDS: dict[str, Kind] = {"Pearson": "pearson", "Kendall": "kendall"}
MOST_PAIRS = 100


def similarity(part: Part, tools: DeltaGenerator) -> None:
    """Draw the section, its controls among the page's."""
    if len(part.flat) == part.data.n_features:
        st.info("Every feature is constant in this part: there is nothing to compare.")
        return
    try:
        refuse_too_many(part.data.n_features)
    except DataError as error:
        st.info(f"{error}.")
        return
    with tools:
        kind = st.segmented_control(
            "Similarity",
            list(KINDS),
            default="Pearson",
            required=True,
            key="data_similarity",
            bind="query-params",
            label_visibility="collapsed",
            help="Pearson's r compares the values of two features. Kendall's τ-b compares the orders that they give: "
            f"+1 for the same order of all {part.nouns.rows}, −1 for the reverse order. It corrects for ties.",
        )
        threshold = st.slider(
            "Alike from",
            0.5,
            1.0,
            0.9,
            0.01,
            key="data_alike",
            bind="query-params",
            width=200,
            label_visibility="collapsed",
            format="alike from %.2f",
            help="Two features count as twins from this absolute similarity on.",
        )
    found = correlations(part.data) if KINDS[kind] == "pearson" else _kendall(part)
    if found is not None:
        _draw(part, found, threshold)


def _kendall(part: Part) -> Similarity | None:
    data = part.data
    sample = sample_documents(data.n_documents)
    rows = all_steps(
        f"kendall-{data.fingerprint}",
        lambda: Steps(kendall_rows(data.features[sample]), data.n_features),
        "Comparing the orders of the features",
    )
    return None if rows is None else kendall_similarity(rows, len(sample))


def _draw(part: Part, found: Similarity, threshold: float) -> None:
    names = part.data.feature_names
    alike = len(found.with_twin(threshold))
    letter = "r" if found.kind == "pearson" else "τ"
    title = f"{alike} of {len(names)} features have a twin"
    documents = f"{found.n_documents:,} of {part.nouns.counted(part.data.n_documents)}"
    pairs = pd.DataFrame(
        [
            {
                "similarity": pair.similarity,
                "a feature": f"{names[pair.first]} ({pair.first + 1})",
                "and its closest": f"{names[pair.second]} ({pair.second + 1})",
            }
            for pair in found.closest()[:MOST_PAIRS]
        ],
        columns=["similarity", "a feature", "and its closest"],
    )
    stage = st.container()
    every_name = len(names) > FITTING and st.toggle(
        "Every name",
        key="data_every_name",
        help="The picture is then as high as its names need; otherwise it fits the window.",
    )
    figure = similarity_figure(
        found,
        names,
        title=title,
        subtitle=f"|{letter}| ≥ {threshold:.2f} · {part.where}\n{documents}, clustered",
        every_name=every_name,
    )
    with stage, main_picture():
        live_chart(
            figure,
            "similarity",
            alt=f"{title}, {KIND_TITLES[found.kind]} of {threshold:.2f} or more in absolute value: heat map",
            table=lambda: similarity_table(found, names),
            script=lambda: similarity_script(part.described, part=part.name, kind=found.kind),
            fill=not every_name,
        )
    left, right = st.columns([2, 3])
    with left:
        st.markdown(
            f"Similar features stand next to each other (average linkage on 1 − |{letter}|). Blue: both rise together. "
            "Orange: one falls as the other rises. A sparse model needs one feature of a group of twins, and which one "
            "it keeps may change from fold to fold. A constant feature has similarity 0 to every other."
        )
        if found.kind == "kendall" and found.n_documents < part.data.n_documents:
            st.caption(
                f"τ is computed on {LARGEST_SAMPLE:,} {part.nouns.rows} drawn at random, always the same ones. Its "
                "standard error is 0.015 for unrelated features and never above 0.032."
            )
    with right:
        st.dataframe(
            pairs,
            hide_index=True,
            key="closest",
            column_config={"similarity": st.column_config.NumberColumn(format="%.3f", pinned=True)},
        )
