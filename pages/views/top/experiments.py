"""The experiments of Rakotomamonjy (2012, §4), each reproducible from the page, with a quick setting for a class."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.experiments.infinite_push.toy_study import SETTINGS, Setting
from pages.shared.choice import link
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
        which = link.one_of(
            "Experiment", list(shown), key="experiment", label_visibility="visible",
            help="Figures 1, 2 and 3 and Table 1 of Rakotomamonjy (2012).",
        )  # fmt: skip
        setting = link.one_of(
            "Setting", list(SETTINGS), begins="quick", key="experiment_setting", label_visibility="visible",
            help=
                "Quick: three trials and few sizes, a matter of seconds. As in the paper: twenty trials of the toy "
                "problem, ten splits of real data, a matter of minutes. Either reuses the results of the other.",
        )  # fmt: skip
    shown[which](setting)
