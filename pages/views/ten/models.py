"""The models that a budget may choose from: paths of the methods that know rules, one method after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.evaluation import FloatArray
from core.analysis.path import PathPoint
from core.analysis.path_run import PathRun
from core.analysis.tradeoff.references import DENSE, dense_reference
from core.analysis.tradeoff.tradeoff import TradeoffPoint, budget, tradeoff_points
from core.methods import METHODS, get_method
from core.methods.best_subset import BEST_SUBSET, K
from core.methods.l0 import RANKSVM_L0
from core.methods.training import RANKSVM_LOSS
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import IDS
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.latest import make_latest
from pages.shared.work.panel import Panel, counted, draw_panel
from pages.shared.work.paths import USUAL_POINTS, path_job, path_key
from pages.views.ten.wanted import Wanted

TITLES = {method.id: method.title for method in METHODS}
_SEARCH = "ten_best_subset"
SHARE_AT_FIRST = 0.2  # of the methods, before the others begin


def offered() -> tuple[str, ...]:
    """Every method that takes rules for features; RankSVM's, which are quick, before the others."""
    separable = [method_id for method_id in IDS if get_method(method_id).separable and method_id != RANKSVM_L0.id]
    return tuple(sorted(separable, key=lambda method_id: get_method(method_id).loss is not RANKSVM_LOSS))


def quick() -> tuple[str, ...]:
    """Those with RankSVM's loss: their paths take seconds."""
    return tuple(method_id for method_id in offered() if get_method(method_id).loss is RANKSVM_LOSS)


def asked(choice: Loaded, method_id: str, wanted: Wanted) -> Loaded:
    """The choice by which a method's path is fitted: the best subset is sought within the budget itself."""
    if method_id != BEST_SUBSET.id or not counts_alike(choice, wanted.unit):
        return choice
    return replace(choice, method_id=method_id, parameters=((K.name, float(wanted.limit)),))


def counts_alike(choice: Loaded, unit: str) -> bool:
    """Whether the best subset's budget is the page's: a number of features, none of which is free or dear."""
    return unit == "features" and not choice.rules.forced and float(np.ptp(choice.rules.every_cost)) == 0.0


@dataclass(frozen=True, eq=False)
class Models:
    """Complete paths; nothing is said of any other.

    Attributes
    ----------
    points : mapping
        By method, those with a path of at least one model that keeps a feature.
    curves : mapping
        The same as points of a trade-off.
    dense : TradeoffPoint or None
        The model of all features at the C that the choosing part picks by the measure.
    complete, wanted : int
        How many methods have complete paths, and how many there are to be.
    """

    points: Mapping[str, Sequence[PathPoint]]
    curves: Mapping[str, Sequence[TradeoffPoint]]
    dense: TradeoffPoint | None
    complete: int
    wanted: int

    @property
    def every(self) -> list[TradeoffPoint]:
        """All models that a budget may choose."""
        return [point for curve in self.curves.values() for point in curve]

    def path_point(self, point: TradeoffPoint) -> PathPoint:
        """The model itself."""
        return next(found for found in self.points[point.method] if found.fit.c == point.c)

    def certified_point(self, wanted: Wanted, choice: Loaded) -> TradeoffPoint | None:
        """The best subset within the budget, at the C that the choosing part picks; None where it is not known."""
        if not counts_alike(choice, wanted.unit):
            return None
        found = budget(self.curves.get(BEST_SUBSET.id, ()), wanted.limit, wanted.measure, wanted.across.of)
        return None if found is None else found.chosen

    def certified(self, wanted: Wanted, choice: Loaded) -> PathPoint | None:
        """The same model with its certificate."""
        point = self.certified_point(wanted, choice)
        return None if point is None else self.path_point(point)

    def weights(self, point: TradeoffPoint) -> FloatArray:
        """Its weights, shape (n_features,)."""
        return self.path_point(point).fit.weights


def models(choice: Loaded, wanted: Wanted) -> Models:
    """What is complete so far, with a progress bar and Stop while there is more to come.

    A fifth of the methods comes first, with the model of all features. Each of the others begins when those before it
    are at rest, so that one worker is always free for other pages.
    """
    methods = wanted.methods
    first = methods[: max(round(SHARE_AT_FIRST * len(methods)), 1)]
    jobs: dict[str, Job[PathRun]] = {}
    for method_id in (DENSE, *methods):
        begins = method_id in (DENSE, *first) or all(job.state in ("finished", "failed") for job in jobs.values())
        within = asked(choice, method_id, wanted)
        job = path_job(within, method_id) if begins else board().find(path_key(within, method_id), session_id())
        if job is None:
            break
        if method_id == BEST_SUBSET.id:
            make_latest(job, _SEARCH)  # nobody waits for the search within another budget
        jobs[method_id] = job
    _progress(jobs, len(methods))
    points = {
        method_id: job.run.points for method_id, job in jobs.items() if job.state == "finished" and job.run is not None
    }
    usable = choice.judge.usable_features
    curves = {method_id: tradeoff_points(found, usable) for method_id, found in points.items()}
    dense = dense_reference(curves.pop(DENSE, ()), wanted.measure)
    return Models(
        points=points,
        curves={method_id: curve for method_id, curve in curves.items() if curve},
        dense=dense,
        complete=len(curves),
        wanted=len(methods),
    )


def _progress(jobs: Mapping[str, Job[PathRun]], wanted: int) -> None:
    every = list(jobs.values())
    under_way = [job for job in every if job.active]
    if not under_way and not any(job.state in ("paused", "failed") for job in every):
        return
    resting = len(every) - len(under_way)
    panel = Panel(
        key="ten",
        what=f"{min(len(jobs) - 1, wanted)} of {wanted} methods",
        reached=lambda: counted(every, "models", expected=USUAL_POINTS),
        more_to_see=lambda: sum(not job.active for job in every) > resting,
    )
    draw_panel(panel, every, active=bool(under_way))
