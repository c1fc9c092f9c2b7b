"""The rate of positives on top along the paths of two methods, on every part."""

from __future__ import annotations

import streamlit as st

from core.api.tables import top_along_table
from core.export.scripts.top import top_along_script
from core.figures.path.axes import Across
from core.figures.top.along import top_along_figure
from core.figures.top.top_drag import along_drag
from pages.shared import scripts
from pages.shared.choice.menu import menu_title
from pages.shared.live_chart import live_chart
from pages.shared.take_c import take_clicked
from pages.views.top import words as toplist_words
from pages.views.top.top_view import TopView

VIEWS: dict[str, Across] = {"λ": "lambda", "features": "features"}


def along(view: TopView) -> None:
    """Draw both paths; dots run along the chosen one with C."""
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
    across = VIEWS[over or "λ"]
    drawn = {view.choice.method_id: view.path, **view.others}
    titles = {method_id: menu_title(method_id) for method_id in drawn}
    title = toplist_words.along_title(drawn, titles)
    figure = top_along_figure(
        drawn,
        titles,
        view=across,
        chosen=view.now,
        title=title,
        subtitle=f"{view.choice.where} · line: the chosen C · click a point of {view.choice.title} to use its C",
    )
    live_chart(
        figure,
        "top_along",
        alt=title,
        table=lambda: top_along_table(drawn, titles),
        script=lambda: top_along_script(
            scripts.chosen_data(view.choice), [scripts.method_of(view.choice, m) for m in drawn], across=across
        ),
        on_click=lambda: take_clicked("top_along"),
        drag=along_drag(view.hand, across),
    )
