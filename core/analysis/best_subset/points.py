"""The best subsets as models of a trade-off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.analysis.best_subset.yardstick import CertifiedSubset
from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint
from core.metrics import sparsity_ratio

BEST = "best-subset"


def best_subset_points(
    rows: Sequence[CertifiedSubset], c: float, ratio: float, usable: NDArray[np.bool_]
) -> list[tuple[TradeoffPoint, bool]]:
    """Return the models, each with whether it is proven.

    Parameters
    ----------
    rows : sequence of CertifiedSubset
        Judged.
    c, ratio : float
        Of their ridge.
    usable : ndarray of bool, shape (n_features,)
        From `FoldJudge.usable_features`.
    """
    return [
        (
            TradeoffPoint(
                method=BEST,
                kept=len(row.columns),
                sparsity=sparsity_ratio(row.weights, usable),
                values={p: {m: row.judgement.metrics[p][m] for m in MEASURES} for p in row.judgement.metrics},
                seconds=row.seconds,
                c=c,
                ratio=ratio,
                selected=tuple(sorted(row.columns, key=lambda j: -abs(row.weights[j]))),
            ),
            row.proven,
        )
        for row in rows
        if row.columns
    ]


def rows_of_table(points: Sequence[tuple[TradeoffPoint, bool]]) -> dict[str, TradeoffPoint]:
    """Return the points by what a table calls them."""
    return {f"best subset of {point.kept}, {'proven' if proven else 'not proven'}": point for point, proven in points}
