"""The tables of pictures: what the app offers beneath them, and what a notebook gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.features.stability import Stability
from core.analysis.queries.changes import QueryChanges
from core.analysis.top_strips import SHARE_BINS, TopStrips
from core.data import RankingData
from core.data.nouns import DOCUMENTS, Nouns, nouns_of
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


def documents_of(data: RankingData, query: int) -> list[str]:
    """Return the names of a query's documents: their ids, or else their places in the list."""
    rows = slice(*data.query_offsets[query : query + 2])
    if data.document_ids is not None:
        return [str(name) for name in data.document_ids[rows]]
    return [f"{nouns_of(data).row} {k + 1}" for k in range(rows.stop - rows.start)]


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


def strips_table(strips: TopStrips, documents: Sequence[str], nouns: Nouns = DOCUMENTS) -> pd.DataFrame:
    """A row a document of one list, the highest score first."""
    table = pd.DataFrame(
        {
            nouns.row: [documents[row] for row in (*strips.positive_rows, *strips.negative_rows)],
            "positive": [True] * len(strips.positives) + [False] * len(strips.negatives),
            "above the top negative": np.concatenate([strips.positives, strips.negatives]),
        }
    )
    return table.sort_values("above the top negative", ascending=False, kind="stable", ignore_index=True)


def shares_table(counts: Mapping[str, NDArray[np.int64]], titles: Mapping[str, str]) -> pd.DataFrame:
    """A row for each of `SHARE_BINS`: in how many lists so many positives are on top, for every method."""
    return pd.DataFrame({"positives on top": SHARE_BINS} | {titles[m]: row for m, row in counts.items()})


def stability_table(samples: Stability | None, folds: Stability | None, fit: Fit) -> pd.DataFrame:
    """A row a feature: how often it is kept, and its weight in the model; at least one of both counts is given."""
    names = fit.feature_names
    shares = {
        what: found.probabilities
        for what, found in (("share of resamples", samples), ("share of folds", folds))
        if found is not None
    }
    table = pd.DataFrame(
        {"feature": np.arange(1, len(names) + 1), "name": list(names), **shares, "weight": fit.weights}
    )
    return table.sort_values(next(iter(shares)), ascending=False, kind="stable", ignore_index=True)
