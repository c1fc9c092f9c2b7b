"""The Features page: what methods keep, what each feature can do alone, who enters first, who resembles whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.best_subset.certified_path import Alternatives, AlternativesRun
from core.analysis.features.similarity import MOST_FEATURES, FeatureSimilarity
from core.analysis.path import PathPoint
from core.analysis.path_frames import fitted_frame
from core.analysis.tradeoff.tradeoff import DENSE, TradeoffRow, tradeoff_points
from core.content import Series
from core.figures.best_subset.alternatives_picture import SHARES, NearOptimalPicture, percent
from core.figures.features.first_entry import EntryOrder
from core.figures.features.similarity import KeptSimilarity
from core.figures.look.labels import heading_height
from core.names.numbers import short
from pages.shared import frame, keys
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import measures_of
from pages.shared.following import following_header
from pages.shared.headline import Shown
from pages.shared.panels import copies_note
from pages.shared.show import numbers, show_chosen
from pages.shared.wording import features
from pages.shared.work.board import ask_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, Reached
from pages.shared.work.paths import complete
from pages.shared.work.stepwise import at_once
from pages.shared.work.yardstick import ridge_model, sizes_of, why_not
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


_K = "alternatives_k"
_WITHIN = "alternatives_within"
USUAL, MOST = 5, 8
WITHIN = {f"within {percent:g} %": percent for percent in (0.1, 0.5, 1.0, 2.0, 5.0)}
"""Per cent by the words of the control, which are in the address, too."""


def alternatives(now: Shown, known: Mapping[str, Series[PathPoint]], tools: DeltaGenerator) -> None:
    """Draw the section; the search runs beside the page."""
    choice = now.choice
    with tools:
        most = min(MOST, sizes_of(choice))
        if not 1 <= st.session_state.get(_K, 1) <= most:
            st.session_state.pop(_K, None)
        k: int = min(USUAL, most) if most < 2 else st.slider(
            "Features at most", 1, most, min(USUAL, most), key=_K, bind="query-params", format="at most %d",
            label_visibility="collapsed", width=120, help="The most features that a set may have.",
        )  # fmt: skip
        within = WITHIN[st.select_slider(
            "Within", list(WITHIN), "within 1 %", key=_WITHIN, bind="query-params", label_visibility="collapsed",
            width=140, help="How far above the lowest objective a set may be.",
        )]  # fmt: skip
    if why_not(choice):
        st.info(why_not(choice))
        return
    heading, stage = st.container(), st.container()
    ridge = ridge_model(choice, tradeoff_points(known[DENSE], choice.judge.usable_features))
    if ridge is None:
        return
    picture = NearOptimalPicture(
        choice.fold,
        ridge=ridge.ratio,
        k=k,
        within=within / 100.0,
        part=list(choice.fold.parts())[-1],
        measure=measures_of(choice)[0],
        convention=choice.convention,
        where=choice.where,
    )
    search = picture.search
    job: Job[AlternativesRun] = ask_for(search.key, search.work)
    active = job.active
    found = job.run.result if job.run is not None else None
    if found is not None and not active:
        heading.subheader(headline(found, k, within, ended=job.state == "finished"), anchor=False)
        with stage:
            _pictures(now, picture, found, ridge, ended=job.state == "finished")
    else:
        heading.subheader(f"Which sets of at most {features(k)} come within {within:g} % of the best?", anchor=False)
    Panel(
        key="alternatives",
        reached=lambda: _reached(job),
        starting="fitting all features first",
        stop_help="Stops and keeps the sets found so far; some may be missing",
    ).draw([job], active=active)


def headline(found: Alternatives, k: int, within: float, *, ended: bool) -> str:
    """How many sets there are, and how many features they have in common."""
    sets, common = len(found.found.sets), len(found.in_every)
    if sets == 1 and found.found.complete:
        return f"No other set of at most {features(k)} comes within {within:g} % of the best"
    count = (
        f"{sets} sets"
        if found.found.complete
        else f"More than {sets} sets"
        if found.found.cut
        else f"{sets} sets so far"
    )
    where = f"of at most {features(k)} come within {within:g} % of the best"
    share = (
        f"{features(common)} {'is' if common == 1 else 'are'} in every one" if common else "no feature is in every one"
    )
    if found.found.cut:
        share = share.replace("in every one", f"in all of the best {sets}")
    return f"{count} {where}; {share}"


def _pictures(now: Shown, picture: NearOptimalPicture, found: Alternatives, ridge: TradeoffRow, *, ended: bool) -> None:
    choice = now.choice
    shares = replace(picture, view=SHARES, kept=now.fit.selected.tolist(), kept_by=choice.title)
    words = [one.words(found) for one in (shares, picture)]
    heading = max(map(heading_height, words))
    columns = st.columns(2)
    for column, one in zip(columns, (shares, replace(picture, heading=heading)), strict=True):
        with column:
            show_chosen(one, choice, known={"sets": found}, scripted=ended)
    said = (
        f"All sets of at most {features(picture.k)} whose objective, with the λ of RankSVM ℓ2 that validation picks "
        f"(λ/λ_max = {short(ridge.ratio)}), is within {100 * picture.within:g} % of the lowest. "
    )
    if found.found.cut:
        said += f"The list has the {len(found.found.sets)} best, and there are more."
    elif found.found.complete:
        said += "The search is complete: no such set is missing."
    else:
        reached = max(found.found.complete_within, 0.0)
        said += f"The search was stopped: no set within {percent(reached)} % is missing, others may be."
    st.caption(f"{said} The objective is that of the training part; sets that come near there may rank differently.")


def _reached(job: Job[AlternativesRun]) -> Reached | None:
    found = job.run.result if job.run is not None else None
    if found is None:
        return None
    sets = len(found.found.sets)
    if found.found.done:
        return Reached(f"measuring {len(found.judgements)} of {sets} sets", len(found.judgements) / max(sets, 1))
    return Reached(f"{sets} sets so far; {found.found.nodes:,} nodes examined, {found.found.waiting:,} to go", None)


def render(choice: Loaded) -> None:
    """Draw the page for the sidebar's choice."""
    heading = st.container()
    tools = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=keys.TOOLS)
    stage = st.container()
    # Also while a model is fitted: a control that is not drawn forgets what was chosen.
    drawn = f"Other data: {choice.nouns.samples} are drawn at random."
    asked = address.ask_further(QUESTIONS, key=keys.FEATURES_SECTION, help=drawn)
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
    among = show_chosen(picture, choice)
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
        [choice.fold_path(points) for points in known.values()],
        where=choice.where,
        chosen=now.fit.lam / now.fit.lam_max,
    )
    found = numbers(picture)
    if found is None or not found[choice.method_id]:
        return
    with stage:
        show_chosen(picture, choice, found=found)
    stage.caption(
        "A feature enters early if it explains most of what the features already in cannot: the strongest alone "
        "enters first, its near copies much later or never. Places are those of the path's grid of λ."
    )
