"""The four views of the Lab: each draws its picture, says what is seen, and follows the handle."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.analysis.path_views import ratio_of
from core.analysis.tradeoff.tradeoff import TradeoffPoint, tradeoff_points
from core.figures.fit.convergence import Curve
from core.figures.lab.convergence import lab_convergence_figure
from core.figures.lab.features import BEST, best_alone, lab_features_figure, lab_rows
from core.figures.lab.handle import LabHandle
from core.figures.lab.path import lab_path_figure
from core.figures.lab.tradeoff import lab_tradeoff_figure
from core.figures.look.style import certificate_label, seconds, short
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import Across
from core.figures.tradeoff.tradeoff import View
from core.methods import Fit, get_method
from core.solvers import TracePoint
from pages.shared import frame, headline
from pages.shared.choice import access
from pages.shared.choice.c import ratio_query
from pages.shared.choice.choice import Loaded
from pages.shared.choice.menu import menu_title
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import clicked, live_chart, taken
from pages.shared.wording import features
from pages.shared.work.paths import settings_of

# One line a view: what is seen on the left, the way to its page on the right.
_STYLE = """<style>
.st-key-picture [class*=st-key-lab_view_] { gap: 0; }
.lab-title { font-size: .88rem; line-height: 1.6rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.st-key-picture [data-testid=stPageLink-NavLink] { padding: 0 .4rem; min-height: 0; }
.st-key-picture [data-testid=stPageLink-NavLink] p { font-size: .82rem; line-height: 1.6rem; }
</style>"""


@dataclass(frozen=True, eq=False)
class Seen:
    """What the four views have in common.

    Attributes
    ----------
    choice : Loaded
    points : sequence of PathPoint
        The path of the chosen method, as far as it is known; at least one.
    now : PathPoint
        The model at the chosen C, or the nearest one of the path where it has not been fitted.
    best : PathPoint or None
        Best on the validation part.
    part, measure : str
        How models are judged.
    handle : LabHandle
    beside : sequence of PathPoint
        The path of another method; empty where none is shown.
    """

    choice: Loaded
    points: Sequence[PathPoint]
    now: PathPoint
    best: PathPoint | None
    part: str
    measure: str
    handle: LabHandle
    beside: Sequence[PathPoint]


def four_views(
    seen: Seen, known: Mapping[str, Sequence[PathPoint]], scores: Sequence[SingleFeatureScore] | None
) -> None:
    """Draw the four views in two rows."""
    st.html(_STYLE)
    upper, lower = st.columns(2, gap="small"), st.columns(2, gap="small")
    with upper[0]:
        _path(seen, scores)
    with upper[1]:
        _tradeoff(seen, known)
    with lower[0]:
        _features(seen, scores)
    with lower[1]:
        _convergence(seen)


def _title(name: str, view: str, words: str, page: str) -> None:
    """What is seen, in one line, and the way to the whole page with the same choice."""
    with st.container(key=f"lab_view_{name}", horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="lab-title"><b>{view}</b>: {words}</div>', width="stretch")
        st.page_link(f"pages/{page}.py", label="open", icon=":material/open_in_full:", query_params=ratio_query())


def _reading(name: str, text: str) -> str:
    """A text that follows the hand."""
    return f'<b data-reading="{name}">{html.escape(text)}</b>'


def _readings(seen: Seen, scores: Sequence[SingleFeatureScore] | None, shown: Frame) -> dict[str, str]:
    """The texts of the titles for a model, by name."""
    texts = {
        "lab-kept": features(shown.kept),
        "lab-value": f"{shown.judgement.metrics[seen.part][seen.measure]:.4f}",
    }
    if scores is not None:
        texts["lab-strong"] = str(sum(bool(shown.weights[j]) for j in best_alone(scores, BEST)))
    return texts


def _path(seen: Seen, scores: Sequence[SingleFeatureScore] | None) -> None:
    choice, now = seen.choice, fitted_frame(seen.now)
    texts = _readings(seen, scores, now)
    _title("path", "Path", f"{_reading('lab-kept', texts['lab-kept'])} kept under the line, more to its right", "path")
    usable = int(choice.judge.usable_features.sum())

    def readings(shown: Frame) -> dict[str, str]:
        strip = headline.readings(shown.kept, shown.judgement, shown.certificate, usable, choice)
        return {"C": short(shown.c)} | strip | _readings(seen, scores, shown)

    figure = lab_path_figure(
        seen.points,
        seen.handle.coloured,
        chosen_ratio=choice.lam / choice.training.lam_max,
        best=seen.best,
        beside=seen.beside,
        revision=seen.handle.identity,
    )
    live_chart(
        figure,
        "lab_path",
        alt=f"Regularization path of {choice.title}; the line is the chosen C, the dashed one the best on validation.",
        on_click=_take_clicked,
        handle=seen.handle.in_path(readings, None if seen.best is None else ratio_of(seen.best)),
        on_taken=_take_let_go,
        rows=2,
    )


def _tradeoff(seen: Seen, known: Mapping[str, Sequence[PathPoint]]) -> None:
    choice, now = seen.choice, fitted_frame(seen.now)
    texts = _readings(seen, None, now)
    reached = f"{PART_TITLES[seen.part]} {seen.measure} {_reading('lab-value', texts['lab-value'])}"
    _title("tradeoff", "Trade-off", f"{reached} with {_reading('lab-kept', texts['lab-kept'])}", "tradeoff")
    usable = choice.judge.usable_features
    across = Across("features kept", int(usable.sum()), log=True)
    curves = {method_id: tradeoff_points(points, usable) for method_id, points in known.items()}
    titles = {method_id: menu_title(method_id) for method_id in known}
    figure = lab_tradeoff_figure(
        curves,
        View(seen.part, seen.measure, across, choice.convention),
        titles,
        pinned=_pinned(seen),
        best=next(iter(tradeoff_points([seen.best], usable)), None) if seen.best is not None else None,
        revision=f"{choice.where} {seen.measure} {list(known)}",
    )
    live_chart(
        figure,
        "lab_tradeoff",
        alt=f"{PART_TITLES[seen.part]} {seen.measure} against features kept, of {', '.join(titles.values())}.",
        on_click=_take_model,
        handle=seen.handle.in_tradeoff(curves),
        rows=2,
    )


def _pinned(seen: Seen) -> TradeoffPoint | None:
    """The run pinned last, where it is of the same data."""
    pins = [run for run in headline.pins() if run.where == seen.choice.where and seen.part in run.metrics]
    return next(iter(tradeoff_points([run.point for run in pins[-1:]], seen.choice.judge.usable_features)), None)


def _features(seen: Seen, scores: Sequence[SingleFeatureScore] | None) -> None:
    if scores is None:
        _title("features", "Features", "each alone is being measured", "features")
        return
    strong = _reading("lab-strong", _readings(seen, scores, fitted_frame(seen.now))["lab-strong"])
    words = f"of the {min(BEST, len(scores))} best alone on {PART_TITLES[seen.part]}, {strong} are kept (filled)"
    _title("features", "Features", words, "features")
    rows = lab_rows(scores, seen.handle.coloured)
    together = [point.metrics[seen.part]["NDCG@10"] for point in seen.points]
    live_chart(
        lab_features_figure(scores, rows, together, revision=f"{seen.handle.identity} {seen.part}"),
        "lab_features",
        alt=f"{PART_TITLES[seen.part]} NDCG@10 of single features; those that {seen.choice.title} keeps are filled.",
        handle=seen.handle.in_features(scores, rows),
        rows=2,
    )


def _convergence(seen: Seen) -> None:
    choice, result = seen.choice, _from_zero(seen).result
    if not result.trace:
        _title("convergence", "Convergence", "press Fit on its page to see this model's", "fit")
        return
    found = result.certificate
    label = html.escape(certificate_label(found.kind, found.share_of, found.among))
    steps = f"{result.steps} step{'' if result.steps == 1 else 's'}"
    words = f"from zero to {label} {short(found.relative)} in {steps}, {seconds(result.seconds)}"
    _title("convergence", "Convergence", words, "fit")
    figure = lab_convergence_figure(
        choice.method_id,
        result.trace,
        also=[shown.certificate.relative for shown in seen.handle.panel.frames],
        beside=_curve_beside(seen),
        revision=f"{choice.key} {seen.beside[0].fit.method if seen.beside else ''}",
    )
    live_chart(
        figure,
        "lab_convergence",
        alt=f"The certificate of the fit of {choice.title} against its steps.",
        handle=seen.handle.in_convergence(float(result.trace[-1].step)),
        rows=2,
    )


def _curve_beside(seen: Seen) -> Curve | None:
    """The fit from zero of the method beside, at the same share of lambda_max; None where that could take long."""
    choice, beside = seen.choice, seen.beside
    if not beside or choice.fold.train.features.size > headline.QUICK_ENTRIES:
        return None
    method_id, settings = beside[0].fit.method, tuple(beside[0].fit.parameters.items())
    lam = choice.lam / choice.training.lam_max * beside[0].fit.lam_max
    trace = _fit_beside((choice.fingerprint, choice.where, choice.convention, method_id, settings, lam), choice)
    return Curve(menu_title(method_id), method_id, trace) if trace else None


@st.cache_resource(max_entries=100, show_spinner=False)
def _fit_beside(
    key: tuple[str, str, str, str, tuple[tuple[str, float], ...], float], _choice: Loaded
) -> list[TracePoint]:
    method_id, settings, lam = key[3:]
    method = get_method(method_id)
    training = access.training(method_id, _choice.source, _choice.fold_number, settings)
    stop = replace(method.stop, max_seconds=headline.QUICK_SECONDS)
    try:
        return list(method.fit(training, lam, parameters=dict(settings), stop=stop).result.trace)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return []  # the Fit page runs it as a job and says what went wrong


def _from_zero(seen: Seen) -> Fit:
    """The fit of the strip; where that began next to its end, at a model of the path, one that did not."""
    choice, entries = seen.choice, seen.choice.fold.train.features.size
    if not choice.method.convex or not seen.now.fit.result.trace or entries > headline.QUICK_ENTRIES:
        return seen.now.fit
    return _cold_fit(choice.key, choice)


@st.cache_resource(max_entries=100, show_spinner=False)
def _cold_fit(key: str, _choice: Loaded) -> Fit:
    stop = replace(_choice.stop, max_seconds=headline.QUICK_SECONDS)
    return _choice.method.fit(_choice.training, _choice.lam, parameters=dict(_choice.parameters), stop=stop)


def _take_clicked() -> None:
    """The model of the path that was clicked gives C everywhere."""
    point = clicked("lab_path")
    if point is not None:
        take(float(point["customdata"]))


def _take_let_go() -> None:
    """So does the one at which the hand let go of the line."""
    place = taken("lab_path")
    if place is not None:
        take(float(place["c"]))


def take(c: float) -> None:
    """Make this the C of every page; for callbacks."""
    choice = frame.choice()
    if choice is not None:
        use_model(c=c, ratio=choice.training.lam_of(c) / choice.training.lam_max)


def _take_model() -> None:
    """A point of the trade-off gives method and C, with the parameters that its path was worked out with."""
    point, choice = clicked("lab_tradeoff"), frame.choice()
    if point is not None and choice is not None and point["customdata"]:
        method_id, c = point["customdata"][:2]
        use_model(c=float(c), method_id=method_id, parameters=settings_of(choice, method_id))
