"""Grids of lambda that widen by themselves while the choice lies at their end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.tuning.grid_end import MOST_DECADES, GridEnd
from core.methods import Fit

FloatArray = NDArray[np.float64]

DECADE = 10.0


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

    Attributes
    ----------
    fits : list of Fit
    widening : Widening
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
