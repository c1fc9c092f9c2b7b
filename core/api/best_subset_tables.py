"""The tables of the best possible sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.best_subset.alternatives import Alternatives
from core.analysis.best_subset.excess import Excess
from core.analysis.best_subset.points import BEST
from core.analysis.best_subset.yardstick import CertifiedSubset
from core.analysis.evaluation import Judgement
from core.analysis.tradeoff.tradeoff import MEASURES


def line_table(
    rows: Sequence[CertifiedSubset], compared: Sequence[Excess], titles: Mapping[str, str], names: Sequence[str]
) -> pd.DataFrame:
    """A row a size for the best set, then a row a size for every method, with the measures of each model."""
    best = [
        {
            "method": titles[BEST],
            "features at most": row.k,
            "features": len(row.columns),
            "objective": row.objective,
            "lower bound": row.bound,
            "proven": row.proven,
            "excess %": 0.0,
            "in common": len(row.columns),
        }
        | _measured(row.judgement)
        | {"names": _names(row.columns, names)}
        for row in rows
    ]
    return pd.concat([pd.DataFrame(best), excess_table(rows, compared, titles, names)], ignore_index=True)


def excess_table(
    rows: Sequence[CertifiedSubset], compared: Sequence[Excess], titles: Mapping[str, str], names: Sequence[str]
) -> pd.DataFrame:
    """A row a method and size: objective after the refit, its excess in per cent, and features in common."""
    bounds = {row.k: row for row in rows}
    return pd.DataFrame(
        [
            {
                "method": titles[one.method],
                "features at most": one.k,
                "features": one.found.kept,
                "objective": one.found.objective,
                "lower bound": bounds[one.k].bound,
                "proven": bounds[one.k].proven,
                "excess %": 100.0 * one.excess,
                "in common": one.shared,
            }
            | _measured(one.found.judgement)
            | {"names": _names(one.found.columns, names)}
            for one in compared
        ]
    )


def _measured(judgement: Judgement) -> dict[str, float]:
    return {f"{m} {part}": judgement.shown(part, m) for part in judgement.metrics for m in MEASURES}


def _names(columns: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(names[j] for j in columns)


def alternatives_table(alternatives: Alternatives, names: Sequence[str]) -> pd.DataFrame:
    """A row a set, the lowest objective first: its excess, its measures, and its features, one column each."""
    rows = []
    for place, (one, excess) in enumerate(zip(alternatives.found.sets, alternatives.excesses, strict=True)):
        judged = place < len(alternatives.judgements)
        rows.append(
            {"set": place + 1, "features": len(one.columns), "objective": one.objective, "excess %": 100.0 * excess}
            | (_measured(alternatives.judgements[place]) if judged else {})
            | {"names": _names(one.columns.tolist(), names)}
        )
    return pd.DataFrame(rows)
