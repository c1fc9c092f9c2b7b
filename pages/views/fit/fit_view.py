"""The weights on the Fit page, with the handle that moves C along the path of the chosen method."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame
from core.analysis.tuning.tuning import best_on_validation
from core.api.solver_tables import weights_table
from core.figures.drag.drag import Drag
from core.figures.drag.hand import Hand
from core.figures.fit.convergence import Horizontal
from core.figures.fit.fit_drag import certificate_drag, last_place, weights_drag
from core.figures.fit.weights_along import rows_of, weights_along_figure
from core.methods import Fit
from core.solvers import TracePoint
from pages.shared import following, headline
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.live_chart import live_chart
from pages.shared.take_c import take_released
from pages.shared.wording import telling_part
from pages.shared.work.board import board, session_id
from pages.shared.work.panel import Panel, counted, draw_panel
from pages.shared.work.paths import USUAL_POINTS, complete, known_points, path_job, path_key

_RELEASED = "fit_c_released"

# What is said of the fitted model pales while the reader drags to another one.
_STYLE = """<style>
.stApp:has(.st-key-chart_weights .following) .st-key-fit_status { opacity: .3; }
.st-key-chart_convergence .following .main-svg:first-of-type { opacity: .4; }
</style>"""


@dataclass(frozen=True, eq=False)
class FitView:
    """A fitted model beside the path of its method.

    Attributes
    ----------
    choice : Loaded
    points : list of PathPoint
        The whole path.
    best : PathPoint or None
        Best on the validation part; None without one.
    hand : Hand
    measure : str
    """

    choice: Loaded
    points: list[PathPoint]
    best: PathPoint | None
    hand: Hand
    measure: str

    @property
    def models(self) -> tuple[Hashable, ...]:
        """All that moves."""
        return (*self.points, *self.hand.frames)

    def draw_weights(self, title: str, most: int, fit: Fit, script: Callable[[], str]) -> None:
        """Draw the weights with the handle over them; ``fit`` and ``script`` are those of the fitted model."""
        now = self.hand.now
        rows = rows_of(now.weights, self.points, most)
        dashed = "" if self.best is None else "dashed: best on validation"
        st.html(_STYLE)
        live_chart(
            lambda: weights_along_figure(
                rows,
                now,
                self.points,
                self.hand.colour,
                best=None if self.best is None else self.best.fit.c,
                revision=f"fit {self.hand.path}",
                title=title,
                subtitle=" · ".join(filter(None, [self._left_out(len(rows)), "drag the line to another C", dashed])),
            ),
            "weights",
            alt=f"{title}. A handle moves C along the path.",
            of=(self.choice.key, self.choice.where, fit, self.measure, title, most, self.models),
            drag=lambda: weights_drag(self.hand, rows, self.measure),
            on_release=_take_released,
            table=lambda: weights_table(fit),
            script=script,
            fill=True,
        )

    def _left_out(self, rows: int) -> str:
        more = self.hand.now.kept - rows
        return f"{more} smaller ones are in the table below" if more > 0 else ""

    def certificate(self, last: TracePoint, x: Horizontal) -> Drag:
        """What moves in a picture of the certificate."""
        return certificate_drag(self.hand, last_place(last, x))


def fit_view(choice: Loaded, fit: Fit) -> FitView | None:
    """The view of a fitted model; None while the path of its method is not known to its end."""
    if not complete(choice, [choice.method_id]):
        return None
    points = known_points(choice, choice.method_id)
    if len(points) < 2:
        return None
    measure = measures_of(choice)[0]
    part = telling_part(points[0])
    best = best_on_validation(points, measure) if "vali" in points[0].metrics else None

    def readings(shown: Frame) -> Mapping[str, str]:
        return following.readings(choice, shown, following.model_words(choice, shown, part, measure))

    hand = following.hand_of(choice, points, headline.describe(choice, fit).point, best=best, readings=readings)
    return FitView(choice, points, best, hand, measure)


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
        panel = Panel(
            key="fit_path",
            what="Computing the path along which C can be dragged",
            ready=f"Path of {choice.title}",
            reached=lambda: counted([job], "models", expected=USUAL_POINTS),
        )
        draw_panel(panel, [job], active=active)


def step_back(choice: Loaded) -> None:
    """Pause the computing of the path while a fit runs, whose seconds are shown."""
    job = board().find(path_key(choice, choice.method_id), session_id())
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
