"""The Start page: what the lab is, a first fit in one click, the data at hand, and how to bring one's own."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.data.catalogue import READY, catalogue
from pages.shared import choice as choosing

EXAMPLE = {"dataset": "python-docs", "method": "log", "fold": 1, "scale": "none", "C": ""}
EXAMPLE_STEP = 52  # on the slider of C: lambda / lambda_max = 10^-2.6, nine features of 54


def render() -> None:
    """Draw the page."""
    st.title("Sparse Ranking Lab", anchor=False)
    st.markdown(
        "A ranking model scores documents by a weighted sum of features, and every feature costs time to compute. "
        "This lab fits models that use **few** of them, with the penalties of five papers, and proves by a "
        "certificate how close each fit is to its optimum. Pick data, a penalty and C on the left, and watch."
    )
    if st.button("Fit the example", type="primary", key="example", icon="▶️", on_click=_choose_example):
        # Naming a parameter keeps the others: without any, the switch would try to clear those bound to widgets.
        st.switch_page("pages/fit.py", query_params={"ratio": choosing.ratio_text(EXAMPLE_STEP)})
    st.caption(
        "280 questions asked of the Python documentation, 50 candidate answers each, 54 features: a few steps, "
        "well under a second."
    )
    _catalogue()
    _own_data()


def _choose_example() -> None:
    st.session_state.update(EXAMPLE)
    st.session_state["ratio_step"] = EXAMPLE_STEP
    st.session_state["autostart"] = True


def _catalogue() -> None:
    st.subheader("Data", anchor=False)
    rows = [
        {
            "name": entry.name,
            "what": entry.title,
            "folds": entry.n_folds or None,
            "state": "✅ ready" if entry.state == READY else entry.state,
        }
        for entry in catalogue()
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="catalogue")


def _own_data() -> None:
    st.subheader("Your own", anchor=False)
    st.markdown(
        "Drop a file under **Your own data** on the left; it stays on this machine. Two kinds are read, plain or "
        "`.gz`:\n\n"
        "- **LETOR / SVMlight**: a document a line, `2 qid:10 1:0.5 3:0.25 # comment`: relevance, query, "
        "`feature:value`.\n"
        "- **CSV**: columns for relevance (`relevance`), query (`qid`) and features by name; or features with a class "
        "in the last column, which the model learns to put on top.\n\n"
        "Whole datasets with folds go into a folder named by the environment variable `SPARSE_RANK_DATA`, as "
        "`NAME/Fold1/train.txt`, `vali.txt`, `test.txt` and so on."
    )
