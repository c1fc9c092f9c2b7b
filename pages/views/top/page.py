"""The Top of the list page: positives above the top negative, as lambda falls, in one list and over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.features.equally_sparse import with_as_many_features
from core.analysis.path import PathPoint
from core.analysis.path_views import nearest_point, ratio_of
from core.analysis.top_strips import (
    SHARE_BINS,
    TopStrips,
    counts_by_share,
    lists_with_a_top,
    reach,
    shares_over_lists,
    top_strips,
)
from core.data import RankingData
from core.figures.look.style import short
from core.figures.path.axes import Across
from core.figures.path.tuning import PART_TITLES
from core.figures.top.along import TOP, top_along_figure
from core.figures.top.strips import shares_figure, strips_figure
from pages.shared import frame, headline, keys, panels
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.choice.part import choose_part
from pages.shared.live_chart import live_chart
from pages.shared.play import TICK, Player
from pages.shared.work.paths import complete, paths
from pages.views.top import words as toplist_words
from pages.views.top.experiments import experiments

_TOP_LIST = "top_list"
PLAYER = Player("top")
ALL, ONE = "all lists", "one list"
LIST_WIDTH = 150  # pixels
VIEWS: dict[str, Across] = {"λ": "lambda", "features": "features"}


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
    stage = st.container()
    known = paths(choice, [choice.method_id, other_method(choice.method_id)])
    ready = complete(choice, known)
    with stage:
        tick = TICK if PLAYER.playing else None
        st.fragment(_stage, run_every=tick)(choice, now.point, known if ready else {})
    if ready:
        _along(choice, now.point, known)
    st.subheader("Experiments", anchor=False)
    experiments(choice)


def other_method(method_id: str) -> str:
    """What the chosen method is compared with: l1 RankSVM, or the infinite push where that is chosen."""
    return "infinite-push-l1" if method_id == "l1" else "l1"


def _controls(choice: Loaded) -> tuple[str, int | None]:
    """The part, and the list to look at; None for all of them."""
    part = choose_part(choice, key="top_part", help="The part whose lists are drawn.", compact=True)
    data = choice.fold.parts()[part]
    if data.n_queries == 1:
        return part, _only_list(data)
    look = st.segmented_control(
        "Look at",
        (ALL, ONE),
        default=ALL,
        required=True,
        key="top_look",
        bind="query-params",
        label_visibility="collapsed",
        help="How many lists have their positives on top; or one list, document by document.",
    )
    return part, _choose_list(data) if look == ONE else None


def _only_list(data: RankingData) -> int | None:
    return 0 if len(lists_with_a_top(data)) else None


def _choose_list(data: RankingData) -> int | None:
    lists = [int(q) for q in lists_with_a_top(data)]
    if not lists:
        return None
    if st.session_state.get(_TOP_LIST) not in (None, *lists):
        st.session_state.pop(_TOP_LIST)
    return st.selectbox(
        "List",
        lists,
        format_func=lambda q: f"query {data.query_ids[q]}",
        key=_TOP_LIST,
        persist_state="session",
        label_visibility="collapsed",
        width=LIST_WIDTH,
        help="Queries that have relevant and irrelevant documents.",
    )


def _stage(choice: Loaded, chosen: PathPoint, known: Mapping[str, Sequence[PathPoint]]) -> None:
    """Title, tools and picture; while it plays, only this is drawn again.

    ``known`` has the paths; it is empty until they are complete, and there is the chosen model to be seen.
    """
    head = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS):
        part, query = _controls(choice)
        point, others = chosen, [chosen]
        if points := known.get(choice.method_id):
            home = list(points).index(nearest_point(points, choice.lam))
            frame = PLAYER.controls(points, home)
            point = chosen if frame == home else points[frame]
            # Axes stay while models up to the chosen one come and go, and widen with those beyond it.
            others = [chosen, *points[: max(frame, home) + 1]]
    one_list = choice.fold.parts()[part].n_queries == 1
    title = toplist_words.headline(menu_title(choice.method_id), chosen, part, one_list=one_list)
    head.header(title, anchor=False)
    if query is None:
        _all_lists(choice, point, known, part)
    else:
        _one_list(choice, point, others, part, query)


def _one_list(choice: Loaded, point: PathPoint, others: Sequence[PathPoint], part: str, query: int) -> None:
    data = choice.fold.parts()[part]
    rows = slice(*data.query_offsets[query : query + 2])
    share = dict(choice.parameters).get("top_share", 0.0)
    strips = top_strips(data.relevance[rows], data.features[rows] @ point.fit.weights, share)
    seen = reach(data, query, [model.fit.weights for model in others])
    names = _names(data, rows)
    title = toplist_words.strips_title(strips)
    place = f", query {data.query_ids[query]}" if data.n_queries > 1 else ""
    figure = strips_figure(
        strips,
        choice.method_id,
        names,
        seen,
        top_share=share,
        title=title,
        subtitle=f"{choice.where}{place} · {PART_TITLES[part]} · {choice.title} at C = {short(point.fit.c)}",
    )
    live_chart(figure, "strips", main=True, alt=title, table=_strips_table(strips, names))
    st.caption(
        f"{toplist_words.model_words(point, part)}. A dot is a document, as far right as it scores above the top "
        "negative; up and down within a strip means nothing. Filled: on top. The loss is 0 for a positive beyond the "
        "margin."
    )


def _names(data: RankingData, rows: slice) -> list[str]:
    if data.document_ids is not None:
        return [str(name) for name in data.document_ids[rows]]
    return [f"document {k + 1}" for k in range(rows.stop - rows.start)]


def _strips_table(strips: TopStrips, names: Sequence[str]) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "document": [names[row] for row in (*strips.positive_rows, *strips.negative_rows)],
            "positive": [True] * len(strips.positives) + [False] * len(strips.negatives),
            "above the top negative": np.concatenate([strips.positives, strips.negatives]),
        }
    )
    return table.sort_values("above the top negative", ascending=False, kind="stable", ignore_index=True)


def _all_lists(choice: Loaded, point: PathPoint, known: Mapping[str, Sequence[PathPoint]], part: str) -> None:
    data = choice.fold.parts()[part]
    models = {choice.method_id: point}
    for method_id, points in known.items():
        if method_id != choice.method_id and points:
            models[method_id] = with_as_many_features(points, point.fit.result.nonzero)
    shares = {method_id: shares_over_lists(data, model.fit.weights) for method_id, model in models.items()}
    counts = {method_id: counts_by_share(row) for method_id, row in shares.items()}
    titles = {method_id: menu_title(method_id) for method_id in models}
    title = toplist_words.lists_title(shares, titles)
    left_out = data.n_queries - len(shares[choice.method_id])
    kept = ", ".join(f"{titles[m]} {model.fit.result.nonzero} features" for m, model in models.items())
    figure = shares_figure(counts, titles, title=title, subtitle=f"{choice.where} · {PART_TITLES[part]} · {kept}")
    table = pd.DataFrame({"positives on top": SHARE_BINS} | {titles[m]: row for m, row in counts.items()})
    live_chart(figure, "shares", main=True, alt=title, table=table)
    words = f"{left_out:,} of {data.n_queries:,} lists have only relevant or only irrelevant documents: not counted. "
    st.caption(
        f"{toplist_words.model_words(point, part)}. "
        + (words if left_out else "")
        + "Where any positive is on top, the first document is relevant. The other method is taken where it keeps as "
        "many features, or nearly."
    )


def _along(choice: Loaded, chosen: PathPoint, known: Mapping[str, Sequence[PathPoint]]) -> None:
    over = st.segmented_control(
        "Over",
        list(VIEWS),
        default="λ",
        required=True,
        key="top_over",
        bind="query-params",
        help="λ/λ_max, falling, which means something else for each loss; or the number of features, where every "
        "number has one model.",
    )
    titles = {method_id: menu_title(method_id) for method_id in known}
    drawn = {method_id: points for method_id, points in known.items() if points}
    title = toplist_words.along_title(drawn, titles)
    figure = top_along_figure(
        drawn,
        titles,
        view=VIEWS[over or "λ"],
        chosen=chosen,
        title=title,
        subtitle=f"{choice.where} · line: the chosen C · click a point of {choice.title} to take its C",
    )
    panels.chart(figure, "top_along", alt=title, table=_along_table(drawn, titles), select=_take_clicked)


def _take_clicked() -> None:
    """The model that was clicked gives C everywhere; that of another method says nothing about this one's C."""
    clicked = st.session_state[keys.chart_key("top_along")]["selection"]["points"]
    choice = frame.choice()
    if choice is not None and clicked and clicked[0]["curve_number"] < len(choice.fold.parts()):
        c = float(clicked[0]["customdata"])
        PLAYER.take(c, choice.training.lam_of(c) / choice.training.lam_max)


def _along_table(drawn: Mapping[str, Sequence[PathPoint]], titles: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"method": titles[method_id], "C": point.fit.c, "λ/λ_max": ratio_of(point)}
            | {"features": point.fit.result.nonzero}
            | {f"{TOP}, {PART_TITLES[part]}": values[TOP] for part, values in point.metrics.items()}
            for method_id, points in drawn.items()
            for point in points
        ]
    )
