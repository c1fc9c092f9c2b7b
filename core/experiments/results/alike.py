"""Which models of a trade-off are not clearly different from the picked one, and with how few features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.choosing import FEWEST_QUERIES
from core.analysis.evaluation import FloatArray
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.experiments.results.difference import Difference
from core.experiments.results.statistics import bootstrap_intervals

Picks = Mapping[str, Sequence[TradeoffPoint]]


@dataclass(frozen=True)
class Alike:
    """The picks of every method beside one of them, on the part that is quoted.

    Attributes
    ----------
    star : TradeoffPoint
        The pick that the others are compared with.
    least : mapping
        By method: its pick with the fewest features that is not clearly different; None where every one is.
    band : tuple of float
        Lowest and highest value of such picks between the next clearly lower and clearly higher ones: within it nothing
        is clearly different from the star.
    """

    star: TradeoffPoint
    least: Mapping[str, TradeoffPoint | None]
    band: tuple[float, float]


def alike(
    picks: Picks,
    star: TradeoffPoint,
    per_query: Callable[[TradeoffPoint], FloatArray],
    part: str,
    measure: str,
) -> Alike | None:
    """Compare every pick with one of them by its 95 % interval over the queries; None for fewer than `FEWEST_QUERIES`.

    Parameters
    ----------
    picks : mapping of str to sequence of TradeoffPoint
        By method, by ascending number of features; see `pareto_front`.
    star : TradeoffPoint
        One of them.
    per_query : callable
        A model's values for the queries of the part, shape (n_queries,).
    part, measure : str
        What is quoted.
    """
    every = [point for points in picks.values() for point in points]
    base = per_query(star)
    if len(base) < FEWEST_QUERIES:
        return None
    differences = np.array([per_query(point) - base for point in every])
    intervals = bootstrap_intervals(differences)
    clear = {
        id(point): Difference(float(row.mean()), len(base), interval).verdict
        for point, row, interval in zip(every, differences, intervals, strict=True)
    }
    lower, higher = (
        [p.value(part, measure) for p in every if clear[id(p)] == f"clearly {way}"] for way in ("lower", "higher")
    )
    within = [
        value
        for value in (star.value(part, measure), *(p.value(part, measure) for p in every))
        if max(lower, default=-np.inf) < value < min(higher, default=np.inf)
    ]
    least = {
        method: next((p for p in points if not clear[id(p)].startswith("clearly")), None)
        for method, points in picks.items()
        if points
    }
    return Alike(star, least, (min(within), max(within)))
