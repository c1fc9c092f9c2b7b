"""What the Trade-off page knows of the best possible sets: the certified ones, and those of the methods beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.best_subset.excess import Excess, best_set, excesses
from core.analysis.best_subset.points import best_subset_points
from core.analysis.best_subset.refitted_sets import BY_HAND, RefittedSet
from core.analysis.best_subset.yardstick import CertifiedSubset, Yardstick, best_known, certified_rows
from core.analysis.tradeoff.references import DENSE
from core.analysis.tradeoff.tradeoff import TradeoffPoint
from core.experiments.results.difference import Difference
from pages.shared.choice.choice import Loaded
from pages.shared.differences import difference
from pages.shared.work.jobs import Job
from pages.shared.work.paths import complete, known_points
from pages.shared.work.yardstick import (
    Refits,
    YardstickProgress,
    refits_by_hand,
    refits_of_path,
    ridge_lam,
    ridge_model,
    why_not,
    yardstick_job,
    yardstick_panel,
)

REFERENCE = "l1"
"""The method that the best subset's ranking is compared with, where it is drawn; else the first one."""


@dataclass(frozen=True, eq=False)
class Certified:
    """The best possible sets so far.

    Attributes
    ----------
    ridge : TradeoffPoint
        The model of all features whose C is that of all refits.
    rows : sequence of CertifiedSubset
        Of all sizes, once each has been looked at; most are not proven then.
    sets : mapping
        Sets of the methods, refitted; those of complete paths.
    compared : sequence of Excess
    finished : bool
        Whether nothing more is to come by itself.
    """

    ridge: TradeoffPoint
    lam: float
    rows: Sequence[CertifiedSubset]
    sets: Mapping[str, Sequence[RefittedSet]]
    compared: Sequence[Excess]
    finished: bool
    job: Job[Yardstick] | None
    refits: Sequence[Refits]
    seen: YardstickProgress

    def panel(self) -> None:
        """Progress, Stop and Continue."""
        if self.job is not None:
            yardstick_panel(self.job, self.refits, self.seen)

    def row(self, limit: int) -> CertifiedSubset | None:
        """The largest size within a limit."""
        return next((row for row in reversed(self.rows) if row.k <= limit), None)

    def points(self, choice: Loaded) -> list[tuple[TradeoffPoint, bool]]:
        """The models as those of a trade-off, each with whether it is proven."""
        return best_subset_points(self.rows, self.ridge.c, self.ridge.ratio, choice.judge.usable_features)

    def beside(self, choice: Loaded, k: int, part: str, measure: str) -> Beside | None:
        """The ranking of the best set of at most k features beside that of a method's; None without either."""
        row = self.row(k)
        reference = REFERENCE if REFERENCE in self.sets else next(iter(self.sets), "")
        found = best_set(self.sets.get(reference, ()), k)
        if row is None or found is None:
            return None
        return Beside(row, found, difference(choice, row.weights, found.weights, part, measure))


@dataclass(frozen=True, eq=False)
class Beside:
    """The best set of at most k features beside a method's, with the same ridge; the difference is best − other."""

    row: CertifiedSubset
    other: RefittedSet
    difference: Difference


def certified(
    choice: Loaded, methods: Sequence[str], dense: Sequence[TradeoffPoint], *, every: bool
) -> Certified | None:
    """What is known; begins the search, and refits of the paths that are complete.

    None while the model of all features is not known, and where `why_not` says that there is nothing.

    Parameters
    ----------
    methods : sequence of str
        Whose paths the page draws.
    dense : sequence of TradeoffPoint
        The path of all features.
    every : bool
        Whether all methods and the selections by hand are compared, or only the one of reference.
    """
    if why_not(choice) or not complete(choice, [DENSE]):
        return None
    ridge = ridge_model(choice, dense)
    if ridge is None:
        return None
    lam = ridge_lam(choice, ridge)
    job = yardstick_job(choice, ridge, asked=every)
    wanted = methods if every else [REFERENCE if REFERENCE in methods else methods[0]]
    on_paths = [method for method in wanted if method not in BY_HAND and complete(choice, [method])]
    jobs: dict[str, Refits] = {
        method: refits_of_path(choice, lam, method, known_points(choice, method)) for method in on_paths
    }
    if every:
        jobs |= refits_by_hand(choice, lam)
    seen = YardstickProgress.of(job, list(jobs.values()))
    sets = {
        method: list(one.run.found) for method, one in jobs.items() if one.state == "finished" and one.run is not None
    }
    run = job.run if job is not None else None
    known = certified_rows(run) if run is not None and run.sketched else []
    rows = best_known(known, [found for own in sets.values() for found in own])
    finished = job is not None and not seen.active
    return Certified(ridge, lam, rows, sets, excesses(rows, sets), finished, job, list(jobs.values()), seen)
