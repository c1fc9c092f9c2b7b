"""The four views of the Lab: each draws its picture, says what is seen, and moves with the handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.features.single_feature import SingleFeatureScore
from core.analysis.path_frames import Frame, fitted_frame
from core.figures.lab.pictures import BEST, ROWS
from pages.shared import following, frame, headline
from pages.shared.choice.use_model import use_model
from pages.shared.following import take_clicked, take_released
from pages.shared.hidden import presenting
from pages.shared.live_chart import clicked, live_chart
from pages.shared.work.first_look import whole_where, zoom_key
from pages.shared.work.paths import settings_of
from pages.views.start.convergence import LabView, draw_convergence, view_title

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


def four_views(view: LabView, scores: Sequence[SingleFeatureScore] | None) -> None:
    """Draw the four views in two rows."""
    st.html(_STYLE)
    rows = (
        [] if scores is None else view.pictures.rows(scores, BEST if presenting() else ROWS)
    )  # large letters need room
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
        draw_convergence(view)


def _path(
    view: LabView, rows: Sequence[int], tell: Callable[[Frame], dict[str, str]], texts: Mapping[str, str]
) -> None:
    choice, drawn = view.choice, view.pictures
    view_title("path", "Path", drawn.path_words(texts))

    def readings(shown: Frame) -> dict[str, str]:
        return following.readings(choice, shown, view.words(shown)) | tell(shown) | {ANSWER: view.answer(shown)}

    drags = replace(view.drags, hand=replace(view.drags.hand, readings=readings))
    live_chart(
        lambda: drawn.path(revision=_zoom(view)),
        "lab_path",
        of=(view.identity, tuple(rows)),
        alt=drawn.alts["path"],
        on_click=lambda: take_clicked("lab_path"),
        drag=drags.in_path,
        on_release=lambda: take_released("lab_path"),
        rows=2,
    )


def _zoom(view: LabView) -> str:
    return f"{zoom_key(view.choice, view.choice.method_id)} {len(view.points)}"


def _tradeoff(view: LabView, texts: Mapping[str, str]) -> None:
    drawn = view.pictures
    view_title("tradeoff", "Trade-off", drawn.tradeoff_words(texts))
    pins = [run for run in headline.pins() if run.is_of(view.choice) and view.part in run.metrics]
    pinned = pins[-1] if pins else None
    live_chart(
        lambda: drawn.tradeoff(
            None if pinned is None else pinned.point,
            revision=f"{whole_where(view.choice)} {view.measure} {list(drawn.titles)}",
        ),
        "lab_tradeoff",
        of=(view.identity, tuple(drawn.titles), pinned),
        alt=drawn.alts["tradeoff"],
        on_click=_take_model,
        drag=lambda: view.drags.in_tradeoff(drawn.curves),
        rows=2,
    )


def _features(
    view: LabView, scores: Sequence[SingleFeatureScore] | None, rows: Sequence[int], texts: Mapping[str, str]
) -> None:
    if scores is None:
        view_title("features", "Features", "each alone is being measured")
        return
    drawn = view.pictures
    view_title("features", "Features", drawn.features_words(texts))
    live_chart(
        lambda: drawn.features(scores, rows, revision=f"{_zoom(view)} {view.measure}"),
        "lab_features",
        of=(view.identity, *scores),
        alt=drawn.alts["features"],
        drag=lambda: view.drags.in_features(scores, rows),
        rows=2,
    )


def _take_model() -> None:
    """A point of the trade-off gives method and C, with the parameters that its path was worked out with."""
    point, choice = clicked("lab_tradeoff"), frame.last_choice()
    if point and choice is not None:
        method_id, c = point[:2]
        use_model(c=float(c), method_id=method_id, parameters=settings_of(choice, method_id))
