"""Whether a choice lies at the end of the grid it was made on, where a better value may lie beyond."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from core.methods import Fit

MOST_DECADES = 4
"""By how much a grid that widens by itself grows at most at each end."""
GridEnd = Literal["largest", "smallest"]
END_WORDS: dict[GridEnd, str] = {
    "largest": "The chosen λ is the largest of its grid (the smallest C): a better one may lie beyond.",
    "smallest": "The chosen λ is the smallest of its grid (the largest C): a better one may lie beyond.",
}


def end_among(fits: Sequence[Fit], chosen: Fit) -> GridEnd | None:
    """Return the end at which a fit lies among those with its parameters; see `grid_end`."""
    lams = [fit.lam for fit in fits if fit.parameters == chosen.parameters]
    return grid_end(lams, chosen.lam, chosen.result.nonzero)


def grid_end(lams: Sequence[float], chosen: float, nonzero: int) -> GridEnd | None:
    """Return the end of a grid at which the choice lies, or None.

    The largest lambda counts only if its model has features: beyond an empty model all are empty, so nothing is missed.
    A grid of one value has nothing to choose from, and no end.

    Parameters
    ----------
    lams : sequence of float
        That were tried with the chosen values of the other parameters.
    chosen : float
    nonzero : int
        Number of features of the chosen model.
    """
    if len(set(lams)) < 2:
        return None
    if chosen == min(lams):
        return "smallest"
    return "largest" if chosen == max(lams) and nonzero > 0 else None


def widening_words(record: Mapping[str, Any]) -> str:
    """Say how far a grid was widened, from the record of `core.analysis.tuning.widening.Widening`."""
    sides = [
        f"{record[side]} decade{'s' * (record[side] != 1)} towards {side} λ"
        for side in ("larger", "smaller")
        if record[side]
    ]
    if not sides:
        return "The choice lies inside the grid, which was not widened."
    limit = f" the limit of {record['most']} decades is reached with the choice still at the end"
    return f"The grid was widened by {' and '.join(sides)};{limit if record['limit'] else ' the choice lies inside'}."
