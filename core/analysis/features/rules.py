"""Rules for features that a person sets: which are off, which are forced in, and what each costs; as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.analysis.features.what_if import penalty_factors, weighted
from core.methods import Method

FloatArray = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True)
class Rules:
    """Rules for the features of one dataset.

    Attributes
    ----------
    n_features : int
    off, forced : tuple of int
        Columns (from 0), ascending: those that a model must do without, and those that pay no penalty. None is in both.
    costs : tuple of (int, float)
        Columns (from 0), ascending, with their costs where these are not 1.
    """

    n_features: int
    off: tuple[int, ...] = ()
    forced: tuple[int, ...] = ()
    costs: tuple[tuple[int, float], ...] = ()

    @classmethod
    def of(
        cls, n_features: int, *, off: Sequence[int] = (), forced: Sequence[int] = (), costs: FloatArray | None = None
    ) -> Rules:
        """Make rules from columns in any order and a cost a feature; what is off stays off though it be forced in."""
        dear = () if costs is None else tuple((int(j), float(costs[j])) for j in np.flatnonzero(costs != 1.0))
        return cls(n_features, tuple(sorted(set(off))), tuple(sorted(set(forced) - set(off))), dear)

    @property
    def active(self) -> bool:
        """Whether they change any model."""
        return bool(self.off or self.forced or np.ptp(self.every_cost) > 0.0)

    @property
    def every_cost(self) -> FloatArray:
        """The cost of each feature, shape (n_features,)."""
        costs = np.ones(self.n_features)
        for j, cost in self.costs:
            costs[j] = cost
        return costs

    @property
    def factors(self) -> FloatArray:
        """The penalty factor of each feature, shape (n_features,); see `penalty_factors`."""
        return penalty_factors(self.n_features, costs=self.every_cost, off=self.off, forced=self.forced)

    def applied(self, method: Method) -> Method:
        """Return the method under these rules; the same one where they change nothing, or it keeps every feature."""
        return weighted(method, self.factors) if self.active and method.separable else method

    @property
    def words(self) -> str:
        """A few words, for example "3 switched off", or "2 off, 1 forced in, costs"; empty if nothing is changed."""
        dear = ["costs"] if np.ptp(self.every_cost) > 0.0 else []
        off = "off" if self.forced or dear else "switched off"
        counted = ((self.off, off), (self.forced, "forced in"))
        return ", ".join([*(f"{len(columns)} {what}" for columns, what in counted if columns), *dear])

    def record(self) -> dict[str, object]:
        """Make the record that stands beside a fit; features count from 1."""
        return {
            "off": [j + 1 for j in self.off],
            "forced": [j + 1 for j in self.forced],
            "costs": {str(j + 1): cost for j, cost in self.costs},
        }

    def texts(self) -> tuple[str, str, str]:
        """Write what is off, forced in and dear as `read_rules` reads it; features count from 1."""
        costs = ",".join(f"{j + 1}:{cost!r}".removesuffix(".0") for j, cost in self.costs)
        return ",".join(str(j + 1) for j in self.off), ",".join(str(j + 1) for j in self.forced), costs


def read_rules(off: str, forced: str, costs: str, n_features: int) -> tuple[Rules, str]:
    """Read rules from the texts of an address or a command: "3,7", "2" and "3:2.5,9:50"; features count from 1.

    Returns
    -------
    rules : Rules
        What could be read.
    problem : str
        One sentence on what could not, or empty.
    """
    problems: list[str] = []
    dear = np.ones(n_features)
    for j, cost in _read(costs, lambda text: _cost(text, n_features), problems):
        dear[j] = cost
    if not dear.any():
        problems.append("costs of 0 for every feature")
        dear[:] = 1.0
    columns = [_read(text, lambda one: _column(one, n_features), problems) for text in (off, forced)]
    rules = Rules.of(n_features, off=list(columns[0]), forced=list(columns[1]), costs=dear)
    return rules, _sentence(problems, n_features)


def _sentence(problems: Sequence[str], n_features: int) -> str:
    if not problems:
        return ""
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    return (
        f"The rules for features name {problems[0]}{more}, which cannot be used: features have numbers from 1 to "
        f"{n_features}, and costs are 0 or more. The other rules hold."
    )


def _read(text: str, read: Callable[[str], T], problems: list[str]) -> Iterator[T]:
    """What can be read of a list with commas; the rest goes to the problems."""
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            yield read(part)
        except ValueError:
            problems.append(f"“{part[:40]}”")


def _column(text: str, n_features: int) -> int:
    number = int(text)
    if not 1 <= number <= n_features:
        raise ValueError(text)
    return number - 1


def _cost(text: str, n_features: int) -> tuple[int, float]:
    number, _, written = text.partition(":")
    cost = float(written)
    if not np.isfinite(cost) or cost < 0.0:
        raise ValueError(text)
    return _column(number, n_features), cost
