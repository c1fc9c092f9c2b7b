"""Tables of what a change brings: a rule for features, a budget, another model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from core.analysis.features.what_if import FeatureChange
from core.analysis.tradeoff.query_changes import QueryChange
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.figures.tradeoff.axes import Across

LONGEST_TEXT = 40
"""Letters of a query's text."""


def what_if_table(changes: Sequence[FeatureChange], costs: NDArray[Any]) -> pd.DataFrame:
    """A row a feature that either model keeps: its weight before and after, and its cost."""
    return pd.DataFrame(
        [
            {
                "feature": row.feature + 1,
                "name": row.name,
                "before": row.before,
                "after": row.after,
                "change": row.change,
                "cost": costs[row.feature],
            }
            for row in changes
        ],
        columns=["feature", "name", "before", "after", "change", "cost"],
    )


def budget_table(
    points: Sequence[TradeoffPoint], across: Across, measure: str, titles: Mapping[str, str], names: Sequence[str]
) -> pd.DataFrame:
    """A row a model that a budget may choose."""
    return pd.DataFrame(
        [
            {"method": titles[point.method], "features kept": point.kept, across.horizontal: across.of(point)}
            | {f"{measure} {part}": point.value(part, measure) for part in point.values}
            | {"C": point.c, "features": ", ".join(names[j] for j in point.selected)}
            for point in points
        ]
    )


def query_changes_table(changes: Sequence[QueryChange], texts: Mapping[str, str]) -> pd.DataFrame:
    """A row a query, the one that loses most first."""
    return pd.DataFrame(
        [
            {
                "query": _named(change.query_id, texts.get(change.query_id, "")),
                "change": change.change,
                "before": change.before,
                "after": change.after,
                "relevant": change.n_relevant,
                "documents": change.n_documents,
            }
            for change in changes
        ]
    )


def _named(query_id: str, text: str) -> str:
    return f"{query_id}: {text[:LONGEST_TEXT]}" if text else query_id
