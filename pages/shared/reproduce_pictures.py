"""The pictures of a run of the protocol: quality and time against sparsity, the spider plot, the features kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiments.agreement import agreement, feature_names
from core.experiments.protocol import TESTED
from core.figures import protocol_agreement, protocol_features, protocol_spider, protocol_time, protocol_tradeoff
from pages.shared import panels
from pages.shared.reproduce_shown import Shown


def tradeoff(shown: Shown) -> None:
    """Fig. 3 and Fig. 2 of Laporte et al. (2014)."""
    measure = (
        st.segmented_control("Quality", TESTED, default=shown.plan.measure if shown.plan.measure in TESTED else
                             TESTED[0], required=True, key="reproduce_measure", persist_state="session")
        or TESTED[0]
    )  # fmt: skip
    title = protocol_tradeoff.protocol_tradeoff_sentence(shown.lines, measure, shown.titles)
    figure = protocol_tradeoff.protocol_tradeoff_figure(
        shown.lines, measure, shown.titles, title=title, subtitle=shown.subtitle
    )
    rows = protocol_tradeoff.protocol_tradeoff_rows(shown.lines, measure, shown.titles)
    _chart("tradeoff", figure, title, rows)
    title = protocol_spider.protocol_spider_sentence(shown.lines, shown.titles)
    figure = protocol_spider.protocol_spider_figure(shown.lines, shown.titles, title=title, subtitle=shown.subtitle)
    _chart("spider", figure, title, protocol_spider.protocol_spider_rows(shown.lines, shown.titles))


def time(shown: Shown) -> None:
    """Fig. 2 of Laporte et al. (CORIA 2014)."""
    title = protocol_time.protocol_time_sentence(shown.lines, shown.titles)
    figure = protocol_time.protocol_time_figure(shown.lines, shown.titles, title=title, subtitle=shown.subtitle)
    _chart("time", figure, title, protocol_time.protocol_time_rows(shown.lines, shown.titles))


def features(shown: Shown) -> None:
    """Do the methods agree? Dataset by dataset."""
    for dataset in dict.fromkeys(line.dataset for line in shown.lines):
        lines = [line for line in shown.lines if line.dataset == dataset]
        names = feature_names(lines)
        title = protocol_features.protocol_features_sentence(lines, names, shown.titles)
        figure = protocol_features.protocol_features_figure(
            lines, names, shown.titles, title=title, subtitle=f"{dataset} · dot: in how many folds it is kept"
        )
        _chart(f"features_{dataset}", figure, title,
               protocol_features.protocol_features_rows(lines, names, shown.titles))  # fmt: skip
        if len(agreement(lines).labels) > 1:
            title = protocol_agreement.protocol_agreement_sentence(lines, shown.titles)
            figure = protocol_agreement.protocol_agreement_figure(lines, shown.titles, title=title, subtitle=dataset)
            _chart(f"agreement_{dataset}", figure, title,
                   protocol_agreement.protocol_agreement_rows(lines, shown.titles))  # fmt: skip


def _chart(name: str, figure: go.Figure, title: str, rows: Sequence[Mapping[str, object]]) -> None:
    panels.chart(figure, f"reproduce_{name}", alt=title, table=pd.DataFrame(list(rows)))
