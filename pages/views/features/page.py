"""The Features page: what methods keep, what each feature can do alone, who enters first, who resembles whom."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.similarity import MOST_FEATURES, FeatureSimilarity
from core.analysis.fold_models import FoldPath
from core.analysis.path import PathPoint
from core.analysis.path_frames import fitted_frame
from core.analysis.tradeoff.references import DENSE
from core.content import Series
from core.figures.features.first_entry import EntryOrder
from core.figures.features.similarity import KeptSimilarity
from pages.shared import frame, keys, panels, scripts
from pages.shared.choice import link
from pages.shared.copies import copies_note
from pages.shared.following import following_header
from pages.shared.headline import Shown
from pages.shared.show import numbers, show
from pages.shared.work.paths import complete
from pages.shared.work.stepwise import at_once
from pages.shared.work.yardstick import why_not
from pages.views.features.alternatives import alternatives
from pages.views.features.selected import features_words, selected
from pages.views.features.stability import stability
from pages.views.features.what_if import refit, what_if

QUESTIONS = {
    "what if": "What if one is left out?",
    "stability": "Would other data keep the same?",
    "entry order": "Which enter first?",
    "similarity": "Do the kept ones resemble each other?",
    "rivals": "Which other sets come as near?",
}
"""What can be asked further, by its name in the address."""


def render() -> None:
    """Draw the page for the sidebar's choice."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        return
    heading = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=keys.TOOLS)
    stage = st.container()
    # Also while a model is fitted: a control that is not drawn forgets what was chosen.
    drawn = f"Other data: {choice.nouns.samples} are drawn at random."
    asked = link.ask_further(QUESTIONS, key=keys.FEATURES_SECTION, help=drawn)
    now = frame.model()
    with stage:
        if now is None and choice.rules_for(choice.method_id) is not None:
            refit(choice)
        elif now is None:
            st.info("There is no model yet for this choice. Press Fit on the Fit page, then come back.")
    if now is None:
        return
    if asked != "what if" or choice.rules_for(choice.method_id) is None:
        with heading:
            following_header(features_words(choice, fitted_frame(now.point)))
    with stage:
        known = selected(now, tools, [DENSE] if asked == "rivals" and not why_not(choice) else [])
    if asked is not None:
        _unfolded(asked, now, known, heading)
    copies_note(choice.source, choice.fold_number)


def _unfolded(asked: str, now: Shown, known: Mapping[str, Series[PathPoint]] | None, heading: DeltaGenerator) -> None:
    """Draw the answer to a question, which is worked out only then."""
    if known is None or (asked == "rivals" and not complete(now.choice, list(known))):
        st.caption("The answer follows when the work above is complete.")
        return
    with st.container(key="features_asked"):
        tools = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
        if asked == "what if":
            what_if(now, tools, heading)
        elif asked == "stability":
            stability(now, tools)
        elif asked == "entry order":
            entry(now, known)
        elif asked == "similarity":
            _similarity(now)
        else:
            alternatives(now, known, tools)


def _similarity(now: Shown) -> None:
    choice, kept = now.choice, np.sort(now.fit.selected)
    if len(kept) < 2:
        st.info(f"The model keeps {len(kept)} feature{'s' * (len(kept) != 1)}: raise C to keep at least two.")
        return
    train = choice.fold.train
    if len(kept) > MOST_FEATURES:
        st.info(f"The model keeps {len(kept):,} features, too many to compare each with each: lower C.")
        return
    picture = KeptSimilarity(now.model, where=choice.where)
    among = show(
        picture,
        scripts.chosen_data(choice),
        choice.fold,
        fits=lambda: {"model": scripts.model_of(choice, now.fit)},
    )
    assert among is not None, "it needs nothing else"
    said = f"{len(among.with_twin(0.9))} of the {len(kept)} kept features have another kept one with |r| ≥ 0.9"
    if train.n_features <= MOST_FEATURES:
        all_twins = len(at_once(FeatureSimilarity(train, "pearson")).with_twin(0.9))
        said += f"; of all {train.n_features} features {all_twins} have such a twin"
    st.caption(f"{said}. Of such twins a sparse model needs one.")


def entry(now: Shown, paths: Mapping[str, Series[PathPoint]]) -> None:
    """Draw the order of the chosen method and of those beside it."""
    choice = now.choice
    if not choice.method.sparse:
        st.info(f"{choice.title} keeps every feature from the start. Choose a sparse penalty in the sidebar.")
        return
    stage = st.container()
    known = {method_id: points for method_id, points in paths.items() if len(points) > 1}
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
        )
    stage.caption(
        "A feature enters early if it explains most of what the features already in cannot: the strongest alone "
        "enters first, its near copies much later or never. Places are those of the path's grid of λ."
    )
