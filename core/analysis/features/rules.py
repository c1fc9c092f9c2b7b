"""Rules for features that a person sets: off, forced in, of one sign, and what each costs; as one value."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.analysis.features.what_if import penalty_factors, weighted
from core.data import DataError
from core.data.numbers import read_number, read_whole
from core.data.ranking_data import FloatArray
from core.methods import Method
from core.names.plain import from_spreadsheet, in_spreadsheet

T = TypeVar("T")
RULE_NAMES = ("off", "forced", "costs", "helps", "hurts")
"""Of the rules, as options of the command line."""


@dataclass(frozen=True)
class Rules:
    """Rules for the features of one dataset.

    Attributes
    ----------
    off, forced : tuple of int
        Columns (from 0), ascending: those that a model must do without, and those that pay no penalty. None is in both.
    costs : tuple of (int, float)
        Columns (from 0), ascending, with their costs where these are not 1.
    helps, hurts : tuple of int
        Columns (from 0), ascending: those whose weight may not be below 0, and those whose weight may not be above 0.
        None is in both.
    """

    n_features: int
    off: tuple[int, ...] = ()
    forced: tuple[int, ...] = ()
    costs: tuple[tuple[int, float], ...] = ()
    helps: tuple[int, ...] = ()
    hurts: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        n_features: int,
        *,
        off: Sequence[int] = (),
        forced: Sequence[int] = (),
        costs: FloatArray | None = None,
        helps: Sequence[int] = (),
        hurts: Sequence[int] = (),
    ) -> Rules:
        """Make rules from columns in any order and a cost a feature.

        What is off stays off though it be forced in, and what may only help stays so though it be said to hurt, too.
        """
        dear = () if costs is None else tuple((int(j), float(costs[j])) for j in np.flatnonzero(costs != 1.0))
        return cls(
            n_features,
            tuple(sorted(set(off))),
            tuple(sorted(set(forced) - set(off))),
            dear,
            tuple(sorted(set(helps))),
            tuple(sorted(set(hurts) - set(helps))),
        )

    @property
    def active(self) -> bool:
        """Whether they change any model."""
        return bool(self.off or self.forced or self.signed or self._costs_differ)

    @property
    def _costs_differ(self) -> bool:
        costs = dict(self.costs)
        different = {float(cost) for cost in costs.values()}
        return len(different | {1.0} if len(costs) < self.n_features else different) > 1

    @property
    def signed(self) -> bool:
        """Whether the weight of any feature has to have a sign."""
        return bool(self.helps or self.hurts)

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

    @property
    def signs(self) -> FloatArray:
        """The sign of each feature's weight, shape (n_features,): 1, -1, or 0 where it may be either."""
        signs = np.zeros(self.n_features)
        signs[list(self.helps)] = 1.0
        signs[list(self.hurts)] = -1.0
        return signs

    def applied(self, method: Method) -> Method:
        """Return the method under these rules; the same one where they change nothing, or it keeps every feature."""
        return weighted(method, self.factors, self.signs) if self.active and method.separable else method

    @property
    def words(self) -> str:
        """A few words, for example "3 switched off", or "2 off, 1 forced in, costs"; empty if nothing is changed."""
        dear = ["costs"] if np.ptp(self.every_cost) > 0.0 else []
        off = "off" if self.forced or self.signed or dear else "switched off"
        counted = (
            (self.off, off),
            (self.forced, "forced in"),
            (self.helps, "may only help"),
            (self.hurts, "may only hurt"),
        )
        return ", ".join([*(f"{len(columns)} {what}" for columns, what in counted if columns), *dear])

    def record(self) -> dict[str, object]:
        """Make the record that stands beside a fit; features count from 1."""
        return {
            "off": _numbers(self.off),
            "forced": _numbers(self.forced),
            "costs": {str(j + 1): cost for j, cost in self.costs},
            "helps": _numbers(self.helps),
            "hurts": _numbers(self.hurts),
        }

    def texts(self) -> dict[str, str]:
        """Write each of `RULE_NAMES` as `read_rules` reads it; features count from 1."""
        lists = {"off": self.off, "forced": self.forced, "helps": self.helps, "hurts": self.hurts}
        texts = {name: ",".join(map(str, _numbers(columns))) for name, columns in lists.items()}
        texts["costs"] = ",".join(f"{j + 1}:{cost!r}".removesuffix(".0") for j, cost in self.costs)
        return {name: texts[name] for name in RULE_NAMES}

    def renumbered(self, columns: Mapping[int, int], n_features: int) -> Rules:
        """Return the rules for other data, where the feature of column j has the column ``columns[j]``, if any."""

        def there(before: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(sorted(columns[j] for j in before if j in columns))

        costs = tuple(sorted((columns[j], cost) for j, cost in self.costs if j in columns))
        return Rules(n_features, there(self.off), there(self.forced), costs, there(self.helps), there(self.hurts))


def read_rules(texts: Mapping[str, str], n_features: int) -> tuple[Rules, str]:
    """Read rules from the texts of an address or a command.

    Parameters
    ----------
    texts : mapping of str to str
        By `RULE_NAMES`: "3,7", and for costs "3:2.5,9:50"; features count from 1. What is absent is empty.

    Returns
    -------
    rules : Rules
        What could be read.
    problem : str
        One sentence on what could not, or empty.
    """
    problems: list[str] = []
    dear = np.ones(n_features)
    for j, cost in _read(texts.get("costs", ""), lambda text: _cost(text, n_features), problems):
        dear[j] = cost
    if not dear.any():
        problems.append("costs of 0 for every feature")
        dear[:] = 1.0
    off, forced, helps, hurts = (
        list(_read(texts.get(name, ""), lambda one: _column(one, n_features), problems))
        for name in RULE_NAMES
        if name != "costs"
    )
    problems += [f"“{j + 1}” among both those that help and those that hurt" for j in sorted({*helps} & {*hurts})]
    rules = Rules.of(n_features, off=off, forced=forced, costs=dear, helps=helps, hurts=hurts)
    return rules, _sentence(problems, n_features)


def _numbers(columns: Sequence[int]) -> list[int]:
    return [j + 1 for j in columns]


def _sentence(problems: Sequence[str], n_features: int) -> str:
    if not problems:
        return ""
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    return (
        f"The rules for features name {problems[0]}{more}, which cannot be used: features have numbers from 1 to "
        f"{n_features}, each either helps or hurts, and costs are 0 or more. The other rules apply."
    )


def _read(text: str, read: Callable[[str], T], problems: list[str]) -> Iterator[T]:
    """What can be read of a list with commas; the rest goes to the problems."""
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            yield read(part)
        except ValueError:
            problems.append(f"“{part[:40]}”")


def _column(text: str, n_features: int) -> int:
    number = read_whole(text)
    if not 1 <= number <= n_features:
        raise ValueError(text)
    return number - 1


def _cost(text: str, n_features: int) -> tuple[int, float]:
    number, _, written = text.partition(":")
    cost = read_number(written)
    if not np.isfinite(cost) or cost < 0.0:
        raise ValueError(text)
    return _column(number, n_features), cost


def read_costs(text: str, feature_names: Sequence[str]) -> FloatArray:
    """Read costs from CSV lines ``feature name,cost``; a feature that is not named costs 1.

    A first line that ends in ``cost`` is a header.

    Raises a `DataError` if a feature is unknown or repeated, or a cost is not a number of 0 or more; the error names
    the line.

    Returns
    -------
    ndarray, shape (n_features,)
    """
    columns = {name: j for j, name in enumerate(feature_names)}
    costs = np.ones(len(feature_names))
    unseen = set(columns)
    for number, row in enumerate(csv.reader(io.StringIO(text.removeprefix("\ufeff"))), 1):
        if not row or (number == 1 and row[-1].strip().lower() == "cost"):
            continue
        name, cost = row[0].strip(), _cost_of(row)
        if name not in columns:
            name = from_spreadsheet(row[0]).strip()
        if name not in columns:
            msg = f"there is no feature named {name!r}"
            raise DataError(msg, line=number)
        if name not in unseen:
            msg = f"the feature {name!r} is listed twice"
            raise DataError(msg, line=number)
        if cost is None:
            msg = f"the feature {name!r} needs one cost after its name, a number of 0 or more"
            raise DataError(msg, line=number)
        unseen.remove(name)
        costs[columns[name]] = cost
    return costs


def write_costs(costs: FloatArray, feature_names: Sequence[str]) -> str:
    """Write the CSV text that `read_costs` reads."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["feature", "cost"])
    writer.writerows((in_spreadsheet(name), f"{cost:g}") for name, cost in zip(feature_names, costs, strict=True))
    return text.getvalue()


def _cost_of(row: Sequence[str]) -> float | None:
    """Return the second of exactly two cells as a cost; None if it is none."""
    try:
        value = float(row[1]) if len(row) == 2 else np.nan
    except ValueError:
        return None
    return value if np.isfinite(value) and value >= 0.0 else None
