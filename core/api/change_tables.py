"""The table of what rules for features do to a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from core.analysis.features.what_if import FeatureChange

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
