"""One comparison of an audit, and what could not be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Check:
    """An answer of this program beside an independent one.

    Attributes
    ----------
    what : str
        The quantity.
    ours, theirs : float
    by : str
        What has computed ``theirs``.
    allowed : float
        How far ``ours`` may be from ``theirs`` on the wrong side.
    relation : {"equal", "at most", "at least"}
        What ``ours`` has to be: a lower bound may lie below by any amount, a claimed residual above.
    """

    what: str
    ours: float
    theirs: float
    by: str
    allowed: float
    relation: Literal["equal", "at most", "at least"] = "equal"

    @property
    def agrees(self) -> bool:
        """Whether the two are as near as they have to be; a number that is not finite never is."""
        apart = self.ours - self.theirs
        wrong = {"equal": abs(apart), "at most": apart, "at least": -apart}[self.relation]
        return wrong <= self.allowed

    def record(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return {
            "what": self.what,
            "ours": self.ours,
            "theirs": self.theirs,
            "difference": self.ours - self.theirs,
            "allowed": self.allowed,
            "relation": self.relation,
            "by": self.by,
            "agrees": self.agrees,
        }


@dataclass(frozen=True)
class NotCompared:
    """A quantity for which there is no independent answer here, and why."""

    what: str
    why: str
