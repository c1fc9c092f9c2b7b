"""The Features page: what methods keep, what each feature can do alone, who enters first, who resembles whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.features.equally_sparse import with_as_many_features
from core.analysis.features.first_entry import Entry, entry_order
from core.analysis.features.random_ranking import RandomOrder, RandomWeights, random_order, random_weights
from core.analysis.features.similarity import Similarity, pearson
from core.analysis.features.single_feature import SingleFeatureScore, each_single_feature
from core.analysis.path import PathPoint
from core.analysis.tuning.tuning import best_on_validation
from core.data import Convention, RankingData
from core.figures.features.first_entry import entry_figure
from core.figures.features.selection import Column, axis_height, matrix_figure, shown_features, single_features_figure
from core.figures.features.similarity import similarity_figure
from core.figures.look.feature_rows import heading_height
from core.figures.look.style import short
from core.figures.path.tuning import PART_TITLES
from core.methods import get_method
from core.metrics.equal_values import rounded
from core.work import Steps
from pages.shared import frame, headline, keys, panels
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.choice.menu import IDS, menu_title
from pages.shared.choice.part import choose_part
from pages.shared.headline import Shown
from pages.shared.live_chart import clicked, live_chart, main_picture
from pages.shared.wording import kept_words
from pages.shared.work.paths import complete, paths
from pages.shared.work.stepwise import all_steps
from pages.views.features.rules import Rules
from pages.views.features.stability import stability
from pages.views.features.what_if import what_if

_FEATURES_MOST = "features_most"
_FEATURES_SECTION = "features_section"
_FEATURES_WITH = "features_with"
BEST = 10
BESIDE = ("l1", "log", "mcp")
MOST_ROWS = 24  # as many as a small screen has room for
DRAWN_DOCUMENTS = 4_000_000
LEGEND = "filled: kept by it · thick ring: by another · grey band: random orders"
MATRIX_LEGEND = "weights · ▲ ▼ sign, area by |weight|"
AS_MANY, ON_VALIDATION = "as many features", "best on validation"


def render() -> None:
    """Draw the page for the sidebar's choice."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        return
    now = headline.shown(choice)
    if now is None:
        st.info("There is no model yet for this choice. Press Fit on the Fit page, then come back.", icon="📉")
        return
    st.header(_headline(now), anchor=False)
    tools = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=keys.TOOLS)
    sections: dict[str, Callable[[], None]] = {
        "selected": lambda: _selected(now, tools),
        "what if": lambda: what_if(now),
        "stability": lambda: stability(now),
        "entry order": lambda: _entry(now, tools),
        "similarity": lambda: _similarity(now),
    }
    section = tools.segmented_control(
        "Look at",
        list(sections),
        default="selected",
        required=True,
        key=_FEATURES_SECTION,
        bind="query-params",
        label_visibility="collapsed",
        help="Selected: what methods keep, beside what each feature can do alone. What if: features off, forced in, or "
        "at a cost. Stability: how often each is kept when the queries are drawn again. Entry order: who comes first "
        "as λ falls. Similarity: how alike the kept ones are.",
    )
    sections[section or "selected"]()


def _headline(now: Shown) -> str:
    fit = now.fit
    words = kept_words(fit, now.usable)
    return f"{words}; {fit.feature_names[fit.selected[0]]} weighs most" if len(fit.selected) else words


def _choose_methods(choice: Choice) -> list[str]:
    """The chosen method, then those to compare it with."""
    others = [method_id for method_id in IDS if method_id != choice.method_id and get_method(method_id).sparse]
    wanted = st.session_state.get(_FEATURES_WITH, BESIDE)
    st.session_state[_FEATURES_WITH] = [method_id for method_id in wanted if method_id in others]
    titles = [get_method(method_id).title for method_id in st.session_state[_FEATURES_WITH]]
    with st.popover(f"Beside: {', '.join(titles) or 'nothing'}", key="features_beside"):
        picked = st.multiselect(
            "Beside it",
            others,
            format_func=menu_title,
            key=_FEATURES_WITH,
            persist_state="session",
            help="Other methods, with default parameters. Their paths are worked out once and kept.",
        )
    return [choice.method_id, *picked]


def _choose_comparison(choice: Loaded) -> tuple[str, str]:
    """Where on their paths the other methods are compared, and the part that is measured; seldom changed."""
    with st.popover("⋯", key="features_more", help="Where the others stand, what is measured, which rows are drawn"):
        at = st.segmented_control(
            "The others at",
            [AS_MANY, *([ON_VALIDATION] if choice.fold.vali is not None else [])],
            default=AS_MANY,
            required=True,
            key="features_at",
            help="Where on their paths the other methods are compared: the model that keeps as many features as the "
            "chosen one (the nearest on the path), or the one that ranks best on the validation part.",
        )
        part = choose_part(
            choice,
            key="features_part",
            help="The part on which NDCG@10 of single features and of whole models is measured.",
        )
        if choice.fold.train.n_features > MOST_ROWS:
            st.toggle(
                f"Draw all {choice.fold.train.n_features} features",
                key=_FEATURES_MOST,
                persist_state="session",
                help=f"Otherwise those that are kept and the best others, {MOST_ROWS} in all; the table has all.",
            )
    return at or AS_MANY, part


def _selected(now: Shown, tools: DeltaGenerator) -> None:
    choice = now.choice
    with tools:
        method_ids = _choose_methods(choice)
        at, part = _choose_comparison(choice)
    stage = st.container()
    data = choice.fold.parts()[part]
    scores = all_steps(
        f"single-{data.fingerprint}-{choice.convention}",
        lambda: Steps(each_single_feature(data, choice.convention), data.n_features),
        "Ranking by each feature alone",
    )
    if scores is None:
        return
    known = paths(choice, method_ids[1:]) if len(method_ids) > 1 else {}
    columns = [Column(choice.method_id, choice.title, now.fit.weights, now.metrics[part]["NDCG@10"])]
    columns += [
        _column(points, part, now.fit.result.nonzero, at, measures_of(choice)[0])
        for method_id, points in known.items()
        if points and complete(choice, [method_id])
    ]
    most = data.n_features if st.session_state.get(_FEATURES_MOST) else MOST_ROWS
    rows = shown_features(columns, scores, most)
    order, weights = _random(data, data.fingerprint, choice.convention)
    title, agreement = selection_title(columns, scores), _agreement_title(columns)
    others = f", the others: {at}" if len(columns) > 1 else ""
    subtitle = f"{choice.where} · {choice.title} at C = {short(now.fit.c)}{others}<br>{LEGEND}"
    heading = max(heading_height(title, subtitle), heading_height(agreement, MATRIX_LEGEND) + axis_height(columns))
    table = _selection_table(columns, scores)
    with stage, main_picture():
        left, right = st.columns([5, 4])
    with left:
        figure = single_features_figure(
            columns,
            scores,
            order.ndcg_at_10,
            weights.ndcg_at_10,
            rows,
            measured_on=f"{PART_TITLES[part]}, {choice.convention}",
            title=title,
            subtitle=subtitle,
            heading=heading,
        )
        without = partial(_without_clicked, now, "selection")
        live_chart(figure, "selection", alt=title, table=table, on_click=without, fill=True)
    with right:
        matrix = matrix_figure(columns, scores, rows, title=agreement, subtitle=MATRIX_LEGEND, heading=heading)
        without = partial(_without_clicked, now, "matrix")
        live_chart(matrix, "matrix", alt=agreement, table=table, on_click=without, fill=True)
    stage.caption(_random_words(scores, order, weights) + " Click a feature to see what the model would be without it.")


def _without_clicked(now: Shown, chart: str) -> None:
    """Switch the feature that was clicked off, and show what that does."""
    point = clicked(chart)
    if point is not None and point.get("customdata"):
        Rules(now).switch_off(int(point["customdata"][1]) - 1)
        st.session_state[_FEATURES_SECTION] = "what if"


def _column(points: Sequence[PathPoint], part: str, n_features: int, at: str, measure: str) -> Column:
    point = with_as_many_features(points, n_features) if at == AS_MANY else best_on_validation(points, measure)
    method = get_method(point.fit.method)
    return Column(method.id, method.title, point.fit.weights, point.metrics[part]["NDCG@10"])


@st.cache_data(max_entries=64, show_spinner="Drawing random rankings …")
def _random(_data: RankingData, fingerprint: str, convention: Convention) -> tuple[RandomOrder, RandomWeights]:
    n_draws = min(max(DRAWN_DOCUMENTS // _data.n_documents, 20), 200)
    return random_order(_data, convention, n_draws=n_draws), random_weights(_data, convention)


def _random_words(scores: Sequence[SingleFeatureScore], order: RandomOrder, weights: RandomWeights) -> str:
    """Both random lines, and how many features are above each with their largest values first."""
    line, band = weights.ndcg_at_10, order.ndcg_at_10
    above = sum(score.ndcg_at_10 > line.mean for score in scores)
    return (
        f"With its largest values first, {sum(score.ndcg_at_10 > band.high for score in scores)} of {len(scores)} "
        f"features are above the band with 90 % of random orders of the documents (expected: {band.expected:.4f}), "
        f"{above} above the line of random weights of all features ({line.mean:.4f}, the mean of {weights.n_draws} "
        "random convex weightings, as in Lai et al. 2013, FenchelRank, Fig. 1). Tied documents count in expectation."
    )


def selection_title(columns: Sequence[Column], scores: Sequence[SingleFeatureScore]) -> str:
    """How many of the best single features every method keeps; among equals the first are the best."""
    best = sorted(range(len(scores)), key=lambda j: -rounded(scores[j].ndcg_at_10))[:BEST]
    keeps = [int(np.count_nonzero(column.weights[best])) for column in columns]
    counted = ", ".join(
        f"{column.title} keeps {k}" if place == 0 else f"{column.title} {k}"
        for place, (column, k) in enumerate(zip(columns, keeps, strict=True))
    )
    opening = "Strong alone is not chosen together: of" if 2 * keeps[0] <= len(best) else "Of"
    return f"{opening} the {len(best)} best single features {counted}"


def _agreement_title(columns: Sequence[Column]) -> str:
    if len(columns) == 1:
        return f"{columns[0].title} keeps {columns[0].nonzero}"
    kept = np.array([column.weights != 0.0 for column in columns])
    return f"{int(kept.all(axis=0).sum())} of {int(kept.any(axis=0).sum())} are kept by every method"


def _selection_table(columns: Sequence[Column], scores: Sequence[SingleFeatureScore]) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "feature": [score.index for score in scores],
            "name": [score.name for score in scores],
            "NDCG@10 alone": [score.ndcg_at_10 for score in scores],
            "NDCG@10, smallest first": [score.reversed_ndcg_at_10 for score in scores],
            **{f"weight, {column.title}": column.weights for column in columns},
        }
    )
    return table.sort_values("NDCG@10 alone", ascending=False, kind="stable", ignore_index=True)


def _entry(now: Shown, tools: DeltaGenerator) -> None:
    choice = now.choice
    if not choice.method.sparse:
        st.info(f"{choice.title} keeps every feature from the start. Choose a sparse penalty in the sidebar.")
        return
    with tools:
        method_ids = _choose_methods(choice)
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
        subtitle=f"{choice.where} · as λ falls, the model grows to the right · hollow: leaves again later",
    )
    with stage:
        live_chart(figure, "entry", alt=title, table=_entry_table(entries, titles, names), main=True)
    stage.caption(
        "A feature that enters early explains most of what the others cannot, given those already in: the strongest "
        "alone comes first, its near copies much later or never. Places are those of the path's grid of λ."
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


def _entry_table(
    entries: Mapping[str, Sequence[Entry]], titles: Mapping[str, str], names: Sequence[str]
) -> pd.DataFrame:
    rows = [
        {
            "method": titles[method_id],
            "order": entry.rank,
            "feature": entry.feature + 1,
            "name": names[entry.feature],
            "λ/λ_max at entry": entry.ratio,
            "leaves again": entry.leaves,
        }
        for method_id, found in entries.items()
        for entry in found
    ]
    return pd.DataFrame(rows)


@st.cache_resource(max_entries=8, show_spinner="Correlating features …")
def _pearson(_data: RankingData, fingerprint: str) -> Similarity:
    return pearson(_data)


def _similarity(now: Shown) -> None:
    choice, kept = now.choice, np.sort(now.fit.selected)
    if len(kept) < 2:
        st.info(f"The model keeps {len(kept)} feature{'s' * (len(kept) != 1)}: raise C to keep at least two.")
        return
    everything = _pearson(choice.fold.train, choice.fingerprint)
    among = Similarity("pearson", everything.values[np.ix_(kept, kept)], everything.n_documents)
    names = [now.fit.feature_names[j] for j in kept]
    pair = among.closest()[0]
    both = f"{names[pair.first]} and {names[pair.second]}"
    title = f"The most alike of {len(kept)} kept: r = {pair.similarity:.2f}"
    subtitle = f"{both}<br>{choice.where}, training part · {choice.title}"
    figure = similarity_figure(among, names, title=title, subtitle=subtitle)
    table = pd.DataFrame(among.values, columns=names)
    table.insert(0, "name", names)
    live_chart(figure, "kept_similarity", alt=f"{title}, {both}", table=table, main=True)
    n_twins, all_twins = len(among.with_twin(0.9)), len(everything.with_twin(0.9))
    st.caption(
        f"{n_twins} of the {len(kept)} kept features have another kept one with |r| ≥ 0.9; of all "
        f"{len(everything.values)} features {all_twins} have such a twin. A sparse model needs one of each."
    )
