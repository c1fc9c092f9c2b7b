"""The experiments of Rakotomamonjy (2012, §4), each reproducible from the page, with a quick setting for a class."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.experiments.infinite_push.toy_study import SETTINGS, Setting
from pages.shared.choice.choice import Choice
from pages.views.top import toy as toy_experiments
from pages.views.top.table import real_data


def experiments(choice: Choice) -> None:
    """Draw the four experiments, one at a time, with their controls."""
    shown: dict[str, Callable[[Setting], None]] = {
        "Top against examples": toy_experiments.against_examples,
        "Top against noise": toy_experiments.against_noise,
        "Features found": toy_experiments.features_found,
        "Running time": toy_experiments.running_time,
        "Real data": lambda setting: real_data(setting, choice),
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        which = st.segmented_control(
            "Experiment", list(shown), default=next(iter(shown)), required=True, key="experiment",
            bind="query-params", help="Figures 1, 2 and 3 and Table 1 of Rakotomamonjy (2012).",
        )  # fmt: skip
        setting = st.segmented_control(
            "Setting", list(SETTINGS), default="quick", required=True, key="experiment_setting", bind="query-params",
            help=
                "Quick: three trials and few sizes, a matter of seconds. As in the paper: twenty trials of the toy "
                "problem, ten splits of real data, a matter of minutes. Either reuses the results of the other.",
        )  # fmt: skip
    shown[which or next(iter(shown))](setting)
