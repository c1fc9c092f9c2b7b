"""The four views of the Lab: each draws its picture, says what is seen, and moves with the handle."""

from __future__ import annotations

import html
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.content import Series, content_key
from core.figures.fit.convergence import Curve
from core.figures.lab.lab_drag import LabDrags
from core.figures.lab.pictures import BEST, ROWS, LabPictures, convergence_words
from core.methods import Fit, MethodRun
from core.metrics.measures import MeasureName
from core.solvers import FitResult, TracePoint
from pages.shared import following, frame, headline
from pages.shared.choice import access
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.choice.use_model import use_model
from pages.shared.differences import best_single, difference
from pages.shared.following import model_words, take_clicked, take_released
from pages.shared.hidden import presenting
from pages.shared.live_chart import clicked, live_chart
from pages.shared.wording import features, fit_ended
from pages.shared.work.board import ask_for, board, job_for
from pages.shared.work.first_look import whole_where, zoom_key
from pages.shared.work.jobs import Job, wait_a_moment
from pages.shared.work.panel import continue_button, draw_live, make_latest, stop_button
from pages.shared.work.paths import settings_of
from pages.shared.work.status import WAITS

ANSWER = "lab-answer"
# One line a view: what is seen on the left, buttons on the right.
_STYLE = """<style>
.st-key-picture [class*=st-key-lab_view_] { gap: 0; flex-wrap: nowrap; }
.st-key-picture [class*=st-key-lab_view_] > :first-child { min-width: 0; flex: 1 1 0; }
.st-key-picture [class*=st-key-lab_view_] > :not(:first-child) { flex: none; width: auto; }
.st-key-picture [class*=st-key-lab_view_] button { min-height: 0; padding: 0 .5rem; line-height: 1.5rem; }
.lab-answer { font-size: .8rem; margin: -.2rem 0 0; opacity: .85; min-height: 1.2rem; }
.lab-title { font-size: .88rem; line-height: 1.6rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
@media (max-width: 640px) { .lab-title { white-space: normal; line-height: 1.35; } }
</style>"""


@dataclass(frozen=True, eq=False)
class LabView:
    """What the four views have in common."""

    choice: Loaded
    points: Series[PathPoint]  # the path of the chosen method, as far as it is known; at least one
    now: PathPoint  # the model at the chosen C, or the nearest one of the path where it has not been fitted
    best: PathPoint | None  # best on the validation part
    part: str  # on which models are judged, by the measure
    measure: MeasureName
    drags: LabDrags
    beside: Series[PathPoint]  # the path of another method; empty where none is shown

    def words(self, shown: Frame) -> str:
        """What a model keeps and reaches, and on which data: the title of the page."""
        return model_words(self.choice, shown, self.part, self.measure, where=self.choice.where)

    def answer(self, shown: Frame) -> str:
        """What has chosen C, and the best single feature; a fitted model's difference to it, with its interval."""
        single = best_single(self.choice, self.measure)
        alone = f"best single feature, chosen on training: {single.values[self.part]:.4f}"
        weights = np.zeros_like(shown.weights)
        weights[single.index - 1] = -1.0 if single.reverse else 1.0
        if np.array_equal(np.sign(shown.weights), weights):
            alone = "the same ranking as that of the best single feature, chosen on training"
        elif shown is fitted_frame(self.now) and not board().fits.preparing:
            found = difference(self.choice, shown.weights, weights, self.part, self.measure)
            alone = f"{alone} ({found.words})"
        chosen = ""
        if self.best is not None:
            chosen = f"C as set (validation chooses {features(self.best.fit.result.nonzero)})"
            chosen = "C chosen on validation" if self.is_best(shown.c) else chosen
        return " · ".join(filter(None, [chosen, alone]))

    def is_best(self, c: float) -> bool:
        """Whether validation picks this C; lambda in between may have changed its last digit."""
        return self.best is not None and math.isclose(c, self.best.fit.c, rel_tol=1e-9)

    @cached_property
    def pictures(self) -> LabPictures:
        """What the views draw."""
        methods = [points[0].fit.method for points in (self.points, self.beside) if points]
        return LabPictures(
            self.drags,
            self.points,
            {method_id: menu_title(method_id) for method_id in methods},
            self.choice.ratio,
            self.choice.judge.usable_features,
            self.choice.convention,
            self.best,
            self.beside,
        )

    @cached_property
    def identity(self) -> bytes:
        """The digest of all that the views are drawn from, but for what only one of them shows."""
        other = self.drags.other
        frames = (self.drags.hand.frames, None if other is None else other.frames)
        best = None if self.best is None else self.best.fit
        return content_key(self.choice.key, self.choice.where, self.now.fit, best, self.points, self.beside, *frames)


def four_views(view: LabView, scores: Sequence[SingleFeatureScore] | None) -> None:
    """Draw the four views in two rows."""
    st.html(_STYLE)
    most = BEST if presenting() else ROWS  # large letters need room
    rows = [] if scores is None else view.pictures.rows(scores, most)
    tell = view.pictures.readings(rows)
    texts = tell(fitted_frame(view.now))
    upper, lower = st.columns(2, gap="small"), st.columns(2, gap="small")
    with upper[0]:
        _path(view, rows, tell, texts)
    with upper[1]:
        _tradeoff(view, texts)
    with lower[0]:
        _features(view, scores, rows, texts)
    with lower[1]:
        _convergence(view)


def _title(name: str, words: str, buttons: Callable[[], None] = lambda: None) -> None:
    """What is seen in a view, in one line of HTML, and ``buttons`` in the same line."""
    with st.container(key=f"lab_view_{name}", horizontal=True, vertical_alignment="center"):
        view = "Trade-off" if name == "tradeoff" else name.capitalize()
        st.html(f'<div class="lab-title"><b>{view}</b>: {words}</div>', width="stretch")
        buttons()


def _chart(view: LabView, name: str, figure: Callable[[], go.Figure], **how: Any) -> None:
    """Draw the picture of a view; ``how`` as for `live_chart`."""
    live_chart(figure, f"lab_{name}", alt=view.pictures.alts[name], rows=2, **how)


def _path(
    view: LabView, rows: Sequence[int], tell: Callable[[Frame], dict[str, str]], texts: Mapping[str, str]
) -> None:
    choice, drawn = view.choice, view.pictures
    _title("path", drawn.path_words(texts))

    def readings(shown: Frame) -> dict[str, str]:
        return following.readings(choice, shown, view.words(shown)) | tell(shown) | {ANSWER: view.answer(shown)}

    _chart(
        view,
        "path",
        lambda: drawn.path(revision=_zoom(view)),
        of=(view.identity, tuple(rows)),
        on_click=lambda: take_clicked("lab_path"),
        drag=replace(view.drags, hand=replace(view.drags.hand, readings=readings)).in_path,
        on_release=lambda: take_released("lab_path"),
    )


def _zoom(view: LabView) -> str:
    return f"{zoom_key(view.choice, view.choice.method_id)} {len(view.points)}"


def _tradeoff(view: LabView, texts: Mapping[str, str]) -> None:
    drawn = view.pictures
    _title("tradeoff", drawn.tradeoff_words(texts))
    pins = [run for run in headline.pins() if run.is_of(view.choice) and view.part in run.point.metrics]
    pinned = pins[-1] if pins else None
    zoom = f"{whole_where(view.choice)} {view.measure} {list(drawn.titles)}"
    _chart(
        view,
        "tradeoff",
        lambda: drawn.tradeoff(None if pinned is None else pinned.point, revision=zoom),
        of=(view.identity, tuple(drawn.titles), pinned),
        on_click=_take_model,
        drag=lambda: view.drags.in_tradeoff(drawn.curves),
    )


def _take_model() -> None:
    """A point of the trade-off gives method and C, with the parameters that its path was worked out with."""
    point, choice = clicked("lab_tradeoff"), frame.last_choice()
    if point and choice is not None:
        method_id, c = point[:2]
        use_model(c=float(c), method_id=method_id, parameters=settings_of(choice, method_id))


def _features(
    view: LabView, scores: Sequence[SingleFeatureScore] | None, rows: Sequence[int], texts: Mapping[str, str]
) -> None:
    if scores is None:
        _title("features", "each alone is being measured")
        return
    drawn = view.pictures
    _title("features", drawn.features_words(texts))
    _chart(
        view,
        "features",
        lambda: drawn.features(scores, rows, revision=f"{_zoom(view)} {view.measure}"),
        of=(view.identity, *scores),
        drag=lambda: view.drags.in_features(scores, rows),
    )


_WATCHED = "lab_watched"
_JOB = "lab_job"
TICK = 0.2  # seconds between pictures
PACE = 0.12  # seconds between steps, so that one can follow them
WATCHED_SECONDS = 1.5  # of a fit at that pace; then it goes on at full speed
FIRST_STEP_SECONDS = 0.4  # that the page waits for it, to begin with a picture


def _convergence(view: LabView) -> None:
    """The fit from zero: live where data, method or solver have changed since it was drawn last, else as it ended."""
    job = _job(view.choice)
    if job is None:
        _ended(view)
        return
    active = job.active
    begun = time.monotonic()
    draw_live(lambda: _live(view, job, begun), [job], active=active, tick=TICK, ended=lambda: fit_ended(job.run))


def _job(choice: Loaded) -> Job[MethodRun] | None:
    """The fit to watch; None where nothing but C has changed and the model is fitted in passing."""
    key = f"lab {choice.key}"
    job: Job[MethodRun] | None = job_for(key)
    what = (choice.fingerprint, choice.where, choice.method_id, choice.parameters, choice.solver_id)
    before, st.session_state[_WATCHED] = st.session_state.get(_WATCHED), what
    other_solver = choice.solver_id != choice.method.solver().id
    quick = choice.fold.train.features.size <= headline.QUICK_ENTRIES
    if job is None and (other_solver or before not in (None, what)) and quick:
        job = ask_for(key, choice.from_zero, delay=PACE)
        wait_a_moment(job, FIRST_STEP_SECONDS, lambda: _trace(job) != ())
    make_latest(job, _JOB)
    return job


def _trace(job: Job[MethodRun]) -> Sequence[TracePoint]:
    return () if job.run is None else job.run.steps.trace


def _live(view: LabView, job: Job[MethodRun], begun: float) -> None:
    """The curve as far as it has come, with Stop, and Continue after it."""
    if time.monotonic() - begun > WATCHED_SECONDS:
        job.delay = 0.0
    if job.run is None or not _trace(job):
        _title("convergence", html.escape(job.problem) if job.state == "failed" else "computing the first step")
        return
    result = job.run.fit().result

    def buttons() -> None:
        if job.active:
            stop_button("lab_stop", job)
        elif job.state == "paused":
            continue_button("lab_continue", job)

    solver = html.escape(view.choice.method.solver(view.choice.solver_id).title)
    _title("convergence", f"{solver}, {convergence_words(result, ended=job.state == 'finished')}", buttons)
    _draw(view, result, live=True)


def _ended(view: LabView) -> None:
    if headline.waits_for_solvers(view.choice):
        _title("convergence", WAITS)
        return
    fit = fit_from_zero(view)
    result = fit.result
    if not result.trace:
        _title("convergence", "press Fit on its page to see this model's")
        return
    begun = "" if fit is view.now.fit else "from zero, "  # the strip's may have begun at a model of the path
    _title("convergence", f"{begun}{convergence_words(result, ended=True)}")
    _draw(view, result, live=False)


def _draw(view: LabView, result: FitResult, *, live: bool) -> None:
    beside = curve_beside(view)
    zoom = f"{view.choice.key} {view.beside[0].fit.method if view.beside else ''}"
    _chart(
        view,
        "convergence",
        lambda: view.pictures.convergence(result, beside, revision=zoom),
        of=None if live else (view.identity, result, None if beside is None else tuple(beside.trace)),
        drag=lambda: view.drags.in_convergence(float(result.trace[-1].step)),
    )


def curve_beside(view: LabView) -> Curve | None:
    """The fit from zero of the method beside, at the same share of lambda_max; None where that could take long."""
    if not view.beside:
        return None
    method_id = view.beside[0].fit.method
    settings = tuple(settings_of(view.choice, method_id).items())
    other = access.with_method(view.choice, method_id, settings)
    found = None if headline.waits_for_solvers(other) else headline.from_zero(other)
    return Curve(menu_title(method_id), method_id, found.fit.result.trace) if found is not None else None


def fit_from_zero(view: LabView) -> Fit:
    """The fit of the strip; where that began next to its end, at a model of the path, one that did not."""
    trace = view.now.fit.result.trace
    found = headline.from_zero(view.choice) if trace and trace[0].nonzero else None
    return view.now.fit if found is None else found.fit
