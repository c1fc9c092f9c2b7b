"""The rate of positives on top along the paths of two methods, on every part."""

from __future__ import annotations

import streamlit as st

from core.api.tables import top_along_table
from core.export.scripts.top import top_along_script
from core.figures.path.axes import Across
from core.figures.top.along import TOP, top_along_figure
from core.figures.top.handle import along_moves
from pages.shared import scripts
from pages.shared.choice.menu import menu_title
from pages.shared.live_chart import clicked, live_chart
from pages.views.top import words as toplist_words
from pages.views.top.seen import Seen, take

VIEWS: dict[str, Across] = {"λ": "lambda", "features": "features"}


def along(seen: Seen) -> None:
    """Draw both paths; dots run along the chosen one as the handle moves."""
    over = st.segmented_control(
        "Over",
        list(VIEWS),
        default="λ",
        required=True,
        key="top_over",
        bind="query-params",
        help="λ/λ_max, decreasing, which means something different for each loss; or the number of features, with one "
        "model for each number.",
    )
    view = VIEWS[over or "λ"]
    drawn = {seen.choice.method_id: seen.path, **seen.others}
    titles = {method_id: menu_title(method_id) for method_id in drawn}
    title = toplist_words.along_title(drawn, titles)
    figure = top_along_figure(
        drawn,
        titles,
        view=view,
        chosen=seen.now,
        title=title,
        subtitle=f"{seen.choice.where} · line: the chosen C · click a point of {seen.choice.title} to use its C",
    )
    live_chart(
        figure,
        "top_along",
        alt=title,
        table=lambda: top_along_table(drawn, titles),
        script=lambda: top_along_script(
            scripts.chosen_data(seen.choice), [scripts.method_of(seen.choice, m) for m in drawn], across=view
        ),
        on_click=_take_clicked,
        handle=along_moves(seen.panel, TOP, view, seen.identity),
    )


def _take_clicked() -> None:
    """The model that was clicked gives C everywhere; that of another method says nothing about this one's C."""
    point = clicked("top_along")
    if point is not None and point["customdata"]:
        take(float(point["customdata"]))
