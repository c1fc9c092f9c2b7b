"""Regularization paths for pages: worked out beside them once, shared by all of them, with progress and Stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import streamlit as st

from core.analysis import stored_paths
from core.analysis.evaluation import FoldJudge
from core.analysis.fitting import Fitting
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, can_follow, fitted_frame, frames_of, refined
from core.analysis.path_run import FinerPath, PathRun
from core.analysis.stored_paths import KeptPaths, ShippedPath
from core.analysis.tuning.tuning import told_by_validation
from core.content import Series
from core.data.sample import SampledFold
from core.methods import Training, get_method
from pages.shared import panels
from pages.shared.cache import cached
from pages.shared.choice import access
from pages.shared.choice.choice import Choice, Loaded
from pages.shared.choice.menu import menu_title, parameter_key
from pages.shared.server.visits import session_id
from pages.shared.work.board import ask_for, board, job_for
from pages.shared.work.jobs import Job
from pages.shared.work.panel import Panel, counted, draw_live

USUAL_POINTS = 50  # models of a path
ROUNDING = 1e-12
"""By which a lambda may have changed on its way through C and its text."""
SOONEST = 1.0
"""Seconds until the page looks for finer frames, at least."""
_COMING = "finer_frames"


def settings_of(choice: Choice, method_id: str) -> dict[str, float]:
    """A method's parameters: the choice's own, defaults for other methods; but what belongs to a loss is shared."""
    if method_id == choice.method_id:
        return dict(choice.parameters)
    method = get_method(method_id)
    shared = {parameter_key(method_id, name): name for name in method.loss.parameters}
    return method.settings({name: st.session_state[key] for key, name in shared.items() if key in st.session_state})


def given_to(choice: Choice, method_id: str) -> dict[str, float]:
    """Those of `settings_of` that the validation part is not to choose: all but the ones left at their defaults."""
    method = get_method(method_id)
    tried = {parameter.name: parameter.default for parameter in method.parameters if parameter.tried}
    return {name: value for name, value in settings_of(choice, method_id).items() if tried.get(name) != value}


def path_key(choice: Loaded, method_id: str) -> str:
    """Equal for equal paths in every session, whatever C and solver are chosen: paths use the default solver.

    It names the data by its content. Rules for features hold for every method that knows them.
    """
    key = stored_paths.path_key(
        choice.fold,
        choice.convention,
        get_method(method_id),
        settings_of(choice, method_id),
        points=len(get_method(method_id).ratios),
        rules=choice.rules_for(method_id),
    )
    # Its C counts the pairs of the whole data.
    return f"{key} of {choice.fold.of}" if isinstance(choice.fold, SampledFold) else key


def path_job(choice: Loaded, method_id: str) -> Job[PathRun]:
    """The job that works out a path, put in line if there is none yet; finished where the path was shipped or kept."""
    known = known_job(choice, method_id)
    if known is not None and known.state == "finished":
        return known
    key = path_key(choice, method_id)
    keep = partial(_keep, "" if choice.source.upload else key)
    return ask_for(key, partial(PathRun.of, _fitting(choice, method_id)), keep=keep)


def known_job(choice: Loaded, method_id: str) -> Job[PathRun] | None:
    """The job of a path that somebody has asked for, or that was shipped or kept; None else. Starts nothing."""
    key = path_key(choice, method_id)
    known: Job[PathRun] | None = job_for(key)
    if known is not None and not known.aside:
        return known
    if known is None and (points := _known(key, choice, method_id)):
        return board().keep(key, session_id(), _finished(points))
    return known


def _known(key: str, choice: Loaded, method_id: str) -> list[PathPoint] | None:
    """A path that came with the program, or that this or an earlier server has finished."""
    shipped = _shipped_path(choice, method_id)
    if shipped is not None:
        return shipped.points
    return None if choice.source.upload else KeptPaths().get(key, choice.fold.train.feature_names)


def _keep(key: str, run: PathRun) -> None:
    """Keep a path on the disk; of an upload nothing is, which has no key."""
    if key and run.points:
        KeptPaths().put(key, run.points)


def _shipped_path(choice: Loaded, method_id: str) -> ShippedPath | None:
    if choice.rules_for(method_id) is not None:
        return None
    return access.shipped(choice.fold, choice.convention, method_id, settings_of(choice, method_id))


def shipped_fit(choice: Loaded) -> PathPoint | None:
    """The model of a choice, fitted from zero, where it came with the program."""
    shipped = _shipped_path(choice, choice.method_id)
    usual = choice.solver_id == choice.method.solver().id
    return shipped.first if shipped is not None and usual and is_model_of(shipped.first, choice) else None


def _finished(points: Sequence[PathPoint]) -> PathRun:
    run = PathRun(iter(points), len(points))
    while not run.done:
        run.advance()
    return run


def _fitting(choice: Loaded, method_id: str) -> Fitting:
    method, settings = choice.method_under_rules(method_id), settings_of(choice, method_id)
    training = access.training_of(choice, method_id, tuple(settings.items()))
    return Fitting(method, training, choice.judge, settings, None, method.stop)


def known_points(choice: Loaded, method_id: str) -> Series[PathPoint]:
    """The points of a path so far, largest lambda first; empty where it has not begun. Starts nothing."""
    job: Job[PathRun] | None = job_for(path_key(choice, method_id))
    return job.run.points if job is not None and job.run is not None else Series()


def nearest_known(choice: Loaded) -> PathPoint | None:
    """The model of its path at the lambda of a choice or, if it has none, at the next larger one; starts nothing."""
    least = choice.lam * (1.0 - ROUNDING)
    points = [point for point in known_points(choice, choice.method_id) if point.fit.lam >= least]
    return points[-1] if points else None


def is_model_of(point: PathPoint, choice: Choice) -> bool:
    """Whether a point of its path is the model of a choice: at the same lambda, and as accurate."""
    same = math.isclose(point.fit.lam, choice.lam, rel_tol=ROUNDING)
    return same and choice.tol == get_method(choice.method_id).stop.tol


def complete(choice: Loaded, method_ids: Iterable[str]) -> bool:
    """Whether the paths of these methods have been worked out to their ends. Starts nothing."""
    jobs = [job_for(path_key(choice, method_id)) for method_id in method_ids]
    return all(job is not None and job.state == "finished" for job in jobs)


def is_whole(choice: Loaded, method_id: str, points: Sequence[PathPoint]) -> bool:
    """Whether these are all models of a path: it may have come to its end since they were looked up."""
    return complete(choice, [method_id]) and 0 < len(points) == len(known_points(choice, method_id))


def paths(
    choice: Loaded, method_ids: Sequence[str], more_to_see: Callable[[], bool] = lambda: False
) -> Mapping[str, Series[PathPoint]]:
    """Complete paths of several methods, or what there is of them while a progress bar with Stop stands on the page.

    A method whose empty model is optimal at every lambda has no points; the page then says why.
    Call it from a page's script, not from a fragment: the page is drawn again when the last path is complete, and
    before that when ``more_to_see`` says so.
    """
    jobs = {method_id: path_job(choice, method_id) for method_id in method_ids}
    for method_id, job in jobs.items():
        if job.run is not None and job.run.empty is not None:
            panels.empty_answer(job.run.empty, method_id, get_method(method_id).title)
    every = list(jobs.values())
    active = any(job.active for job in every)
    if active or any(job.state in ("paused", "failed") for job in every):
        Panel(
            key="paths",
            what="Computing paths",
            ready=f"Path of {', '.join(menu_title(method_id) for method_id in method_ids)}",
            reached=lambda: counted(every, "models", expected=USUAL_POINTS),
            more_to_see=more_to_see,
        ).draw(every, active=active)
    return {method_id: job.run.points if job.run is not None else Series() for method_id, job in jobs.items()}


@cached()
def told_best(points: Series[PathPoint], measure: str) -> PathPoint | None:
    """`told_by_validation` of a complete path, looked for once a server."""
    return told_by_validation(points, measure)


def path_frames(choice: Loaded, points: Sequence[PathPoint]) -> Series[Frame]:
    """The frames of a complete path of the chosen data, worked out once a server.

    Of l1 none has a relative gap above 1e-3. The chosen method's, where nothing can be said between its models, become
    more while one looks (`filled`); those of methods beside it stay as they are.
    """
    fit = points[0].fit
    if choice.rules_for(fit.method) is not None:
        return Series(map(fitted_frame, points))  # the bound between two models is of one penalty for all
    shipped = _shipped_path(choice, fit.method)
    if shipped is not None and can_follow(fit):
        return shipped.frames
    training = access.training_of(choice, fit.method, tuple(fit.parameters.items()))
    if fit.method == choice.method_id:
        points = filled(path_key(choice, fit.method), points, training, choice.judge)
    return _frames(points, training, choice.judge)


@cached()
def _frames(points: Sequence[PathPoint], training: Training, judge: FoldJudge) -> Series[Frame]:
    return Series(frames_of(refined(points, training, judge), judge))


def begin_run() -> None:
    """A page is drawn anew: whether it has a picture that becomes finer is yet to be seen."""
    st.session_state.pop(_COMING, None)


def filled(key: str, points: Sequence[PathPoint], training: Training, judge: FoldJudge) -> Sequence[PathPoint]:
    """A complete path with the models that have been filled in so far; starts filling it if it has not been started.

    A path whose models can be interpolated is given back as it is.

    Parameters
    ----------
    key : str
        The same for the same path.
    points : sequence of PathPoint
        Falling in lambda, at least one.
    training : Training
        That they were fitted on.
    judge : FoldJudge
    """
    if all(can_follow(point.fit) for point in points):
        return points
    job = ask_for(f"finer-{key}", partial(FinerPath, points, training, judge), patient=True)
    whole = points if job.run is None else job.run.whole
    st.session_state[_COMING] = job, len(whole)
    return whole


def watch_finer() -> None:
    """Draw the page again, once there are finer frames than those that this run of the page shows; at its end."""
    coming: tuple[Job[FinerPath], int] | None = st.session_state.get(_COMING)
    if coming is None or not coming[0].active:
        return
    job, shown = coming
    seconds = job.run.seconds_to_finer if job.run is not None else None
    draw_live(
        lambda: None,
        [job],
        active=True,
        tick=round(max(seconds or 0.0, SOONEST), 1),
        more_to_see=lambda: job.run is not None and len(job.run.whole) > shown,
    )
