"""The models that a budget may choose from: paths of the methods that know rules, one method after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.evaluation import FloatArray
from core.analysis.path import PathPoint
from core.analysis.path_run import PathRun
from core.analysis.tradeoff.references import DENSE, dense_reference
from core.analysis.tradeoff.tradeoff import TradeoffPoint, tradeoff_points
from core.methods import METHODS, get_method
from core.methods.training import RANKSVM_LOSS
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import IDS
from pages.shared.work.board import board, session_id
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, draw_panel
from pages.shared.work.paths import USUAL_POINTS, path_job, path_key

TITLES = {method.id: method.title for method in METHODS}
SHARE_AT_FIRST = 0.2  # of the methods, before the others begin


def offered() -> tuple[str, ...]:
    """Every method that takes rules for features; RankSVM's, which are quick, before the others."""
    separable = [method_id for method_id in IDS if get_method(method_id).separable]
    return tuple(sorted(separable, key=lambda method_id: get_method(method_id).loss is not RANKSVM_LOSS))


def quick() -> tuple[str, ...]:
    """Those with RankSVM's loss: their paths take seconds."""
    return tuple(method_id for method_id in offered() if get_method(method_id).loss is RANKSVM_LOSS)


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

    def weights(self, point: TradeoffPoint) -> FloatArray:
        """Its weights, shape (n_features,)."""
        return self.path_point(point).fit.weights


def models(choice: Loaded, wanted: Sequence[str], measure: str) -> Models:
    """What is complete so far, with a progress bar and Stop while there is more to come.

    A fifth of the methods comes first, with the model of all features. Each of the others begins when those before it
    are at rest, so that one worker is always free for other pages.
    """
    first = wanted[: max(round(SHARE_AT_FIRST * len(wanted)), 1)]
    jobs: dict[str, Job[PathRun]] = {}
    for method_id in (DENSE, *wanted):
        begins = method_id in (DENSE, *first) or all(job.state in ("finished", "failed") for job in jobs.values())
        job = path_job(choice, method_id) if begins else board().find(path_key(choice, method_id), session_id())
        if job is None:
            break
        jobs[method_id] = job
    _progress(jobs, len(wanted))
    points = {
        method_id: job.run.points for method_id, job in jobs.items() if job.state == "finished" and job.run is not None
    }
    usable = choice.judge.usable_features
    curves = {method_id: tradeoff_points(found, usable) for method_id, found in points.items()}
    dense = dense_reference(curves.pop(DENSE, ()), measure)
    return Models(
        points=points,
        curves={method_id: curve for method_id, curve in curves.items() if curve},
        dense=dense,
        complete=len(curves),
        wanted=len(wanted),
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
