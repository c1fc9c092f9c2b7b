"""Rules for features that a person sets: which are off, which are forced in, and what each costs."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from core.analysis.features.costs import read_costs, write_costs
from core.data import DataError
from pages.shared.headline import Shown

_COSTS_PROBLEM = "costs_problem"
_COSTS_TAKEN = "costs_taken"
_FEATURE_COST_VERSIONS = "feature_cost_versions"
_FEATURE_COSTS = "feature_costs"
LARGEST_UPLOAD = 1_000_000
FloatArray = NDArray[np.float64]


class Rules:
    """What is off, forced in and how dear, kept for the session: for all folds of a dataset, and by nothing else."""

    def __init__(self, now: Shown) -> None:
        self._now = now
        self._names = now.fit.feature_names
        source = now.choice.source
        identity = repr((source.name, source.upload, self._names))
        self._id = hashlib.sha256(identity.encode()).hexdigest()[:12]
        self._kept: dict[str, FloatArray] = st.session_state.setdefault(_FEATURE_COSTS, {})
        # A new version makes the table and the upload start afresh.
        self._versions: dict[str, int] = st.session_state.setdefault(_FEATURE_COST_VERSIONS, {})

    @property
    def _off_key(self) -> str:
        return f"off_{self._id}"

    @property
    def _forced_key(self) -> str:
        return f"forced_{self._id}"

    @property
    def _version(self) -> int:
        return self._versions.get(self._id, 0)

    def switches(self) -> tuple[list[int], list[int]]:
        """Columns that are off, and those that are forced in."""
        weights = np.abs(self._now.fit.weights)
        order = np.argsort(-weights, kind="stable").tolist()
        off = st.container(key="switched_off").multiselect(
            "Switched off",
            order,
            format_func=self._named,
            key=self._off_key,
            persist_state="session",
            placeholder="none",
            select_all=False,
            help="The model must do without them: their penalty is infinite. Kept features come first in the list.",
        )
        forced = st.container(key="forced_in").multiselect(
            "Forced in",
            order,
            format_func=self._named,
            key=self._forced_key,
            persist_state="session",
            placeholder="none",
            select_all=False,
            help="They pay no penalty: their weight is whatever the loss wants, and hardly ever 0. What is switched "
            "off stays off.",
        )
        st.button(
            "Reset",
            key="what_if_reset",
            icon="↩️",
            on_click=self._reset,
            help="All features on, none forced in, every cost 1.",
        )
        return off, [j for j in forced if j not in off]

    def switch_off(self, j: int) -> None:
        """Take one more column away; for callbacks."""
        off: list[int] = st.session_state.get(self._off_key, [])
        st.session_state[self._off_key] = [*off, j] if j not in off else off

    def costs(self) -> FloatArray:
        """The editable column, and its way in and out as a file."""
        self._take_file()
        costs = self._kept.get(self._id, np.ones(len(self._names)))
        table = pd.DataFrame(
            {
                "feature": np.arange(1, len(self._names) + 1),
                "name": list(self._names),
                "cost": costs,
                "weight": self._now.fit.weights,
            }
        )
        with st.expander("Costs", icon="🪙", key="costs", expanded=bool(np.ptp(costs))):
            edited = st.data_editor(
                table,
                key=f"costs_{self._id}_{self._version}",
                hide_index=True,
                disabled=["feature", "name", "weight"],
                height=min(38 + 35 * len(table), 420),
                column_order=["name", "cost", "weight", "feature"],
                column_config={
                    "name": st.column_config.TextColumn(width=150),
                    "cost": st.column_config.NumberColumn(
                        "cost ✏️",
                        min_value=0.0,
                        required=True,
                        format="%g",
                        help="Any unit: the penalty of a feature is its cost over the mean cost. 0: free of penalty.",
                    ),
                    "weight": st.column_config.NumberColumn(format="%.4g", help="In the model as it is."),
                },
            )
            costs = edited["cost"].to_numpy(dtype=np.float64)
            self._kept[self._id] = costs
            st.download_button(
                "Costs (CSV)",
                lambda: write_costs(costs, self._names),
                "costs.csv",
                "text/csv",
                on_click="ignore",
                key="costs_csv",
                help="Feature name and cost, to fill in elsewhere and bring back.",
            )
            st.file_uploader(
                "Bring costs",
                type=["csv", "txt"],
                key=self._file_key,
                help="CSV lines: feature name, cost. Features that are not named cost 1.",
            )
            if problem := st.session_state.get(_COSTS_PROBLEM):
                st.error(problem)
        return costs

    @property
    def _file_key(self) -> str:
        return f"costs_file_{self._id}"

    def _take_file(self) -> None:
        """Use a file that has just been dropped; one that cannot be used changes nothing."""
        file = st.session_state.get(self._file_key)
        if file is None:
            st.session_state.pop(_COSTS_PROBLEM, None)
            st.session_state.pop(_COSTS_TAKEN, None)
            return
        if st.session_state.get(_COSTS_TAKEN) == file.file_id:
            return
        st.session_state[_COSTS_TAKEN] = file.file_id
        try:
            self._kept[self._id] = read_costs(_text(file), self._names)
        except DataError as error:
            st.session_state[_COSTS_PROBLEM] = f"{file.name}: {error}. The costs are as they were."
            return
        st.session_state.pop(_COSTS_PROBLEM, None)
        self._versions[self._id] = self._version + 1

    def _reset(self) -> None:
        st.session_state[self._off_key] = []
        st.session_state[self._forced_key] = []
        self._kept.pop(self._id, None)
        self._versions[self._id] = self._version + 1

    def _named(self, j: int) -> str:
        return f"{self._names[j]} ({j + 1})"


def _text(file) -> str:  # type: ignore[no-untyped-def]
    if file.size > LARGEST_UPLOAD:
        msg = "this is too large to be a table of costs"
        raise DataError(msg)
    try:
        return str(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        msg = "this is not a text file in UTF-8"
        raise DataError(msg) from None
