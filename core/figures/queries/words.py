"""What changes from one model to another over many queries, in sentences computed from the numbers."""

from __future__ import annotations

from core.analysis.queries.changes import QueryChanges
from core.experiments.results.difference import Difference

QUERY_MEASURES = {"MAP": "AP", "NDCG@10": "NDCG@10"}
"""Measures that queries are compared by, and what they are called for one query."""


def range_words(changes: QueryChanges) -> str:
    """Say from where to where the changes reach."""
    low, high = (signed(float(value), 3) for value in (changes.delta.min(), changes.delta.max()))
    return f"Δ{QUERY_MEASURES[changes.measure]} of {len(changes.delta):,} queries, from {low} to {high}"


def every_title(changes: QueryChanges, difference: Difference, part: str, b: str) -> str:
    """Say what A changes over the queries of a part."""
    lose, gain, same = changes.counts
    name = QUERY_MEASURES[changes.measure]
    counted = f"{lose:,} queries lose {name} and {gain:,} gain under A, against {b}"
    if not lose and not gain:
        return f"No {part} query changes its {name}: A and B ({b}) rank alike"
    return f"{counted}; mean {signed(difference.value)}, {difference.verdict}" + (
        f" ({same:,} unchanged)" if same else ""
    )


def signed(value: float, digits: int = 4) -> str:
    """A difference with its sign; 0 has none."""
    text = f"{value:+.{digits}f}".replace("-", "−")
    return "0" if not text.strip("+−0.") else text
