"""Fair shares of the workers: who has used little of late comes first, and a server may limit everybody."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass

HALF_LIFE = 60.0
"""Seconds after which only half of what a visitor has used counts against him."""
FORGOTTEN = 0.01
"""Seconds of use that are as good as none."""
HOUR = 3600.0


@dataclass(frozen=True)
class Quota:
    """What a visitor may ask of the server.

    Attributes
    ----------
    jobs : int
        Computations under way at a time, those in line included.
    minutes : float or None
        Of computing in an hour; None for any number.
    """

    jobs: int = 40
    minutes: float | None = None

    @classmethod
    def of_environment(cls) -> Quota:
        """As ``SPARSE_RANK_VISITOR_JOBS`` and ``SPARSE_RANK_VISITOR_MINUTES`` say.

        Raises
        ------
        ValueError
            If one of them is no positive number.
        """
        jobs, minutes = (_number(f"SPARSE_RANK_VISITOR_{name}") for name in ("JOBS", "MINUTES"))
        return cls(cls.jobs if jobs is None else max(int(jobs), 1), minutes)

    @property
    def refusal(self) -> str:
        """What a visitor reads who asks for one job too many."""
        under_way = "A computation of yours is" if self.jobs == 1 else f"{self.jobs} computations of yours are"
        return f"{under_way} running, and this server allows no more at a time: stop one, or wait until it is finished."


def _number(name: str) -> float | None:
    written = os.environ.get(name)
    if not written:
        return None
    try:
        number = float(written)
    except ValueError:
        number = 0.0
    if not 0.0 < number < float("inf"):
        msg = f"{name} must be a number above 0, not {written!r}"
        raise ValueError(msg)
    return number


class Turns:
    """Seconds of computing by visitor.

    Parameters
    ----------
    clock : callable
        The time in seconds.
    quota : Quota
    """

    def __init__(self, clock: Callable[[], float], quota: Quota) -> None:
        self.quota = quota
        self._clock = clock
        self._used: dict[str, tuple[float, float]] = {}
        self._owed: dict[str, tuple[float, float]] = {}

    def used(self, visitor: str) -> float:
        """Seconds that the visitor has used of late."""
        seconds, at = self._used.get(visitor, (0.0, 0.0))
        return seconds * 0.5 ** ((self._clock() - at) / HALF_LIFE) if seconds else 0.0

    def least_used(self, visitors: Iterable[str]) -> float:
        """Of several visitors who wait for the same, how much the one with the best claim has used.

        On a scale that does not move with the clock, log2 of the seconds as of its zero: what all have used decays
        alike, so the order of two visitors is the same whenever each is looked at, and equal for the same one.
        """
        return min(map(self._level, visitors), default=-math.inf)

    def charge(self, visitors: Iterable[str], seconds: float) -> None:
        """Put seconds of work down to those who waited for it, in equal parts."""
        sharing = list(visitors)
        now = self._clock()
        for visitor in sharing:
            part = seconds / len(sharing)
            self._used[visitor] = (self.used(visitor) + part, now)
            self._owed[visitor] = (self._owes(visitor) + part, now)
        for visitor in [visitor for visitor in self._used if self.used(visitor) < FORGOTTEN]:
            if self._owes(visitor) <= 0.0:
                del self._used[visitor], self._owed[visitor]

    def may_compute(self, visitors: Iterable[str], under_way: float = 0.0) -> bool:
        """Whether one of these visitors has computing time, besides seconds that they share and have not been put down.

        Parameters
        ----------
        visitors : iterable of str
        under_way : float
            Seconds of the work under way.
        """
        return self.quota.minutes is None or self.seconds_to_share(visitors, under_way) == 0.0

    def seconds_to_share(self, visitors: Iterable[str], under_way: float = 0.0) -> float:
        """Seconds until one of these visitors has computing time again; 0 where one has some now."""
        if self.quota.minutes is None:
            return 0.0
        most = self.quota.minutes * 60.0
        sharing = list(visitors)
        part = under_way / max(len(sharing), 1)
        over = min((self._owes(visitor) + part - most for visitor in sharing), default=0.0)
        return max(over, 0.0) / (most / HOUR)

    def _level(self, visitor: str) -> float:
        seconds, at = self._used.get(visitor, (0.0, 0.0))
        return math.log2(seconds) + at / HALF_LIFE if seconds else -math.inf

    def _owes(self, visitor: str) -> float:
        """Seconds used and not yet made up for: the minutes of an hour come back evenly over an hour."""
        if self.quota.minutes is None:
            return 0.0
        seconds, at = self._owed.get(visitor, (0.0, 0.0))
        return max(seconds - (self._clock() - at) * self.quota.minutes * 60.0 / HOUR, 0.0)
