"""The Top of the list page: positives above the top negative, in one list and over all, as the reader drags C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, extremes_along, range_words
from core.analysis.path_views import with_as_many_features
from core.analysis.top_strips import lists_with_a_top, top_of_each_list
from core.content import Series
from core.data import RankingData
from core.data.ranking_data import FloatArray
from core.experiments.results.difference import Difference
from core.export.scripts.description import PathModelDescription
from core.export.scripts.picture import Fitted
from core.figures.drag.drag import Hand
from core.figures.picture import Picture
from core.figures.top import words as toplist_words
from core.figures.top.lists_picture import TopOfLists, lists_along
from core.figures.top.one_list import TopOfOneList
from core.figures.top.words import TOP, percent, top_words
from pages.shared import following, frame, keys
from pages.shared.cache import cached
from pages.shared.choice import address
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import choose_part, menu_title
from pages.shared.following import best_button, following_header, take_clicked, take_released
from pages.shared.show import method_of, model_of, show_chosen
from pages.shared.work.paths import complete, known_points, paths, told_best


@dataclass(frozen=True, eq=False)
class TopView:
    """The models that are drawn."""

    choice: Loaded
    now: PathPoint  # the model at the chosen C
    path: Series[PathPoint]  # of the chosen method; empty until it and those it is compared with are complete
    others: Mapping[str, Series[PathPoint]]  # the paths of the methods that it is compared with, by method; as complete
    best: PathPoint | None  # best on the validation part of the complete path
    hand: Hand  # the chosen method's path; without frames until it is complete

    @classmethod
    def of(cls, choice: Loaded, now: PathPoint, known: Mapping[str, Series[PathPoint]], *, ready: bool) -> TopView:
        """The view of these paths; of such as are not ``ready`` nothing is drawn."""
        path = known[choice.method_id] if ready else Series()
        others = {m: points for m, points in known.items() if ready and points and m != choice.method_id}
        best = told_best(path, TOP) if path else None
        return cls(choice, now, path, others, best, following.hand_of(choice, path, now, best=best))

    def options(self, part: str) -> dict[str, Any]:
        """What pictures of a part have in common: the path, without points until it is complete, and what it is for."""
        hint = "drag the line to use its C" if self.path else ""
        return {"part": part, "path": self.choice.fold_path(self.path), "where": self.choice.where, "hint": hint}

    def hand_telling(self, part: str) -> Hand:
        """The path, with the texts of the strip and of the page's title, which quotes a part."""
        title, data = menu_title(self.choice.method_id), self.choice.fold.parts()[part]
        between = _tops_along(self.hand.frames, data)

        def readings(shown: Frame) -> dict[str, str]:
            top = between[shown.c] if shown.fewest is not None else percent(shown.judgement.metrics[part][TOP])
            words = top_words(title, shown.size, top, part, one_list=data.n_queries == 1)
            return following.readings(self.choice, shown, words)

        return self.hand.telling(readings)


@cached()
def how_sure(data: RankingData, weights: FloatArray) -> str:
    """The interval of the mean share on top, if lists are drawn again; nothing of too few or of equal ones."""
    shares = top_of_each_list(data, weights)
    ends = Difference.of(shares, np.zeros_like(shares)).interval
    return "" if ends is None or ends[0] == ends[1] else f" (95 % interval {' to '.join(map(percent, ends))} %)"


@cached()
def _tops_along(frames: Sequence[Frame], data: RankingData) -> dict[float, str]:
    """The percentage of positives on top at every frame, by its C; between two fitted models a range."""
    if not frames:
        return {}
    low, high = extremes_along(frames, np.array([top_of_each_list(data, shown.weights) for shown in frames]))
    ends = zip(low.mean(axis=1), high.mean(axis=1), strict=True)
    return {
        shown.c: range_words(percent(least), percent(most)) for shown, (least, most) in zip(frames, ends, strict=True)
    }


_lists_along = cached()(lists_along)
_TOP_LIST = "top_list"
ALL, ONE = "all lists", "one list"
LIST_WIDTH = 150  # pixels
# While the reader drags, what would still show the chosen C is hidden, and the headline pales.
_STILL = """<style>
[data-testid=stMain]:has(.st-key-picture .following) h2 { opacity: .35 }
.st-key-picture .following .subplot.xy :is(.barlayer, .trace:not(.tracetop-negative)),
.st-key-chart_strips .following .annotation[data-index="1"] { visibility: hidden }
</style>"""


def render(choice: Loaded) -> None:
    """Draw the page for the sidebar's choice."""
    now = frame.model()
    if now is None:
        st.info("There is no model yet for this choice. Press Fit on the Fit page, then come back.")
        return
    stage = st.container()
    known = paths(choice, [choice.method_id, ("infinite-push-l1" if choice.method_id == "l1" else "l1")])
    ready = complete(choice, known)
    if ready:  # the last models may have come since
        known = {method_id: known_points(choice, method_id) for method_id in known}
    view = TopView.of(choice, now.point, known, ready=ready)
    with stage:
        head = st.container()
        with st.container(horizontal=True, vertical_alignment="center", key=keys.TOOLS):
            part, query = _controls(choice)
            told = "Use the C of the dashed line, where most positives of the validation part are on top"
            if view.path and view.best is None:
                told = f"Validation cannot tell: {TOP} is the same there at every C, or there is no validation part"
            best_button(view.best, "top_best", told)
        one_list = choice.fold.parts()[part].n_queries == 1
        title = toplist_words.headline(menu_title(choice.method_id), view.now, part, one_list=one_list)
        if not one_list and view.now.fit.result.stop != "time limit":
            title += how_sure(choice.fold.parts()[part], view.now.fit.weights)
        with head:
            following_header(title)
        st.html(_STILL)
        if query is None:
            _all_lists(view, part)
        else:
            _one_list(view, part, query)


def _controls(choice: Loaded) -> tuple[str, int | None]:
    """The part, and the list to look at; None for all of them."""
    part = choose_part(choice, key="top_part", help="The part whose lists are drawn.")
    data = choice.fold.parts()[part]
    if data.n_queries == 1:
        return part, (0 if len(lists_with_a_top(data)) else None)
    how = "How many lists have their positives on top; or one list, document by document."
    look = address.one_of("Look at", (ALL, ONE), key="top_look", help=how)
    lists = [int(q) for q in lists_with_a_top(data)]
    if look != ONE or not lists:
        return part, None
    if st.session_state.get(_TOP_LIST) not in (None, *lists):
        st.session_state.pop(_TOP_LIST)
    query: int = st.selectbox(
        "List",
        lists,
        format_func=lambda q: f"query {data.query_ids[q]}",
        key=_TOP_LIST,
        persist_state="session",
        label_visibility="collapsed",
        width=LIST_WIDTH,
        help="Queries that have relevant and irrelevant documents.",
    )
    return part, query


def _one_list(view: TopView, part: str, query: int) -> None:
    choice = view.choice
    query_id = str(choice.fold.parts()[part].query_ids[query])
    picture = TopOfOneList(choice.fold_model(view.now), query_id, **view.options(part))
    _show(view, picture, part, {"model": model_of(choice, view.now.fit)})
    st.caption(
        f"{toplist_words.model_words(view.now, part)}. A dot is a {choice.nouns.row}; its place across is its score "
        "above the top negative, and its height within a strip means nothing. Filled: on top. The loss is 0 for a "
        "positive beyond the margin."
    )


def _all_lists(view: TopView, part: str) -> None:
    choice, now = view.choice, view.now
    data = choice.fold.parts()[part]
    size = now.fit.result.nonzero
    others = [with_as_many_features(points, size) for points in view.others.values()]
    picture = TopOfLists(
        [choice.fold_model(point) for point in (now, *others)],
        **view.options(part),
        along=_lists_along(choice.method_id, view.hand.frames, view.others, data) if view.hand.frames else None,
    )
    described = [PathModelDescription(method_of(choice, other), n_features=size) for other in view.others]
    _show(view, picture, part, {"models": [model_of(choice, now.fit), *described]})
    left_out = data.n_queries - len(lists_with_a_top(data))
    kept = ", ".join(f"{picture.titles[model.fit.method]} {model.fit.result.nonzero}" for model in picture.models)
    beside = f" The other method is compared at the model with as many features, or nearly as many: {kept}."
    words = f"{left_out:,} of {data.n_queries:,} lists have only relevant or only irrelevant documents: not counted. "
    st.caption(
        f"{toplist_words.model_words(now, part)}. "
        + (words if left_out else "")
        + "If any positive is on top, the first document is relevant."
        + (beside if len(picture.models) > 1 else "")
    )


def _show(
    view: TopView,
    picture: Picture[Any],
    part: str,
    fits: Mapping[str, Fitted | Sequence[Fitted]],
) -> None:
    choice = view.choice
    show_chosen(
        picture,
        choice,
        fits=lambda: {**fits, "path": method_of(choice, choice.method_id)},
        hand=view.hand_telling(part),
        on_click=lambda: take_clicked(picture.chart),
        on_release=lambda: take_released(picture.chart),
        main=True,
    )
