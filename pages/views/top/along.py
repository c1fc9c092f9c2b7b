"""The rate of positives on top along the paths of two methods, on every part."""

from __future__ import annotations

import streamlit as st

from core.analysis.fold_models import FoldPath
from core.figures.path.axes import Across
from core.figures.top.along_picture import TopAlong
from pages.shared import scripts
from pages.shared.show import show
from pages.shared.take_c import take_clicked
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
    choice, drawn = view.choice, {view.choice.method_id: view.path, **view.others}
    picture = TopAlong(
        [FoldPath(points, choice.fold, choice.convention) for points in drawn.values() if points],
        across=across,
        where=choice.where,
        hint=f"click a point of {choice.title} to use its C",
        chosen=view.now,
    )
    show(
        picture,
        scripts.chosen_data(choice),
        choice.fold,
        fits=lambda: {"paths": [scripts.method_of(choice, path.method) for path in picture.paths]},
        hand=view.hand,
        on_click=lambda: take_clicked("top_along"),
    )
