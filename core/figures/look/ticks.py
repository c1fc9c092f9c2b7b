"""Labels along axes that stay different however far one zooms in.

Plotly rounds a label that has a fixed number of decimals, so that neighbours become equal; formats here have as many
decimals as they need.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

PERCENT = "~%"
NUMBER = ".12~g"
WHOLE = 6
"""Counts as small as this have a label each; plotly would put labels between them."""


def count_axis(low: float, high: float) -> dict[str, Any]:
    """What an axis of counts over this range has beside its range, as parts of a layout."""
    return {"tick0": 0, "dtick": 1} if high - low <= WHOLE else {}


def first_of_each(labels: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Places with their labels, without those whose label stands already."""
    places: dict[str, float] = {}
    for place, text in labels:
        places.setdefault(text, place)
    return [(place, text) for text, place in places.items()]
