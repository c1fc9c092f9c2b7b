"""The Start page: what the lab is, a first fit in one click, the data at hand, and how to bring one's own."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.tradeoff.best_single_feature import best_single_feature
from core.data.catalogue import READY, catalogue
from core.figures.fit.weights import weights_figure
from core.methods import Fit, get_method
from pages.shared import keys, panels
from pages.shared.choice import access, history, presets
from pages.shared.choice.c import ratio_at, ratio_query
from pages.shared.choice.source import Source

EXAMPLE: history.State = {keys.DATASET: "python-docs", keys.METHOD: "log", keys.RATIO_STEP: 52}  # eight features of 54


def render() -> None:
    """Draw the page."""
    st.title("Sparse Ranking Lab", anchor=False)
    st.markdown(
        "A ranking model scores documents by a weighted sum of features, and every feature costs time to compute. "
        "This lab fits models that use **few** of them, with the penalties of five papers, and says by a "
        "certificate what is known of how far each fit is from its optimum. Pick data, a penalty and C on the left, "
        "and watch."
    )
    if st.button("Fit the example", type="primary", key="example", icon="▶️", on_click=_choose_example):
        st.switch_page("pages/fit.py", query_params=ratio_query(EXAMPLE[keys.RATIO_STEP]))
    st.caption(
        "280 questions asked of the Python documentation, 50 candidate answers each, 54 features: a few steps, "
        "well under a second."
    )
    _picture()
    _guided()
    _catalogue()
    _own_data()


def _picture() -> None:
    """The example's model beside what the best of its features does alone."""
    example = _example()
    if example is None:
        return
    fit, usable, alone, together = example
    title = (
        f"{fit.result.nonzero} of {usable} features: NDCG@10 {together:.4f}, where the best one alone has {alone:.4f}"
    )
    figure = weights_figure(
        fit.weights,
        fit.feature_names,
        fit.method,
        title=title,
        subtitle="python-docs, fold 1, log penalty · test queries",
    )
    panels.chart(figure, "example", alt=title)


@st.cache_resource(show_spinner=False)
def _example() -> tuple[Fit, int, float, float] | None:
    """The example's fit, its usable features, and the test NDCG@10 of the best single feature and of the model."""
    source = Source(str(EXAMPLE[keys.DATASET]))
    if source.name not in access.ready_datasets():
        return None
    method = get_method(str(EXAMPLE[keys.METHOD]))
    training = access.training(method.id, source, 1)
    fit = method.fit(training, training.lam_at(ratio_at(EXAMPLE[keys.RATIO_STEP])))
    fold, convention = access.fold(source, 1), access.dataset(source).convention
    judge = access.judge(source, 1, convention)
    alone = best_single_feature(fold, convention, "NDCG@10").values["test"]
    together = judge.metrics(fit.weights)["test"]["NDCG@10"]
    return fit, int(judge.usable_features.sum()), alone, together


def _choose_example() -> None:
    history.restore(EXAMPLE)
    st.session_state[keys.AUTOSTART] = True


def _guided() -> None:
    st.subheader("Three things to see", anchor=False)
    for column, preset in zip(st.columns(len(presets.GUIDED)), presets.GUIDED, strict=True):
        with column, st.container(border=True):
            st.markdown(f"**{preset.title}**")
            st.caption(preset.sentence)
            key = f"guided_{preset.title}"
            if st.button("Show", key=key, on_click=presets.open_guided, args=(preset,)):
                st.switch_page(f"pages/{preset.page}.py", query_params=ratio_query(preset.state[keys.RATIO_STEP]))


def _catalogue() -> None:
    st.subheader("Data", anchor=False)
    rows = [
        {
            "name": entry.name,
            "what": entry.title,
            "folds": str(entry.n_folds or ""),
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
        "in the last or first column, or in one named `class`, which the model learns to put on top.\n\n"
        "Whole datasets with folds go into a folder named by the environment variable `SPARSE_RANK_DATA`, as "
        "`NAME/Fold1/train.txt`, `vali.txt`, `test.txt` and so on."
    )
