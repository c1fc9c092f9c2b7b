"""Timing by turns: A B A B ... in one run, compared round by round.

A shared machine slows down and speeds up by the minute. Two contenders timed one right after the other meet the same
minute, so the ratio within a round is steadier than either time, and the median over rounds steadier still.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Ratio:
    """How many times as long one contender takes as another: over rounds, the median, least and most."""

    median: float
    least: float
    most: float

    def __str__(self) -> str:
        digits = 2 if self.median < 10.0 else 0
        return f"{self.median:.{digits}f} ({self.least:.{digits}f}-{self.most:.{digits}f})"


@dataclass(frozen=True)
class Rounds(Generic[Result]):
    """What was measured, by contender.

    Attributes
    ----------
    seconds : mapping of name to ndarray, shape (n_rounds,)
    results : mapping of name to what the contender returned in the last round
    """

    seconds: Mapping[str, FloatArray]
    results: Mapping[str, Result]

    def median(self, name: str) -> float:
        """Median seconds of a contender."""
        return float(np.median(self.seconds[name]))

    def ratio(self, slow: str, fast: str) -> Ratio:
        """Time of ``slow`` over the time of ``fast`` in the same round."""
        ratios = self.seconds[slow] / self.seconds[fast]
        return Ratio(float(np.median(ratios)), float(ratios.min()), float(ratios.max()))


def take_turns(
    contenders: Mapping[str, Callable[[], Result]], rounds: int, *, warm_up: bool = True, least: float = 0.0
) -> Rounds[Result]:
    """Time every contender once a round.

    Parameters
    ----------
    contenders : mapping of name to callable
        Called in this order in every round.
    rounds : int
    warm_up : bool
        Call each once, untimed, before the first round.
    least : float
        Seconds that a turn lasts at least: what takes less is repeated, and its mean counts.
    """
    if warm_up:
        for run in contenders.values():
            run()
    seconds = {name: np.empty(rounds) for name in contenders}
    results = {}
    for turn in range(rounds):
        for name, run in contenders.items():
            gc.collect()
            begun = time.perf_counter()
            results[name] = run()
            repeated = 1
            while (passed := time.perf_counter() - begun) < least:
                results[name] = run()
                repeated += 1
            seconds[name][turn] = passed / repeated
    return Rounds(seconds, results)
