"""How often pages look at what is under way: less often where many wait, or where the server is busy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

UNHURRIED = 8
"""Visitors who wait, as many as can look at every tick."""
SHARE = 0.05
"""Of the time between two looks, that a drawing may wait for the interpreter."""
LONGEST_TICK = 0.9
"""Seconds to which waiting for the interpreter stretches a tick at most: who presses Stop soon sees it act."""
HALF_LIFE = 5.0
"""Seconds after which only half of what was measured counts."""
NEW = 0.2
"""The share of the last drawing in the mean."""


class Pace:
    """What drawings of late have waited for, beside their own work.

    Parameters
    ----------
    clock : callable
        The time in seconds.
    processor : callable
        Seconds that the thread which asks has had of the processor.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, processor: Callable[[], float] = time.thread_time
    ) -> None:
        self._clock, self._processor = clock, processor
        self._mean, self._at = 0.0, clock()

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Around a drawing of what is under way."""
        begun, worked = self._clock(), self._processor()
        yield
        now = self._clock()
        waited = max(now - begun - (self._processor() - worked), 0.0)
        self._mean, self._at = (1.0 - NEW) * self._waited(now) + NEW * waited, now

    def tick(self, usual: float, waiting: int) -> float:
        """Seconds between two looks.

        Parameters
        ----------
        usual : float
            Where nobody else wants anything.
        waiting : int
            Visitors who wait for something.
        """
        stretched = usual * max(waiting / UNHURRIED, 1.0)
        return max(stretched, min(self._waited(self._clock()) / SHARE, LONGEST_TICK))

    def _waited(self, now: float) -> float:
        return float(self._mean * 0.5 ** ((now - self._at) / HALF_LIFE))


PACE = Pace()
"""That of this server."""
