"""The way out: the model within the budget in any format, as the model of every page, and as a link."""

from __future__ import annotations

from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.figures.fit.weights import weights_figure
from pages.shared.choice.choice import Loaded
from pages.shared.choice.use_model import use_model
from pages.shared.export import export_panel
from pages.shared.live_chart import live_chart, main_picture
from pages.shared.wording import features
from pages.views.ten.models import TITLES, Models


def out(choice: Loaded, found: Models, chosen: TradeoffPoint, measure: str) -> None:
    """Draw the export panel with the link, and the weights of the model beside it."""
    st.html("<style>.st-key-export { display: none; }</style>")  # the strip's model is another one
    fit = found.path_point(chosen).fit
    names = choice.fold.train.feature_names
    with main_picture():
        left, right = st.columns([1, 1], gap="large")
        with left:
            tuned = {"measure": measure} if choice.fold.vali is not None else None
            export_panel(choice, fit, key="ten_export", tuned=tuned)
            st.button(
                "Use this model on every page",
                key="ten_use",
                icon=":material/star:",
                on_click=use_model,
                kwargs={"c": chosen.c, "method_id": chosen.method, "parameters": fit.parameters},
                help=f"Sets {TITLES[chosen.method]} and its C; the link then restores the model too.",
            )
            st.caption("A link to this view:")
            st.code(_link(), language=None, wrap_lines=True)
        with right:
            said = f"Its {features(chosen.kept)}, largest weight first"
            figure = weights_figure(fit.weights, names, fit.method, title=said, subtitle=choice.where)
            table = pd.DataFrame([{"name": names[j], "weight": float(fit.weights[j])} for j in chosen.selected])
            live_chart(figure, "ten_weights", alt=said, table=table, fill=True)


def _link() -> str:
    """The address of the page with everything that has been chosen."""
    base = (st.context.url or "").partition("?")[0]
    return f"{base}?{urlencode(st.query_params.to_dict())}"
