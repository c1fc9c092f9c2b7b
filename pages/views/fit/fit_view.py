"""The weights on the Fit page, with the handle that moves C along the path of the chosen method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.content import Series
from core.figures.drag.hand import Hand
from core.figures.fit.weights_picture import WeightsPicture
from pages.shared import following, headline
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.following import take_released
from pages.shared.headline import Shown
from pages.shared.show import show_chosen
from pages.shared.wording import size_words, telling_part
from pages.shared.work.board import board, job_for
from pages.shared.work.panel import Panel, counted
from pages.shared.work.paths import USUAL_POINTS, complete, known_points, path_job, path_key, told_best

_RELEASED = "fit_c_released"

# What is said of the fitted model pales while the reader drags to another one.
_STYLE = """<style>
.stApp:has(.st-key-chart_weights .following) .st-key-fit_status { opacity: .3; }
.st-key-chart_convergence .following .main-svg:first-of-type { opacity: .4; }
</style>"""


@dataclass(frozen=True, eq=False)
class FitView:
    """The path of a fitted model's method.

    Attributes
    ----------
    points : Series of PathPoint
        The whole path.
    best : PathPoint or None
        Best on the validation part; None where that cannot tell.
    hand : Hand
    measure : str
    """

    points: Series[PathPoint]
    best: PathPoint | None
    hand: Hand
    measure: str

    def draw_weights(self, now: Shown, most: int) -> None:
        """Draw the weights with the handle over them, in at most so many rows."""
        st.html(_STYLE)
        picture = WeightsPicture(
            now.model,
            most=most,
            where=now.where,
            along=self.points,
            best=None if self.best is None else self.best.fit.c,
            measure=self.measure,
            same=f"fit {self.hand.path}",
        )
        show_chosen(picture, now.choice, hand=self.hand, on_release=_take_released, fill=True)


def fit_view(now: Shown) -> FitView | None:
    """The path beside a fitted model; None while it is not known to its end."""
    choice = now.choice
    if not complete(choice, [choice.method_id]):
        return None
    points = known_points(choice, choice.method_id)
    if len(points) < 2:
        return None
    measure = measures_of(choice)[0]
    part = telling_part(points[0].metrics)
    best = told_best(points, measure)

    def readings(shown: Frame) -> Mapping[str, str]:
        words = following.model_words(choice, shown, part, measure)
        kept = size_words(choice.title, shown.size, choice.fold.train.n_features)
        return following.readings(choice, shown, words) | {"title-weights": kept}

    hand = following.hand_of(choice, points, now.point, best=best, readings=readings)
    return FitView(points, best, hand, measure)


def work_out(choice: Loaded) -> None:
    """Compute the path of the chosen method in the background, where that is quick.

    Call it from a page's script; the page is drawn again at the end. If it fails, the Path page says why.
    """
    data = choice.fold.train
    if data.n_documents * data.n_features > headline.QUICK_ENTRIES or choice.training.lam_max == 0.0:
        return
    job = path_job(choice, choice.method_id)
    active = job.active
    if active or job.state == "paused":
        Panel(
            key="fit_path",
            what="Computing the path along which C can be dragged",
            ready=f"Path of {choice.title}",
            reached=lambda: counted([job], "models", expected=USUAL_POINTS),
        ).draw([job], active=active)


def step_back(choice: Loaded) -> None:
    """Pause the computing of the path while a fit runs, whose seconds are shown."""
    job = job_for(path_key(choice, choice.method_id))
    if job is not None:
        board().set_aside(job)


def draw_page_if_released() -> None:
    """Run the whole page where the reader has just let go of the handle; for the top of the picture's fragment.

    The event runs that fragment alone, but strip, sidebar, headline and address speak of C, too.
    """
    if page_is_drawn():
        st.rerun()


def page_is_drawn() -> bool:
    """Forget that the reader has let go, as the whole page is drawn; whether they had."""
    return bool(st.session_state.pop(_RELEASED, False))


def _take_released() -> None:
    take_released("weights")
    st.session_state[_RELEASED] = True
