"""The tables of pictures: what the app offers beneath them, and what a notebook gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.queries.changes import QueryChanges
from core.data import RankingData
from core.methods import Fit


def trace_table(fit: Fit) -> pd.DataFrame:
    """The way of a solver, one row a step."""
    return pd.DataFrame(
        [
            {
                "step": point.step,
                "objective": point.objective,
                point.certificate.kind: point.certificate.relative,
                "among models": point.certificate.among,
                "features": point.nonzero,
                "seconds": point.seconds,
                "passes": point.passes,
                "inside a round": point.provisional,
            }
            for point in fit.result.trace
        ]
    )


QUERY_MEASURES = {"MAP": "AP", "NDCG@10": "NDCG@10"}
"""Measures that queries are compared by, and what they are called for one query."""


def query_names(data: RankingData, texts: Mapping[str, str]) -> list[str]:
    """Name every query by its id, with its text where that is known."""
    return [f"{query}: {texts[query]}" if query in texts else f"query {query}" for query in data.query_ids]


def queries_table(changes: Mapping[str, QueryChanges], data: RankingData, names: Sequence[str]) -> pd.DataFrame:
    """A row a query: its measures under A and B, the greatest loss in average precision first."""
    one = changes["MAP"]
    columns: dict[str, object] = {"query": list(data.query_ids), "text": list(names)}
    for measure, found in changes.items():
        name = QUERY_MEASURES[measure]
        columns |= {f"{name} under A": found.a, f"{name} under B": found.b, f"Δ{name}": found.delta}
    columns |= {"documents": one.n_documents, "relevant": one.n_relevant}
    return pd.DataFrame(columns).sort_values("ΔAP", kind="stable")
