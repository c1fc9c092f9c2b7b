"""The table of a trade-off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.tradeoff.tradeoff import MEASURES, TradeoffPoint, pareto_front


def tradeoff_table(
    curves: Mapping[str, Sequence[TradeoffPoint]],
    measure: str,
    names: Sequence[str],
    references: Mapping[str, TradeoffPoint] | None = None,
) -> pd.DataFrame:
    """A row a model, and a row a reference beneath them.

    Parameters
    ----------
    curves : mapping
        Points by method.
    measure : str
        "best so far" tells the models that none with as few features beats by it.
    names : sequence of str
        Of the features.
    references : mapping, optional
        What the models are compared with, by its label.
    """
    rows = []
    for method, points in curves.items():
        front = set(map(id, pareto_front(points, measure)))
        rows += [_row_of_table(point, method, names) | {"best so far": id(point) in front} for point in points]
    beneath = [_row_of_table(point, name, names) | {"best so far": False} for name, point in (references or {}).items()]
    return pd.DataFrame(rows + beneath)


def _row_of_table(point: TradeoffPoint, name: str, names: Sequence[str]) -> dict[str, object]:
    row: dict[str, object] = {"method": name, "features kept": point.kept, "sparsity ratio": point.sparsity}
    row |= {f"{m} {part}": point.value(part, m) for m in MEASURES for part in point.values}
    row |= {"seconds": point.seconds, "C": point.c, "λ/λ_max": point.ratio}
    return row | {"features": ", ".join(names[j] for j in point.selected)}
