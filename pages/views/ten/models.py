"""The models that a budget may choose from: paths of the methods that know rules, one method after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.evaluation import FloatArray
from core.analysis.path import PathPoint
from core.analysis.path_run import PathRun
from core.analysis.tradeoff.tradeoff import DENSE, TradeoffRow, budget, dense_reference, tradeoff_points
from core.content import Series
from core.figures.tradeoff.axes import Across
from core.methods import get_method
from core.methods.best_subset import BEST_SUBSET, RANKSVM_L0, K
from core.methods.training import RANKSVM_LOSS
from pages.shared.choice import menu
from pages.shared.choice.choice import Loaded
from pages.shared.work.board import job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, Reached, counted, make_latest
from pages.shared.work.paths import USUAL_POINTS, complete, known_points, path_job, path_key

_SEARCH = "ten_best_subset"
SHARE_AT_FIRST = 0.2  # of the methods, before the others begin


@dataclass(frozen=True)
class BudgetOptions:
    """What the reader has chosen."""

    step: str  # one of `STEPS`
    measure: str
    unit: str
    limit: float  # in that unit
    across: Across  # the axis of the picture, in that unit
    methods: tuple[str, ...]  # ids of those that compete


def offered() -> tuple[str, ...]:
    """Every method that takes rules for features; RankSVM's, which are quick, before the others.

    Not ℓ0: each of its models is the best subset of as many features as its price happens to leave. The search within
    the budget finds one at least as good by the objective at the same λ, and either may take minutes.
    """
    separable = [method_id for method_id in menu.IDS if get_method(method_id).separable and method_id != RANKSVM_L0.id]
    return tuple(sorted(separable, key=lambda method_id: get_method(method_id).loss is not RANKSVM_LOSS))


def quick() -> tuple[str, ...]:
    """Those with RankSVM's loss: their paths take seconds."""
    return tuple(method_id for method_id in offered() if get_method(method_id).loss is RANKSVM_LOSS)


def asked(choice: Loaded, method_id: str, wanted: BudgetOptions) -> Loaded:
    """The choice by which a method's path is fitted: the best subset is sought within the budget itself."""
    if method_id != BEST_SUBSET.id or not counts_alike(choice, wanted.unit):
        return choice
    return replace(choice, method_id=method_id, parameters=((K.name, float(wanted.limit)),))


def counts_alike(choice: Loaded, unit: str) -> bool:
    """Whether the best subset's budget is the page's: a number of features, none of which is free or dear."""
    return unit == "features" and not choice.rules.forced and float(np.ptp(choice.rules.every_cost)) == 0.0


@dataclass(frozen=True, eq=False)
class Search:
    """The search for the best subset, one for each C, as far as it is."""

    points: Sequence[PathPoint] = ()  # what the searches have found that have ended, with a proof or without
    total: int = 0  # how many searches there are to be


@dataclass(frozen=True, eq=False)
class Models:
    """Complete paths; of any other nothing is said, but what searches for the best subset have found."""

    points: Mapping[str, Series[PathPoint]]  # by method, those with a path of at least one model that keeps a feature
    curves: Mapping[str, Sequence[TradeoffRow]]  # the same as points of a trade-off
    dense: TradeoffRow | None  # the model of all features at the C that the choosing part picks by the measure
    complete: int  # how many methods have complete paths
    wanted: int  # and how many there are to be
    usable: NDArray[np.bool_]  # shape (n_features,); features that are not zero everywhere
    search: Search = Search()  # that for the best subset, complete or not

    @property
    def every(self) -> list[TradeoffRow]:
        """All models that a budget may choose."""
        return [point for curve in self.curves.values() for point in curve]

    def path_point(self, point: TradeoffRow) -> PathPoint:
        """The model itself."""
        return next(found for found in self.points[point.method] if found.fit.c == point.c)

    def certified(self, wanted: BudgetOptions, choice: Loaded) -> tuple[TradeoffRow, PathPoint] | None:
        """The best subset within the budget, at the C that the choosing part picks of those that have been searched.

        None where no search has ended, or none is for this budget.
        """
        if not counts_alike(choice, wanted.unit):
            return None
        found = tradeoff_points(self.search.points, self.usable)
        within = budget(found, wanted.limit, wanted.measure, wanted.across.of)
        if within is None:
            return None
        return within.chosen, next(one for one in self.search.points if one.fit.c == within.chosen.c)

    def weights(self, point: TradeoffRow) -> FloatArray:
        """Its weights, shape (n_features,)."""
        return self.path_point(point).fit.weights


def best_known(choice: Loaded, wanted: BudgetOptions, methods: Iterable[str]) -> tuple[TradeoffRow, FloatArray] | None:
    """The best model within the budget and its weights; None where a path is not complete. Starts nothing."""
    known: dict[str, Series[PathPoint]] = {}
    for method_id in methods:
        within = asked(choice, method_id, wanted)
        if not complete(within, [method_id]):
            return None
        known[method_id] = known_points(within, method_id)
    usable = choice.judge.usable_features
    every = [point for points in known.values() for point in tradeoff_points(points, usable)]
    best = budget(every, wanted.limit, wanted.measure, wanted.across.of)
    if best is None:
        return None
    found = next(point for point in known[best.chosen.method] if point.fit.c == best.chosen.c)
    return best.chosen, found.fit.weights


def models(choice: Loaded, wanted: BudgetOptions) -> Models:
    """What is complete so far, with a progress bar and Stop while there is more to come.

    A fifth of the methods comes first, with the model of all features. Each of the others begins when those before it
    are at rest, so that one worker is always free for other pages. What a search for the best subset has found is
    shown when it ends, before those at other C have ended.
    """
    methods = wanted.methods
    first = methods[: max(round(SHARE_AT_FIRST * len(methods)), 1)]
    jobs: dict[str, Job[PathRun]] = {}
    for method_id in (DENSE, *methods):
        begins = method_id in (DENSE, *first) or all(job.state in ("finished", "failed") for job in jobs.values())
        within = asked(choice, method_id, wanted)
        job = path_job(within, method_id) if begins else job_for(path_key(within, method_id))
        if job is None:
            break
        if method_id == BEST_SUBSET.id:
            make_latest(job, _SEARCH)  # nobody waits for the search within another budget
        jobs[method_id] = job
    search = _search(jobs)
    every, under_way = list(jobs.values()), [job for job in jobs.values() if job.active]
    resting = len(every) - len(under_way)
    if under_way or any(job.state in ("paused", "failed") for job in every):
        Panel(
            key="ten",
            what=f"{min(len(jobs) - 1, len(methods))} of {len(methods)} methods",
            reached=lambda: _reached(jobs),
            more_to_see=lambda: (
                sum(not job.active for job in every) > resting or len(_search(jobs).points) > len(search.points)
            ),
        ).draw(every, active=bool(under_way))
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
        usable=usable,
        search=search,
    )


def _search(jobs: Mapping[str, Job[PathRun]]) -> Search:
    job = jobs.get(BEST_SUBSET.id)
    return Search() if job is None or job.run is None else Search(job.run.points, job.run.total)


def _reached(jobs: Mapping[str, Job[PathRun]]) -> Reached | None:
    """How far the paths are; how long the proof of a search for the best subset takes is not known."""
    reached, job = counted(list(jobs.values()), "models", expected=USUAL_POINTS), jobs.get(BEST_SUBSET.id)
    if reached is None or job is None or not job.active:
        return reached
    if job.run is None:
        return Reached(reached.words, reached.share)
    most, at = BEST_SUBSET.stop.max_seconds, f"{job.run.count} of {job.run.total} C"
    return Reached(f"best subset searched for at {at}; each search takes at most {most:g} s", job.run.share)
