"""What rules for features do to a model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.analysis.features.what_if import feature_changes
from core.api.change_tables import what_if_table
from core.api.model import Model
from core.data.naming import columns
from core.figures.drawn import FigureAndTable
from core.figures.features.what_if import what_if_figure
from core.names.numbers import short


def what_if(
    before: Model, after: Model, *, costs: Mapping[str | int, float] | None = None, most: int = 24
) -> FigureAndTable:
    """Draw what rules for features do to a model's weights.

    Parameters
    ----------
    before, after : Model
        Of one fold: without the rules, and under them.
    costs : mapping, optional
        Of features, by name or number, for the table; those without one cost 1.
    most : int
        Largest number of rows drawn.

    Returns
    -------
    FigureAndTable
        Its table has a row a feature that either model keeps.
    """
    changes = feature_changes(before.fit, after.fit)
    every_cost = np.ones(len(before.fit.weights))
    for feature, cost in (costs or {}).items():
        every_cost[columns([feature], before.fit.feature_names)] = cost
    figure = what_if_figure(
        changes,
        before.fit.method,
        most=most,
        title="Weights before and after",
        subtitle=f"{before.fold.name} · C = {short(after.fit.c)} · + comes in, − goes out",
    )
    return FigureAndTable(figure, what_if_table(changes, every_cost))
