"""How many features each method needs to reach all but a few per cent of the best model's value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.tradeoff.tradeoff import TradeoffPoint, pareto_front
from core.metrics.equal_values import rounded

NEAR = 0.01
"""A model is near the best one where it reaches 99 % of its value."""


@dataclass(frozen=True)
class NearBest:
    """The fewest features with which each method comes near the best.

    Attributes
    ----------
    best : TradeoffPoint
        The best of all models on the part that choices are made on.
    target : float
        On the part that is quoted: a share below the value of ``best`` there.
    least : dict
        By method: the sparsest of its choices that reaches the target on the part that is quoted; None where none does.
    """

    best: TradeoffPoint
    target: float
    least: Mapping[str, TradeoffPoint | None]


def near_best(
    curves: Mapping[str, Sequence[TradeoffPoint]], part: str, measure: str, share: float = NEAR
) -> NearBest | None:
    """Return who comes near the best, and with how many features; None if no model keeps a feature.

    One rule makes every choice: with at most k features, the model with the best value on the part that choices are
    made on (`pareto_front`). Only the values of models chosen so are compared, and they are those of the part that is
    quoted. A model that is good there but that nobody would have chosen does not count.

    Parameters
    ----------
    curves : mapping
        Points by method; methods without a point are left out.
    part : str
        That is quoted.
    measure : str
    share : float
        Of the best value, in [0, 1).
    """
    front = pareto_front((point for points in curves.values() for point in points), measure)
    if not front:
        return None
    best = front[-1]
    target = (1.0 - share) * best.value(part, measure)
    least = {
        method: next(
            (p for p in pareto_front(points, measure) if rounded(p.value(part, measure)) >= rounded(target)), None
        )
        for method, points in curves.items()
        if points
    }
    return NearBest(best, target, least)
