"""The four views of the Lab: each draws its picture, says what is seen, and moves with the handle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.features.single_feature import SingleFeatureScore, best_alone
from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, counts_among, fitted_frame
from core.analysis.tradeoff.tradeoff import TradeoffPoint, tradeoff_points
from core.figures.lab.features import BEST, ROWS, lab_features_figure, lab_rows
from core.figures.lab.path import lab_path_figure
from core.figures.lab.tradeoff import lab_tradeoff_figure
from core.figures.path.tuning import PART_TITLES
from core.figures.tradeoff.axes import Across
from core.figures.tradeoff.tradeoff import View
from pages.shared import following, frame, headline
from pages.shared.choice.menu import menu_title
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import clicked, live_chart
from pages.shared.present import presenting
from pages.shared.take_c import take_clicked, take_released
from pages.shared.wording import features
from pages.shared.work.paths import settings_of
from pages.views.start.convergence import draw_convergence
from pages.views.start.lab_view import LabView, reading, view_title

# One line a view: what is seen on the left, the way to its page on the right.
_STYLE = """<style>
.st-key-picture [class*=st-key-lab_view_] { gap: 0; flex-wrap: nowrap; }
.st-key-picture [class*=st-key-lab_view_] > :first-child { min-width: 0; flex: 1 1 0; }
.st-key-picture [class*=st-key-lab_view_] > :not(:first-child) { flex: none; width: auto; }
.st-key-picture [class*=st-key-lab_view_] button { min-height: 0; padding: 0 .5rem; line-height: 1.5rem; }
.lab-title { font-size: .88rem; line-height: 1.6rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.st-key-picture [data-testid=stPageLink-NavLink] { padding: 0 .4rem; min-height: 0; }
@media (max-width: 640px) { .lab-title { white-space: normal; line-height: 1.35; } }
.st-key-picture [data-testid=stPageLink-NavLink] p { font-size: .82rem; line-height: 1.6rem; }
</style>"""


def four_views(
    view: LabView, known: Mapping[str, Sequence[PathPoint]], scores: Sequence[SingleFeatureScore] | None
) -> None:
    """Draw the four views in two rows."""
    st.html(_STYLE)
    upper, lower = st.columns(2, gap="small"), st.columns(2, gap="small")
    with upper[0]:
        _path(view, scores)
    with upper[1]:
        _tradeoff(view, known)
    with lower[0]:
        _features(view, scores)
    with lower[1]:
        draw_convergence(view)


def _readings(view: LabView, strongest: Sequence[int], shown: Frame) -> dict[str, str]:
    """The texts of the titles for a model, by name.

    ``strongest`` has the columns (from 0) of the best features alone; none where they are not known.
    """
    texts = {
        "lab-kept": features(shown.size),
        "lab-value": f"{shown.judgement.metrics[view.part][view.measure]:.4f}",
    }
    if strongest:
        texts["lab-strong"] = str(sum(bool(shown.weights[j]) for j in strongest))
    return texts


def _path(view: LabView, scores: Sequence[SingleFeatureScore] | None) -> None:
    choice, now = view.choice, fitted_frame(view.now)
    strongest = () if scores is None else best_alone(scores, view.measure, BEST).columns
    texts = _readings(view, strongest, now)
    between = counts_among(view.drags.hand.frames, strongest)
    view_title(
        "path", "Path", f"{reading('lab-kept', texts['lab-kept'])} kept under the line, more to its right", "path"
    )

    def readings(shown: Frame) -> dict[str, str]:
        told = following.readings(choice, shown, view.words(shown)) | _readings(view, strongest, shown)
        return told | ({"lab-strong": between[shown.c]} if strongest and shown.fewest is not None else {})

    drags = replace(view.drags, hand=replace(view.drags.hand, readings=readings))
    live_chart(
        lambda: lab_path_figure(
            view.points,
            view.drags.coloured,
            chosen_ratio=choice.ratio,
            best=view.best,
            beside=view.beside,
            revision=view.drags.hand.path,
        ),
        "lab_path",
        of=(view.identity, tuple(strongest)),
        alt=f"Regularization path of {choice.title}; the line is the chosen C, the dashed one the best on validation.",
        on_click=lambda: take_clicked("lab_path"),
        drag=drags.in_path,
        on_release=lambda: take_released("lab_path"),
        rows=2,
    )


def _tradeoff(view: LabView, known: Mapping[str, Sequence[PathPoint]]) -> None:
    choice, now = view.choice, fitted_frame(view.now)
    texts = _readings(view, (), now)
    reached = f"{PART_TITLES[view.part]} {view.measure} {reading('lab-value', texts['lab-value'])}"
    view_title("tradeoff", "Trade-off", f"{reached} with {reading('lab-kept', texts['lab-kept'])}", "tradeoff")
    usable = choice.judge.usable_features
    across = Across("features kept", int(usable.sum()), log=True)
    titles = {method_id: menu_title(method_id) for method_id in known}
    pinned = _pinned(view)

    def curves() -> dict[str, tuple[TradeoffPoint, ...]]:
        return {method_id: tradeoff_points(points, usable) for method_id, points in known.items()}

    live_chart(
        lambda: lab_tradeoff_figure(
            curves(),
            View(view.part, view.measure, across, choice.convention),
            titles,
            pinned=None if pinned is None else next(iter(tradeoff_points([pinned.point], usable)), None),
            best=next(iter(tradeoff_points([view.best], usable)), None) if view.best is not None else None,
            revision=f"{choice.where} {view.measure} {list(known)}",
        ),
        "lab_tradeoff",
        of=(view.identity, tuple(known), pinned),
        alt=f"{PART_TITLES[view.part]} {view.measure} against features kept, of {', '.join(titles.values())}.",
        on_click=_take_model,
        drag=lambda: view.drags.in_tradeoff(curves()),
        rows=2,
    )


def _pinned(view: LabView) -> headline.Run | None:
    """The run pinned last, where it is of the same data."""
    pins = [run for run in headline.pins() if run.is_of(view.choice) and view.part in run.metrics]
    return pins[-1] if pins else None


def _features(view: LabView, scores: Sequence[SingleFeatureScore] | None) -> None:
    if scores is None:
        view_title("features", "Features", "each alone is being measured", "features")
        return
    measure, best = view.measure, best_alone(scores, view.measure, BEST)
    strong = reading("lab-strong", _readings(view, best.columns, fitted_frame(view.now))["lab-strong"])
    edge = f" (with {best.tie_words})" if best.tie_words else ""
    by = f"{PART_TITLES[view.part]} {measure}"
    words = f"of the {len(best.columns)} best alone by {by}{edge}, {strong} are kept (filled)"
    view_title("features", "Features", words, "features")
    most = BEST if presenting() else ROWS  # large letters need room
    rows = lab_rows(scores, measure, view.drags.coloured, most)
    together = [point.metrics[view.part][measure] for point in view.points]
    live_chart(
        lambda: lab_features_figure(scores, measure, rows, together, revision=f"{view.drags.hand.path} {by}"),
        "lab_features",
        of=(view.identity, *scores),
        alt=f"{by} of single features; those that {view.choice.title} keeps are filled.",
        drag=lambda: view.drags.in_features(scores, rows),
        rows=2,
    )


def _take_model() -> None:
    """A point of the trade-off gives method and C, with the parameters that its path was worked out with."""
    point, choice = clicked("lab_tradeoff"), frame.last_choice()
    if point is not None and choice is not None and point["customdata"]:
        method_id, c = point["customdata"][:2]
        use_model(c=float(c), method_id=method_id, parameters=settings_of(choice, method_id))
