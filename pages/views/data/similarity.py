"""The Data page's similarity section: which features say the same."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.similarity import Similarity, refuse_too_many
from core.data import DataError
from core.figures.features.similarity import FITTING, LETTERS, SimilarityPicture
from core.metrics.kendall import LARGEST_SAMPLE
from pages.shared.live_chart import main_picture
from pages.shared.show import option_control, show
from pages.views.data.part import Part

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
        kind = option_control(SimilarityPicture, "kind")
        threshold = option_control(SimilarityPicture, "threshold", width=200)
    stage = st.container()
    every_name = part.data.n_features > FITTING and option_control(SimilarityPicture, "every_name", default=False)
    picture = SimilarityPicture(part.data, kind=kind, threshold=threshold, every_name=every_name, where=part.where)
    with stage, main_picture():
        found = show(picture, part.described, part.fold, fill=not every_name)
    if found is not None:
        _explained(part, found)


def _explained(part: Part, found: Similarity) -> None:
    letter, names = LETTERS[found.kind], part.data.feature_names
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
    with right:
        st.dataframe(
            pairs,
            hide_index=True,
            key="closest",
            column_config={"similarity": st.column_config.NumberColumn(format="%.3f", pinned=True)},
        )
