"""Tables of means over folds, and of removed features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.tradeoff.fold_truncation import SizeMean


def fold_truncation_table(means: Mapping[str, Sequence[SizeMean]], names: Mapping[str, str]) -> pd.DataFrame:
    """A row a method and number of features: means over folds of models cut down to so many weights."""
    return pd.DataFrame(
        {
            "method": names[label],
            "features at most": mean.size,
            "folds": mean.n_folds,
            "mean": mean.value.mean,
            "standard error": mean.value.error,
            "min": mean.value.low,
            "max": mean.value.high,
        }
        for label, row in means.items()
        for mean in row
    )


def removed_table(removed: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """A row a method and branch of a spider plot: the shares of features that are removed and kept."""
    return pd.DataFrame(
        [
            {"method": method, "branch": branch, "removed": value, "sparsity ratio": 1.0 - value}
            for method, row in removed.items()
            for branch, value in row.items()
        ]
    )
