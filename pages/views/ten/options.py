"""What the page of budgets is asked for, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from core.figures.tradeoff.axes import Across


@dataclass(frozen=True)
class BudgetOptions:
    """What the reader has chosen.

    Attributes
    ----------
    step : str
        One of `STEPS`.
    measure : str
    unit : {"features", "cost"}
    limit : float
        In that unit.
    across : Across
        The axis of the picture, in that unit.
    methods : tuple of str
        Ids of those that compete.
    """

    step: str
    measure: str
    unit: str
    limit: float
    across: Across
    methods: tuple[str, ...]
