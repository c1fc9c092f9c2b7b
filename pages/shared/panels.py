"""Pieces of pages: charts with downloads, tables, what to do when data cannot be used."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.methods import Fit
from pages.shared.choice import Choice

TABLE_MEASURES = ("MAP", "NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10", "P@1", "P@5", "P@10", "MeanNDCG")


def chart(figure: go.Figure, name: str, *, alt: str) -> None:
    """A figure with a camera button that saves it under ``name``."""
    config = {"displaylogo": False, "toImageButtonOptions": {"format": "svg", "filename": name, "scale": 2}}
    st.plotly_chart(figure, key=f"chart_{name}", config=config, alt=alt)


def unusable_data() -> None:
    """Say what is wrong with the data and what to do."""
    st.error(st.session_state.get("data_error", "There is no data."), icon="📄")
    st.markdown(
        "Choose another dataset in the sidebar, or mend the file and drop it in again. Nothing else has changed."
    )


def metrics_table(metrics: dict[str, dict[str, float]], convention: str) -> None:
    """Train, vali and test as rows, four digits as in the papers."""
    rows = {part: {m: values[m] for m in TABLE_MEASURES if m in values} for part, values in metrics.items()}
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.name = convention
    st.dataframe(table.style.format("{:.4f}"), key="metrics")


def features_table(fit: Fit) -> None:
    """The kept features with their weights; sortable, downloadable from its own menu."""
    table = pd.DataFrame(
        {
            "feature": [int(j) + 1 for j in fit.selected],
            "name": [fit.feature_names[j] for j in fit.selected],
            "weight": [float(fit.weights[j]) for j in fit.selected],
        }
    )
    st.dataframe(table, hide_index=True, key="features")


def downloads(record: dict[str, Any], fit: Fit, choice: Choice) -> None:
    """The fit as JSON and CSV, and the command that repeats it."""
    with st.container(horizontal=True):
        st.download_button(
            "Fit (JSON)",
            lambda: json.dumps(record, allow_nan=False, indent=1),
            f"{choice.source.name}-{fit.method}.json",
            "application/json",
            on_click="ignore",
            help="Settings, certificate, trace, features, metrics: what the command line prints.",
        )
        st.download_button(
            "Weights (CSV)",
            lambda: pd.DataFrame(record["features"], columns=["index", "name", "weight"]).to_csv(index=False),
            f"{choice.source.name}-{fit.method}-weights.csv",
            "text/csv",
            on_click="ignore",
        )
    st.caption("The same from a terminal:")
    st.code(command(choice), language="bash", wrap_lines=True)


def command(choice: Choice) -> str:
    """The command line that makes the same fit."""
    source = choice.source
    words = ["python", "-m", "core", "fit", source.name.split(" · ")[0], "--fold", str(choice.fold_number)]
    words += ["--method", choice.method_id, "--C", repr(choice.training.c_of(choice.lam))]
    words += ["--solver", choice.solver_id, "--tol", f"{choice.tol:g}"]
    for name, value in choice.parameters:
        words += ["--set", f"{name}={value:g}"]
    if source.scale != "none":
        words += ["--scale", source.scale]
    if source.split is not None:
        words += ["--split", f"{source.split:g}", "--seed", "0"]
    if source.positive:
        words += ["--positive", source.positive]
    if source.group:
        words += ["--group"]
    return shlex.join([*words, "--json"])
