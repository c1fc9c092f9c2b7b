"""Whether a choice lies at the end of its grid, where a better value may lie beyond; grids that widen while it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from core.data.ranking_data import FloatArray

if TYPE_CHECKING:
    from core.methods import Fit


DECADE = 10.0
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
    nonzero : int
        Number of features of the chosen model.
    """
    if len(set(lams)) < 2:
        return None
    if chosen == min(lams):
        return "smallest"
    return "largest" if chosen == max(lams) and nonzero > 0 else None


def grid_end_of(record: Mapping[str, Any]) -> GridEnd | None:
    """Return the end of its grid at which the model of a cell was chosen; None inside it, or where there is no grid."""
    settings = record.get("chosen", {})
    grid = [
        row
        for row in record.get("grid", ())
        if row.get("lambda") is not None and {name: row["parameters"][name] for name in settings} == settings
    ]
    if record.get("lambda") is None or not grid:
        return None
    return grid_end([row["lambda"] for row in grid], record["lambda"], record["nonzero"])


def widening_words(record: Mapping[str, Any]) -> str:
    """Say how far a grid was widened, from the record of `Widening`."""
    sides = [
        f"{record[side]} decade{'s' * (record[side] != 1)} towards {side} λ"
        for side in ("larger", "smaller")
        if record[side]
    ]
    if not sides:
        return "The choice lies inside the grid, which was not widened."
    limit = f" the limit of {record['most']} decades is reached with the choice still at the end"
    return f"The grid was widened by {' and '.join(sides)};{limit if record['limit'] else ' the choice lies inside'}."


@dataclass(frozen=True)
class Widening:
    """How far a grid has been widened.

    Attributes
    ----------
    larger, smaller : int
        Decades added at the end of the largest and of the smallest lambda.
    """

    larger: int = 0
    smaller: int = 0

    def at(self, end: GridEnd) -> int:
        """Decades added at this end."""
        return self.larger if end == "largest" else self.smaller

    def more(self, end: GridEnd) -> Widening:
        """One decade more at this end."""
        larger = end == "largest"
        return Widening(self.larger + larger, self.smaller + (not larger))

    def record(self, end: GridEnd | None) -> dict[str, Any]:
        """Return it for records, with whether its limit was reached before the choice was inside."""
        return {"larger": self.larger, "smaller": self.smaller, "most": MOST_DECADES, "limit": end is not None}


def beyond(lams: FloatArray, end: GridEnd) -> FloatArray:
    """Return the lambdas of one more decade beyond an end of a falling grid, as closely spaced in log as it is."""
    spacing = (lams[0] / lams[-1]) ** (1.0 / (len(lams) - 1))
    count = max(round(np.log(DECADE) / np.log(spacing)), 1)
    if end == "largest":
        return np.asarray(np.geomspace(lams[0] * DECADE, lams[0], count + 1)[:-1])
    return np.asarray(np.geomspace(lams[-1], lams[-1] / DECADE, count + 1)[1:])


@dataclass(eq=False)
class WideningFits:
    """The fits of a grid, and of what it is widened by.

    Iterating gives the fits in the order in which they are made; then ``fits`` has all of them setting by setting, each
    at falling lambda.

    Parameters
    ----------
    lams : ndarray, shape (n_points,)
        Falling.
    fit : callable
        From falling lambdas to the fits of all settings at them.
    end : callable
        From all fits so far to the end of the grid at which the choice lies.
    """

    lams: FloatArray
    fit: Callable[[FloatArray], Iterator[Fit]]
    end: Callable[[Sequence[Fit]], GridEnd | None]
    fits: list[Fit] = field(default_factory=list)
    widening: Widening = field(default_factory=Widening)
    _next: FloatArray | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[Fit]:
        lams = self.lams
        while len(lams):
            for fit in self.fit(lams):
                self.fits.append(fit)
                yield fit
            lams = self.widen() if self._next is None else self._next
            self._next = None
        self.fits = in_order(self.fits)

    def widen(self) -> FloatArray:
        """Return the lambdas that the grid is widened by once those before are fitted; none where it is not."""
        end = self.end(self.fits) if len(self.lams) > 1 else None
        if end is None or self.widening.at(end) >= MOST_DECADES:
            more = np.zeros(0)
        else:
            more = beyond(self.lams, end)
            self.lams = np.concatenate([more, self.lams] if end == "largest" else [self.lams, more])
            self.widening = self.widening.more(end)
        self._next = more
        return more


def in_order(fits: Sequence[Fit]) -> list[Fit]:
    """Sort fits setting by setting, as the settings come first, and each at falling lambda."""
    settings: dict[tuple[tuple[str, float], ...], int] = {}
    for fit in fits:
        settings.setdefault(tuple(fit.parameters.items()), len(settings))
    return sorted(fits, key=lambda fit: (settings[tuple(fit.parameters.items())], -fit.lam))
