"""What sparse models are compared with: the model of all features, and the rule that chooses it."""

from __future__ import annotations

from collections.abc import Iterable

from core.analysis.tradeoff.tradeoff import TradeoffPoint, pareto_front

DENSE = "l2"
"""The method of all features: RankSVM-Primal."""


def dense_reference(points: Iterable[TradeoffPoint], measure: str) -> TradeoffPoint | None:
    """Return the model of all features that others are compared with, at the C that the choosing part picks.

    Parameters
    ----------
    points : iterable of TradeoffPoint
        The path of `DENSE`.
    measure : str
        That C is chosen by.

    Returns
    -------
    TradeoffPoint or None
        The one with the highest value on the part that models are chosen on, as `pareto_front` takes it; None if no
        model keeps a feature.
    """
    front = pareto_front(points, measure)
    return front[-1] if front else None
