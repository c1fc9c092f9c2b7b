"""Tables of means over folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.tradeoff.fold_tradeoff import FoldSummary


def fold_tradeoff_table(summaries: Mapping[str, Sequence[FoldSummary]]) -> pd.DataFrame:
    """A row a method and mark: means over folds, with their errors and ranges."""
    rows = []
    for row in summaries.values():
        for s in row:
            numbers = {"features kept": s.kept, "sparsity ratio": s.sparsity, "value": s.value, "seconds": s.seconds}
            line: dict[str, object] = {"method": s.method, "mark": s.at}
            for name, spread in numbers.items():
                line |= {name: spread.mean, f"{name}: standard error": spread.error}
                line |= {f"{name}: min": spread.low, f"{name}: max": spread.high}
            rows.append(line)
    return pd.DataFrame(rows)
