"""The Top of the list page: positives above the top negative, in one list and over all, as the reader drags C."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from core.analysis.features.equally_sparse import with_as_many_features
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, counts_along
from core.analysis.top_strips import (
    SHARE_BINS,
    counts_by_share,
    heights_along,
    lists_with_a_top,
    reach_around,
    share_bins,
    shares_over_lists,
    top_strips,
)
from core.api.tables import documents_of, shares_table, strips_table
from core.data import RankingData
from core.export.scripts.description import ModelDescription
from core.export.scripts.top import top_of_lists_script, top_of_one_list_script
from core.figures.drag.drag import Drag
from core.figures.path.tuning import PART_TITLES
from core.figures.top import words as toplist_words
from core.figures.top.along import TOP
from core.figures.top.path_below import with_path_below
from core.figures.top.strips import shares_figure, strips_figure
from core.figures.top.top_drag import shares_drag, strips_drag
from pages.shared import frame, headline, keys, panels, scripts
from pages.shared.cache import cached
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.choice.part import choose_part
from pages.shared.following import following_header
from pages.shared.live_chart import live_chart
from pages.shared.take_c import take_clicked, take_released
from pages.shared.work.paths import complete, known_points, paths
from pages.views.top.along import along
from pages.views.top.experiments import experiments
from pages.views.top.top_view import TopView, best_button

_TOP_LIST = "top_list"
ALL, ONE = "all lists", "one list"
LIST_WIDTH = 150  # pixels
# While the reader drags, what would still show the chosen C is hidden, and the headline pales.
_STILL = """<style>
[data-testid=stMain]:has(.st-key-picture .following) h2 { opacity: .35 }
.st-key-picture .following .subplot.xy :is(.barlayer, .trace:not(.tracetop-negative)),
.st-key-chart_strips .following .annotation[data-index="1"] { visibility: hidden }
</style>"""


def render() -> None:
    """Draw the page for the sidebar's choice."""
    choice = frame.choice()
    if choice is None:
        panels.no_choice()
        return
    now = headline.shown(choice)
    if now is None:
        st.info("There is no model yet for this choice. Press Fit on the Fit page, then come back.")
        return
    stage = st.container()
    known = paths(choice, [choice.method_id, other_method(choice.method_id)])
    ready = complete(choice, known)
    if ready:  # the last models may have come since
        known = {method_id: known_points(choice, method_id) for method_id in known}
    view = TopView.of(choice, now.point, known, ready=ready)
    with stage:
        _stage(view)
    if view.path:
        along(view)
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


def _stage(view: TopView) -> None:
    """Title, tools and picture."""
    choice = view.choice
    head = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS):
        part, query = _controls(choice)
        best_button(view)
    one_list = choice.fold.parts()[part].n_queries == 1
    title = toplist_words.headline(menu_title(choice.method_id), view.now, part, one_list=one_list)
    with head:
        following_header(title)
    st.html(_STILL)
    if query is None:
        _all_lists(view, part)
    else:
        _one_list(view, part, query)


def _one_list(view: TopView, part: str, query: int) -> None:
    choice, now = view.choice, view.now
    data = choice.fold.parts()[part]
    rows = slice(*data.query_offsets[query : query + 2])
    share = dict(choice.parameters).get("top_share", 0.0)
    strips = top_strips(data.relevance[rows], data.features[rows] @ now.fit.weights, share)
    weights = [shown.weights for shown in view.hand.frames]
    reach = reach_around(data, query, now.fit.weights, weights)
    names = documents_of(data, query)
    title = toplist_words.strips_title(strips, choice.nouns)
    place = f", query {data.query_ids[query]}" if data.n_queries > 1 else ""
    figure = strips_figure(
        strips,
        choice.method_id,
        names,
        reach,
        top_share=share,
        title=title,
        subtitle=f"{choice.where}{place} · {PART_TITLES[part]} · {choice.title} · {view.line_words}",
    )
    drag = None
    if view.hand.frames:
        heights = heights_along(data, query, weights)
        told = [top_strips(data.relevance[rows], row, share) for row in heights]
        positive = data.relevance[rows] > 0
        on_top = counts_along(view.hand.frames, heights[:, positive] > 0.0)
        lowest = heights[:, positive].min(axis=1, keepdims=True)
        beaten = counts_along(view.hand.frames, heights[:, ~positive] >= lowest)
        titles = {
            f.c: toplist_words.strips_title(s, choice.nouns)
            if f.fewest is None
            else toplist_words.strips_words(k, len(s.positives), b)
            for f, s, k, b in zip(view.hand.frames, told, on_top, beaten, strict=True)
        }
        hand = view.hand_with(part, lambda f: {"title-strips": titles.get(f.c, title)})
        drag = strips_drag(hand, f"strips {part} {query}", heights, strips, positive, choice.method_id, reach, on_top)

    def script() -> str:
        query_id = str(data.query_ids[query])
        return top_of_one_list_script(
            scripts.chosen_data(choice), _model(view), query_id, part=part, nouns=choice.nouns
        )

    _picture(view, figure, "strips", title, lambda: strips_table(strips, names, choice.nouns), drag, script)
    st.caption(
        f"{toplist_words.model_words(now, part)}. A dot is a {choice.nouns.row}; its place across is its score above "
        "the top negative, and its height within a strip means nothing. Filled: on top. The loss is 0 for a positive "
        "beyond the margin."
    )


def _model(view: TopView) -> ModelDescription:
    return scripts.model_of(view.choice, view.now.fit)


def _picture(
    view: TopView,
    figure: go.Figure,
    name: str,
    title: str,
    table: Callable[[], pd.DataFrame],
    drag: Drag | None,
    script: Callable[[], str],
) -> None:
    """A picture over the path, with the handle for C."""
    drawn = with_path_below(figure, view.path, TOP, chosen=view.now, best=view.best)
    live_chart(
        drawn, name, main=True, alt=title, table=table, script=script, drag=drag,
        on_release=lambda: take_released(name), on_click=lambda: take_clicked(name),
    )  # fmt: skip


def _all_lists(view: TopView, part: str) -> None:
    choice, now = view.choice, view.now
    data = choice.fold.parts()[part]
    models = {choice.method_id: now} | {
        method_id: with_as_many_features(points, now.fit.result.nonzero) for method_id, points in view.others.items()
    }
    shares = {method_id: shares_over_lists(data, model.fit.weights) for method_id, model in models.items()}
    counts = {method_id: counts_by_share(row) for method_id, row in shares.items()}
    titles = {method_id: menu_title(method_id) for method_id in models}
    empty = [method_id for method_id, model in models.items() if model.fit.result.nonzero == 0]
    title = toplist_words.lists_title(shares, titles, empty)
    left_out = data.n_queries - len(shares[choice.method_id])
    along = _shares_along(view.choice.method_id, view.hand.frames, view.others, data)
    figure = shares_figure(
        counts,
        titles,
        most=max((int(rows.max(initial=0)) for rows in along.counts.values()), default=0),
        title=title,
        subtitle=f"{choice.where} · {PART_TITLES[part]} · {view.line_words}",
    )
    drag = None
    if view.hand.frames:
        hand = view.hand_with(part, lambda f: {"title-shares": along.titles.get(f.c, title)})
        drag = shares_drag(hand, f"shares {part}", along.counts, along.said, counts)
    others = [scripts.method_of(choice, method_id) for method_id in view.others]

    def script() -> str:
        return top_of_lists_script(scripts.chosen_data(choice), _model(view), others, part=part)

    _picture(view, figure, "shares", title, lambda: shares_table(counts, titles), drag, script)
    kept = ", ".join(f"{titles[m]} {model.fit.result.nonzero}" for m, model in models.items())
    words = f"{left_out:,} of {data.n_queries:,} lists have only relevant or only irrelevant documents: not counted. "
    st.caption(
        f"{toplist_words.model_words(now, part)}. "
        + (words if left_out else "")
        + "If any positive is on top, the first document is relevant. The other method is compared at the model "
        f"with as many features, or nearly as many: {kept}."
    )


@dataclass(frozen=True, eq=False)
class _SharesAlong:
    """What `_all_lists` shows at every frame: lists in each bin by method, what is said of them, and the title by C."""

    counts: Mapping[str, NDArray[np.int64]]
    said: Mapping[str, list[list[str]]]
    titles: Mapping[float, str]


@cached()
def _shares_along(
    method_id: str, frames: Sequence[Frame], others: Mapping[str, Sequence[PathPoint]], data: RankingData
) -> _SharesAlong:
    rows: dict[str, list[NDArray[np.float64]]] = {method_id: [shares_over_lists(data, one.weights) for one in frames]}
    empty = [[method_id] if shown.kept == 0 else [] for shown in frames]
    for other, points in others.items():
        models = {size: with_as_many_features(points, size) for size in {shown.kept for shown in frames}}
        by_size = {size: shares_over_lists(data, model.fit.weights) for size, model in models.items()}
        rows[other] = [by_size[shown.kept] for shown in frames]
        for shown, methods in zip(frames, empty, strict=True):
            methods += [other] if models[shown.kept].fit.result.nonzero == 0 else []
    names, n_lists = {m: menu_title(m) for m in rows}, len(lists_with_a_top(data))
    shares = {m: np.reshape(found, (len(frames), n_lists)) for m, found in rows.items()}
    first = {m: counts_along(frames, found > 0.0) for m, found in shares.items()}
    titles = {
        shown.c: toplist_words.first_words({m: counts[k] for m, counts in first.items()}, n_lists, names, empty[k])
        for k, shown in enumerate(frames)
    }
    counts = {m: np.array([counts_by_share(row) for row in found]) for m, found in shares.items()}
    bins = {m: share_bins(found) for m, found in shares.items()}
    said = {m: [counts_along(frames, found == k) for k in range(len(SHARE_BINS))] for m, found in bins.items()}
    return _SharesAlong(counts, said, titles)
