"""Models cut down to their largest weights, beside models fitted with as few features: Figs. 1-3 of FSMRank's paper."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.analysis.fold_models import FoldPath
from core.analysis.path import PathPoint
from core.content import Series
from core.figures.tradeoff.tradeoff import View
from core.figures.tradeoff.truncation_picture import Truncation
from pages.shared import frame, scripts
from pages.shared.choice.choice import Loaded
from pages.shared.show import show
from pages.shared.work.paths import complete


def truncation_panel(choice: Loaded, known: Mapping[str, Series[PathPoint]], view: View, limit: int) -> None:
    """Draw the panel for the methods of the page.

    Parameters
    ----------
    known : mapping
        Points of the chosen fold's paths by method.
    limit : int
        The number of features that the page is about.
    """
    if not complete(choice, known):
        st.caption("This picture appears when all paths are complete.")
        return
    now = frame.model()
    picture = Truncation(
        [
            FoldPath(points, choice.fold, choice.convention)
            for points in known.values()
            if any(point.fit.result.nonzero for point in points)
        ],
        model=None if now is None else now.model,
        measure=view.measure,
        part=view.part,
        limit=limit,
        where=choice.where,
        log_across=view.across.log,
    )
    show(
        picture,
        scripts.chosen_data(choice),
        choice.fold,
        fits=lambda: {
            "paths": [scripts.method_of(choice, path.method) for path in picture.paths],
            **({} if now is None else {"model": scripts.model_of(choice, now.fit)}),
        },
    )
    st.caption(
        f"Each method's model is the best by {view.measure} of its path, chosen as above; its k largest weights stay "
        "as they are, the others become 0, as Lai et al. (2013) count the features of FSMRank. Dotted: the best model "
        "of the path with at most k features or, where a filter chooses first, its model of just k at the same C."
    )
