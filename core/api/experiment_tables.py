"""Tables of the experiments of Rakotomamonjy (2012)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.experiments.infinite_push.push_timing import Timing
from core.experiments.infinite_push.top_table import TopRow
from core.experiments.infinite_push.toy_study import TITLES, ToyPoint


def toy_table(points: Sequence[ToyPoint]) -> pd.DataFrame:
    """A row a method and size of the toy problem."""
    return pd.DataFrame(
        {
            "method": TITLES[p.method],
            "examples": p.n_train,
            "noisy features": p.n_noisy,
            "trials": p.n_trials,
            "top": p.top.mean,
            "top s.e.": p.top.error,
            "p": p.p_value,
            "precision": p.precision.mean,
            "recall": p.recall.mean,
            "F-measure": p.f_measure.mean,
            "features kept": p.kept.mean,
        }
        for p in points
    )


def timings_table(timings: Sequence[Timing]) -> pd.DataFrame:
    """A row a timed fit."""
    return pd.DataFrame(
        {
            "system": found.cell.system.title,
            "noisy features": found.cell.n_noisy,
            "pairs": found.cell.n_pairs,
            "trial": found.cell.trial + 1,
            "seconds": found.seconds,
            "steps": found.steps,
            "end": found.stop,
        }
        for found in timings
    )


def top_table(rows: Sequence[TopRow], *, adjusted: bool) -> pd.DataFrame:
    """A row a method and set, beside what is published; ``adjusted`` for the methods compared on each set."""
    return pd.DataFrame(
        {
            "data": row.set,
            "method": TITLES[row.method],
            "splits": row.n_splits,
            "top": row.top.mean,
            "top s.d.": row.top.deviation,
            "# var": row.kept.mean,
            "# var s.d.": row.kept.deviation,
            "p": row.p_value,
            "p (Holm)": row.p_holm,
            "significantly worse": row.worse(adjusted=adjusted),
            "published top": None if row.published is None else row.published.top,
            "difference": row.difference,
            "published # var": None if row.published is None else row.published.n_features,
        }
        for row in rows
    )
